import { describe, expect, test } from 'vitest';
import type { LoopCandidate } from '../../../../src/detect/streaks/candidate';
import { asPrompted } from '../../../../src/detect/streaks/candidate';
import { ownerOf } from '../../../../src/detect/streaks/owner';
import { run } from '../support/run';
import { draw } from '../../../stories/drawing';
import { pastStep } from './past';

const candidate = (detector: string, count: number, more: Partial<LoopCandidate> = {}): LoopCandidate => ({
  detector: detector as LoopCandidate['detector'],
  rule: null,
  level: 'warn',
  count,
  warn: 3,
  limit: 4,
  follows: { kind: 'outcomes' },
  steps: [pastStep(0, {})],
  equality: 'said',
  period: 1,
  ...more,
});
const owner = (...all: LoopCandidate[]): string => {
  const one = ownerOf(all);
  return one === undefined ? 'nobody' : `${one.detector}/${one.rule ?? ''}`;
};

const inARow = candidate('repeating_action', 4);
const rounds = candidate('cycle', 2, { period: 2 });
const oneError = candidate('consecutive_failures', 4, { equality: 'error' });
const spread = candidate('repeating_outcome', 4);
const refused = candidate('consecutive_failures', 3, { rule: 'refused_edits', equality: 'failed' });

describe('one rule owns a streak', () => {
  test('no rule without a candidate', () => expect(owner()).toBe('nobody'));

  test('by its shape, in this order, if they explain as many steps', () => {
    expect(owner(spread, oneError, rounds, inARow)).toBe('repeating_action/');
    expect(owner(spread, oneError, rounds)).toBe('cycle/');
    expect(owner(spread, oneError)).toBe('consecutive_failures/');
  });

  test('the longer pattern before the shorter one', () => {
    expect(owner(inARow, candidate('cycle', 3, { period: 3 }))).toBe('cycle/');
    expect(owner(rounds, candidate('repeating_outcome', 9))).toBe('repeating_outcome/');
  });

  test('alone: below its own limit no other shape reports the same steps', () => {
    const early = candidate('cycle', 9, { period: 2, level: null });
    expect(ownerOf([early, spread])?.level).toBeNull();
  });

  test('a rule of another kind reports if no shape has reached its warning', () => {
    expect(owner(refused)).toBe('consecutive_failures/refused_edits');
    const tool = candidate('repeating_outcome', 9, { rule: 'no_effect' });
    expect(owner({ ...spread, level: null }, tool)).toBe('repeating_outcome/no_effect');
    expect(owner(spread, tool)).toBe('repeating_outcome/');
  });

  test('or if it is graver', () => {
    const tool = candidate('repeating_outcome', 9, { rule: 'no_effect', level: 'stuck' });
    expect(owner(spread, tool)).toBe('repeating_outcome/no_effect');
    expect(owner({ ...spread, level: 'stuck' }, tool)).toBe('repeating_outcome/');
  });
});

describe('prompts that add nothing', () => {
  const between = (prompts: number): readonly ReturnType<typeof pastStep>[] => [
    pastStep(0, { prompts: 1 }),
    pastStep(1, { prompts: 1 + prompts }),
  ];
  const none = { prompt: { adds: false, asksAgain: false, asksMany: false, dictated: '' } };
  const stands = (count: number, prompts: number, prompt = none.prompt) => {
    const level = count >= 4 ? 'stuck' : 'warn';
    const {
      warn,
      limit,
      level: left,
    } = asPrompted(candidate('repeating_action', count, { level, steps: between(prompts) }), {
      prompt,
    });
    return [warn, limit, left];
  };

  test('raise the limits by one each, by two at most', () => {
    expect(stands(4, 0)).toEqual([3, 4, 'stuck']);
    expect(stands(4, 1)).toEqual([4, 5, 'warn']);
    expect(stands(4, 2)).toEqual([5, 6, null]);
    expect(stands(6, 9)).toEqual([5, 6, 'stuck']);
  });

  test('and if many repeats were asked for, it warns at most', () => {
    expect(stands(99, 0, { ...none.prompt, asksMany: true })).toEqual([3, Number.POSITIVE_INFINITY, 'warn']);
  });
});

describe('the words match the shape', () => {
  const BETWEEN = 'with other calls in between';
  const whys = (drawing: string) => run(draw(drawing)).findings.map(({ why }) => why);

  test.each([
    ['equal steps in a row', '(B "make" fail:no_rule) x8'],
    ['equal looks in a row', '(R a) x8'],
    ['equal waits in a row', '(W still · +30s) x24'],
    ['rounds', '(R a · R b) x8'],
  ])('%s have no other calls in between', (_, drawing) => {
    expect(whys(drawing).length).toBeGreaterThan(0);
    for (const why of whys(drawing)) expect(why).not.toContain(BETWEEN);
  });

  test('twin: equal steps with others in between have', () => {
    expect(whys('(B "make" fail:no_rule · R a%n) x5').join()).toContain(BETWEEN);
  });
});

describe('an incident that passes to its owner', () => {
  const told = (drawing: string) =>
    run(draw(drawing)).incidents.filter(({ name }) => !name.startsWith('premature_action'));

  test.each([
    ['rounds after equal steps', '(R a · R b) x2 · (R a · R b · R c) x5'],
    ['equal steps after rounds', '(R a · R b) x3 · (R a) x5'],
    ['equal failures after different ones', 'B a fail:alpha_error · B b fail:beta_error · (B d fail:delta_error) x6'],
    [
      'refused edits, then the same one',
      '(M change:edit {"file_path":"a.ts","old_string":"%n"} fail:not_there) x3 · (M change:edit {"file_path":"a.ts","old_string":"x"} fail:not_there) x5',
    ],
  ])('%s: one incident, one key, and its level never falls', (_, drawing) => {
    const incidents = told(drawing);
    expect(incidents).toHaveLength(1);
    const levels = run(draw(drawing))
      .findings.filter(({ key }) => key === incidents[0]?.key)
      .map(({ level }) => level);
    expect(levels.indexOf('stuck')).toBe(levels.length - levels.filter((level) => level === 'stuck').length);
  });

  test.each([
    ['two errors in turn', '(B "try %n" fail:alpha_error · B "go %n" fail:beta_error) x20'],
    [
      'one error with others between',
      '(B "py a%n" fail:no_access · B "py b%n" fail:no_access · B "make %n" fail:no_rule) x8',
    ],
  ])('%s: once it is stuck it never returns to a rule that it left', (_, drawing) => {
    const stuck = run(draw(drawing)).findings.filter(({ level }) => level === 'stuck');
    const owners = stuck.map(({ detector, rule }) => `${detector}/${rule ?? ''}`);
    const passes = owners.filter((one, index) => one !== owners[index - 1]);
    expect(passes.length).toBeGreaterThan(0);
    expect(new Set(passes).size).toBe(passes.length);
  });
});
