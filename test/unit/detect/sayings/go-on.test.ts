import { describe, expect, it } from 'vitest';
import { onlyGoesOn } from '../../../../src/detect/sayings/go-on';

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
  ])('adds something: %j', (text) => expect(onlyGoesOn(text)).toBe(false));
});
