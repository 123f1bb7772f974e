import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../src/core/model';
import { addsSomething, onlyGoesOn } from '../../../../src/detect/sayings/go-on';

describe('a message that only asks to go on', () => {
  it.each([
    'continue',
    'Continue.',
    'go on',
    'Go on!',
    'ok, go ahead',
    'please continue',
    'keep going',
    'proceed',
    '',
    ' ',
    '...',
    'continue where you left off',
    'yes, carry on',
    'next',
    'carry on',
    'keep on',
    'move on',
    'go',
    'continuing',
    'cont',
    'goon',
    'resume',
    'onward',
    'more',
    'do it',
    '  Go,  on … now --- please!',
    'ok great, thanks, you can continue from where it stopped',
    `continue${' '.repeat(200)}`,
    `ok ${'.'.repeat(48)} continue`,
  ])('adds nothing: %j', (text) => expect(onlyGoesOn(text)).toBe(true));

  it.each([
    'yes',
    'no',
    'ok',
    'start with the parser',
    'continue with the parser',
    'go back to the first design',
    '/clear',
    'why?',
    'run the tests',
    'continue '.repeat(40),
    'discontinue',
    'continues it all',
    'go up',
    'redo',
    'undo',
    'mores',
    'ok, cargo',
    "don't",
    'go/on',
    `ok ${'.'.repeat(50)} continue`,
  ])('adds something: %j', (text) => expect(onlyGoesOn(text)).toBe(false));
});

describe('something new from outside', () => {
  const event = (type: string, more: object) =>
    ({ type, automated: false, text: 'Use the parser', ...more }) as AgentEvent;

  it('is a message of a person that says something', () => {
    expect(addsSomething(event('user', {}))).toBe(true);
    expect(addsSomething(event('user', { text: 'go on' }))).toBe(false);
    expect(addsSomething(event('user', { automated: true }))).toBe(false);
    expect(addsSomething(event('assistant', {}))).toBe(false);
  });
});
