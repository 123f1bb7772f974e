import { describe, expect, test } from 'vitest';
import type { PastStep } from '../../../../src/detect/steps/step';
import { OccurrenceLog, betweenSteps } from '../../../../src/detect/streaks/evidence';
import { sessionOf } from './past';

/** The steps of a run, some of which are occurrences of the streak. */
function logOf(steps: readonly Partial<PastStep>[], isCounted: (step: PastStep) => boolean = () => true) {
  const { context } = sessionOf(steps);
  const log = new OccurrenceLog();
  for (const index of steps.keys()) {
    const step = context.steps.step(index);
    if (step && isCounted(step)) log.add(step, context);
  }
  return { log, context };
}
const same = (n: number) => Array.from({ length: n }, () => ({ outcome: 7, subject: 'make' }));

describe('the occurrences of a streak', () => {
  test('are shown whole up to eleven; otherwise the first three and the last eight', () => {
    const shown = (n: number) =>
      logOf(same(n))
        .log.evidence()
        .map(({ step }) => step);
    expect(shown(11)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(shown(13)).toEqual([0, 1, 2, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  test('have a role: the first of each thing, and its repeats', () => {
    const { log } = logOf([{ outcome: 1 }, { outcome: 2 }, { outcome: 1 }]);
    expect(log.evidence().map(({ role, letter }) => `${letter} ${role}`)).toEqual(['A first', 'B first', 'A repeat']);
  });

  test('have no letter if only one thing repeats', () => {
    expect(
      logOf(same(3))
        .log.evidence()
        .every((one) => !('letter' in one)),
    ).toBe(true);
  });

  test('have letters from A to H; further ones have none, and stay out of the pattern', () => {
    const { log } = logOf(Array.from({ length: 9 }, (_, i) => ({ outcome: i + 1 })));
    expect(
      log
        .pattern()
        .map(({ letter }) => letter)
        .join(''),
    ).toBe('ABCDEFGH');
    expect(
      log
        .evidence()
        .map(({ letter }) => letter ?? '-')
        .join(''),
    ).toBe('ABCDEFGH-');
    expect(log.evidence().map(({ role }) => role)).not.toContain('repeat');
  });

  test('count a step once, and none from before the newest', () => {
    const { context } = sessionOf(same(3));
    const log = new OccurrenceLog();
    const step = (index: number) => context.steps.step(index) as PastStep;
    log.add(step(1), context);
    log.add(step(1), context);
    log.add(step(0), context);
    expect(log.evidence()).toHaveLength(1);
    expect(log.last).toBe(1);
    // An error that is not the result of a call: it has the index of the step before it.
    log.add({ ...step(1), outcome: -5 }, context);
    expect(log.evidence().map((one) => one.step ?? 'no step')).toEqual([1, 'no step']);
    expect(log.pattern().map(({ steps }) => steps)).toEqual([[1], []]);
  });

  test('know their first and last, even if the middle is left out', () => {
    const few = logOf(same(2)).log;
    expect([few.firstStep?.index, few.lastStep?.index]).toEqual([0, 1]);
    const many = logOf(same(30)).log;
    expect([many.firstStep?.index, many.lastStep?.index]).toEqual([0, 29]);
    expect(new OccurrenceLog().lastStep).toBeUndefined();
  });

  test('pass the newest two hundred steps of each thing to the timeline', () => {
    const log = new OccurrenceLog();
    const { newest, context } = sessionOf([{ outcome: 7 }]);
    for (let index = 0; index < 205; index++) log.add({ ...newest, index }, context);
    const [steps = []] = log.pattern().map((one) => one.steps);
    expect(steps).toHaveLength(200);
    expect([steps[0], steps.at(-1)]).toEqual([5, 204]);
    steps.pop();
    expect(log.pattern()[0]?.steps).toHaveLength(200);
  });
});

describe('what was done between two occurrences', () => {
  const make = { outcome: 7, subject: 'make' };

  test('is listed between them, with its places, at most three things by name', () => {
    const names = ['R a', 'R a', 'R b', 'R c', 'R d', 'R e'];
    const steps = [make, ...names.map((subject) => ({ subject })), make];
    const { log } = logOf(steps, ({ outcome }) => outcome === 7);
    expect(log.evidence().map(({ role, subject }) => `${role}: ${subject}`)).toEqual([
      'first: make',
      'between: R a ×2, and R b, and R c, and 2 more',
      'repeat: make',
    ]);
    expect(log.evidence()[1]).toMatchObject({ at: 1000, text: '' });
  });

  test('is listed completely if it is three things', () => {
    const { context } = sessionOf(['R a', 'R b', 'R c'].map((subject) => ({ subject })));
    expect(betweenSteps(0, 3, context)?.subject).toBe('R a, and R b, and R c');
  });

  test('begins and ends where its steps do', () => {
    const place = (line: number) => ({ file: 'f', line, offset: line });
    const steps = [1, 2, 3].map((line) => ({ source: place(line), end: place(line + 10) }));
    const { context } = sessionOf(steps);
    expect(betweenSteps(0, 3, context)).toMatchObject({ source: { line: 1 }, end: { line: 13 } });
    expect(betweenSteps(1, 2, context)).toMatchObject({ source: { line: 2 }, end: { line: 12 } });
  });

  test('is null if nothing was done, or if it is forgotten', () => {
    const { context } = sessionOf(same(600));
    expect(betweenSteps(599, 599, context)).toBeNull();
    expect(betweenSteps(0, 10, context)).toBeNull();
  });

  test('is named by its last 64 steps', () => {
    const { context } = sessionOf(Array.from({ length: 100 }, (_, i) => ({ subject: i < 36 ? 'old' : 'new' })));
    expect(betweenSteps(0, 100, context)?.subject).toBe('new ×64');
  });
});
