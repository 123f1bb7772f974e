import { describe, expect, it } from 'vitest';
import { errorLineOf, patternOf } from '../../../../src/history/queries/pattern';
import { incident } from '../support/make';

/** An incident whose repeated steps have this result. */
function said(text: string, subject = 'pytest -q') {
  const [first] = incident().evidence;
  if (!first) throw new Error('an incident has evidence');
  return incident({ subject, evidence: [{ ...first, text }] });
}

describe('the error line', () => {
  it('is the first that names an error, without the space around it', () => {
    expect(errorLineOf(said('collected 4 items\n   Error: x is not a function   \nfatal: gave up'))).toBe(
      'Error: x is not a function',
    );
  });

  it.each([
    'Error: no',
    'an exception of the pool',
    'the build failed',
    '1 failure',
    'fatal: not a repository',
    'Permission denied',
    'bash: foo: command not found',
    'cannot open file',
    'x is undefined',
    'AssertionError',
    'assert 2 == 3',
  ])('is “%s” after a line that names none', (line) => {
    expect(errorLineOf(said(`running\n${line}\ndone`))).toBe(line);
  });

  it.each(['unfailed', 'infatal'])('is not “%s”, which only contains such a word', (line) => {
    expect(errorLineOf(said(`running\n${line}`))).toBe('running');
  });

  it('is the first line with information if none names an error: no ruler, no fence', () => {
    expect(errorLineOf(said('=====\n```\n  \n3 of 4\nmore'))).toBe('3 of 4');
    expect(errorLineOf(said('-----\n失败\n'))).toBe('失败');
  });

  it('is that of the last result that repeats, not of a step in between, and empty if there was no text', () => {
    const { evidence } = incident();
    const [first, between, ...repeats] = evidence.map((one, n) => ({ ...one, text: `error ${n}` }));
    if (!first || !between) throw new Error('an incident has evidence');
    expect(errorLineOf({ evidence: [first, ...repeats, between] })).toBe('error 3');
    expect(errorLineOf({ evidence: [first, ...repeats.map((one) => ({ ...one, text: '' }))] })).toBe('error 0');
    expect(errorLineOf({ evidence: [] })).toBe('');
    expect(errorLineOf(said('=====\n'))).toBe('');
  });
});

describe('two incidents are stuck in the same way', () => {
  const same = (a: ReturnType<typeof incident>, b: ReturnType<typeof incident>) => patternOf(a) === patternOf(b);

  it('whatever times, addresses and counts their errors carry', () => {
    const a = said('12:01:07 Error: connect ECONNREFUSED at 0x7ffe21 after 3 tries');
    const b = said('12:09:44 Error: connect ECONNREFUSED at 0x11aa09 after 5 tries');
    expect(same(a, b)).toBe(true);
  });

  it('whatever follows in their call: its first four words count', () => {
    expect(same(said('failed', 'npm run test unit alpha'), said('failed', 'npm run test unit beta'))).toBe(true);
    expect(same(said('failed', 'npm run test unit'), said('failed', 'npm run test browser'))).toBe(false);
  });

  it('whatever comes after twelve words of their error, or beyond 2,000 characters of it', () => {
    const words = 'error of the pool that holds all connections to the far database';
    expect(same(said(`${words} alpha`), said(`${words} beta`))).toBe(true);
    expect(same(said(`${words.replace('far', 'near')} alpha`), said(`${words} alpha`))).toBe(false);
    const long = `error ${'1 '.repeat(997)}`;
    expect(long).toHaveLength(2_000);
    expect(same(said(`${long}alpha`), said(`${long}beta`))).toBe(true);
  });

  it('but not if the rule, the error, or the end of a word differs', () => {
    const one = said('error: no such table');
    expect(same(one, { ...one, rule: 'no_effect' })).toBe(false);
    expect(same(one, { ...one, detector: 'cycle' })).toBe(false);
    expect(same(one, said('error: no such file'))).toBe(false);
    expect(same(one, said(''))).toBe(false);
    expect(same(said('fail over'), said('failover'))).toBe(false);
    expect(same(said('be', 'al pha'), said('pha be', 'al'))).toBe(false);
    expect(same({ ...one, detector: 'cycle', rule: null }, { ...one, detector: 'cycle', rule: 'few_distinct' })).toBe(
      false,
    );
  });
});
