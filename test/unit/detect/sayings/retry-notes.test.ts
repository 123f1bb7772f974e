import { describe, expect, test } from 'vitest';
import { failedApproaches, normalApproach } from '../../../../src/detect/sayings/retry-notes';

describe('a prompt that says what was tried and failed', () => {
  test.each(
    [
      'Previous attempts: | previously failed attempt: | prior approaches | an earlier approach | failed tries:',
      'past attempts | Already tried: | previously attempted: | it already failed | this was tried:',
      "these were tried | it has been tried | they have been tried | Do not repeat | don't retry | never run",
      'avoid using | do not ever again use | avoid calling | do not call | never approach it with | Avoid:',
      'do not try | avoid trying | avoid repeating | avoid retrying | avoid running | do not use approaches',
      "what did not work | what didn't work | three failed approaches | prior three attempts",
    ].flatMap((line) => line.split(' | ')),
  )('“%s”', (beginning) => {
    expect(failedApproaches(`Fix the build. ${beginning} \`npm ci\``)).toEqual(['npm ci']);
  });

  test.each(
    [
      'Run | The attempts so far | tries | attempted | an approach | previous commits | preprior attempts',
      'earlier, attempts | already trying | do not forget to | avoid | avoid a very long and slow run of',
      'whatever did not work | previous two failed attemptss',
    ].flatMap((line) => line.split(' | ')),
  )('not “%s”', (beginning) => {
    expect(failedApproaches(`Fix the build. ${beginning} \`npm ci\``)).toEqual([]);
  });

  test('lists them as items, as quotations, or both', () => {
    const text = [
      'Already tried:',
      '- npm install --force',
      '* ran: npm ci',
      '  • Tried make all.',
      '1. command: cargo build,',
      '12) Attempt 3 of 4: go vet ./...',
      '- called `tsc -p .` and `tsc -b`, in vain',
      '- running pytest -q',
      'and some text that is no item',
      '-nothing',
    ].join('\n');
    expect(failedApproaches(text).toSorted()).toEqual(
      [
        'tsc -p .',
        'tsc -b',
        'npm install --force',
        'npm ci',
        'make all',
        'cargo build',
        'go vet ./...',
        'pytest -q',
      ].toSorted(),
    );
  });

  test('lists each once, ignoring spaces and the full stop', () => {
    expect(failedApproaches('Already tried: `npm  ci`, `npm ci.`, `$ npm ci`')).toEqual(['npm ci']);
  });

  test('counts from the start of the notes, for 4,000 characters', () => {
    expect(failedApproaches('Use `make`. Already tried: `npm ci`')).toEqual(['npm ci']);
    const far = (length: number) => failedApproaches(`Already tried:${' '.repeat(length)}\`npm ci\``);
    expect(far(3_900)).toEqual(['npm ci']);
    expect(far(4_000)).toEqual([]);
    expect(failedApproaches(`${'word '.repeat(3_000)}Already tried: \`npm ci\``)).toEqual(['npm ci']);
    expect(failedApproaches(`${'word '.repeat(3_200)}Already tried: \`npm ci\``)).toEqual([]);
  });

  test('names at most 32, each of 3 to 200 characters', () => {
    const many = Array.from({ length: 40 }, (_, n) => `\`npm run ${n}\``).join(' ');
    expect(failedApproaches(`Already tried: ${many}`)).toHaveLength(32);
    const sized = (length: number) => failedApproaches(`Already tried:\n- ${'x'.repeat(length)}`).length;
    expect([2, 3, 200, 201].map(sized)).toEqual([0, 1, 1, 0]);
    expect(failedApproaches('Already tried: `ab` `abc`')).toEqual(['abc']);
  });
});

test('an approach has one written form: without a prompt sign, and without the end of its sentence', () => {
  expect(normalApproach('  $ npm   run\n test. ')).toBe('npm run test');
  expect(normalApproach('call(a),')).toBe('call(a)');
  expect(normalApproach('docker build .')).toBe('docker build .');
  expect(normalApproach('echo $ x;')).toBe('echo $ x');
});
