import { describe, expect, it } from 'vitest';
import { runFamily } from '../support/run';
import type { Script } from '../support/script';
import { begin, edit, isStuck, levels, pytest } from './telling';

/** An agent edits, the same test fails, and the person says something. */
const round = (run: Script, prompt: string): Script => pytest(edit(run), 'test_total').user(prompt);
const rounds = (count: number, prompt: (n: number) => string): Script =>
  begin().times(count, (run, n) => round(run, prompt(n)));

const PASTED = 'FAILED tests/test_sum.py::test_total - boom\n1 failed in 0.3s';

describe('prompts that add nothing end no count', () => {
  it.each([
    ['continue'],
    ['still not working'],
    ['继续'],
    ['还是不行'],
    ['まだ動きません'],
    ['weiter'],
    ['geht immer noch nicht'],
    ['ça ne marche toujours pas'],
    ['sigue fallando'],
    ['всё ещё не работает'],
    [PASTED],
    [`still:\n${PASTED}`],
  ])('%s', (prompt) => {
    expect(isStuck(rounds(6, () => prompt))).toBe(true);
  });

  it('nor does the first prompt, sent again and again', () => {
    expect(isStuck(rounds(6, () => 'Make the tests of src/sum.ts pass.'))).toBe(true);
  });

  it('each justifies one more repeat, at most two in a streak', () => {
    const of = (count: number, prompts: number) => {
      const run = begin().times(count, (one, n) => {
        pytest(edit(one), 'test_total');
        if (n < prompts) one.user('continue');
      });
      return levels(run).at(0);
    };
    expect([2, 3, 4].map((count) => of(count, 0))).toEqual([undefined, 'warn', 'stuck']);
    expect([3, 4, 5].map((count) => of(count, 1))).toEqual([undefined, 'warn', 'stuck']);
    expect([4, 5, 6].map((count) => of(count, 2))).toEqual([undefined, 'warn', 'stuck']);
    expect([4, 5, 6].map((count) => of(count, 9))).toEqual([undefined, 'warn', 'stuck']);
  });
});

describe('prompts that add something start the count again', () => {
  it.each([
    ['a new number each time', (n: number) => `I fixed the config, port ${5433 + n * 11}; run it once more`],
    ['a new path each time', (n: number) => `look at src/${'abcdef'[n]}.ts`],
    ['a new name each time', (n: number) => `the culprit is parse${'ABCDEF'[n]}Total`],
    ['a command of the person', () => '!npm test'],
    [
      'much that was never said',
      (n: number) =>
        [
          'Leave the helper alone and write the loop by hand, because nobody here likes folding.',
          'Another thought: maybe rounding happens twice, once while reading and once before printing.',
          'Perhaps compare against yesterday; colleagues said everything looked perfectly healthy then.',
          'Somebody suggested decimals instead; floats always drift whenever currencies are converted.',
          'Then try adding brackets around that division, precedence might explain these odd answers.',
          'Finally consider deleting whatever caching layer sits underneath, stale entries could lurk.',
        ][n] ?? '',
    ],
  ])('%s', (_, prompt) => expect(levels(rounds(6, prompt))).toEqual([]));
});

describe('what the person asked for does not count as a repeat by the agent', () => {
  it('"run it again", and the agent runs it once', () => {
    const asked = begin().times(8, (run) => pytest(run, 'test_total').user('run it again'));
    expect(levels(asked)).toEqual([]);
  });

  it('twin: it runs it four times on its own each time', () => {
    const own = begin().times(3, (run) => run.times(4, (one) => pytest(edit(one), 'test_total')).user('run it again'));
    expect(isStuck(own)).toBe(true);
  });

  it('a number of repeats that a person asked for warns at most, even when followed by "continue"', () => {
    const many = (prompt: string) =>
      begin()
        .user(prompt)
        .times(12, (run) => run.bash('./flaky.sh').user('continue'));
    const levelsOf = (prompt: string) => runFamily(many(prompt).events()).incidents.map(({ last }) => last.level);
    expect(levelsOf('Run ./flaky.sh 3000 times.')).toEqual(['warn']);
    expect(levelsOf('Run ./flaky.sh.')).toEqual(['stuck']);
  });
});
