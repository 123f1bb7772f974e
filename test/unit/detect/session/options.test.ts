import { describe, expect, test } from 'vitest';
import { presetOptions } from '../../../../src/core/rules/options';
import { optionProblems, resolveOptions } from '../../../../src/detect/session/options';
import { DETECTOR_IDS, type DetectorId } from '../../../../src/core/model';

test('hints are off in patient, all others are on everywhere', () => {
  for (const id of DETECTOR_IDS) {
    expect(presetOptions(id, 'balanced').on).toBe(true);
    expect(presetOptions(id, 'patient').on).toBe(id !== 'premature_action' && id !== 'over_helpfulness');
  }
});

describe('settings of the user', () => {
  test('go before the preset, an agent of its own before both', () => {
    const settings = {
      repeating_action: { warn: 5, stuck: 7, window: 30, waitWarn: 40 },
      agents: { codex: { repeating_action: { stuck: 9 } } },
    };
    expect(resolveOptions('balanced', settings).repeating_action).toMatchObject({
      warn: 5,
      stuck: 7,
      window: 30,
      on: true,
    });
    expect(resolveOptions('balanced', settings).repeating_action.extra.waitWarn).toBe(40);
    expect(resolveOptions('balanced', settings, 'codex').repeating_action).toMatchObject({ warn: 5, stuck: 9 });
    expect(resolveOptions('balanced', settings, 'codex').cycle).toEqual(presetOptions('cycle', 'balanced'));
  });

  test('of 0.1.0 that name what is gone get a clear word each, and the rest of them holds', () => {
    const settings = {
      action_error_alternation: { warn: 3, stuck: 5 },
      repeating_action: { warn: 5, stuck: 7, pollWarn: 40, pollStuck: 60 },
      repeating_outcome: { window: 30, churnWarn: 5, churnStuck: 8, knownWarn: 9, knownStuck: 12 },
      cycle: { pollMinutes: 5, longestPeriod: 8 },
      known_outcomes: false,
      agents: { codex: { repeating_action: { pollWarn: 30 }, argument_churn: { warn: 3 } } },
    };
    expect(optionProblems(settings)).toEqual([
      'action_error_alternation: it is a part of cycle now; set that one instead',
      'repeating_action.pollWarn: it is called waitWarn now',
      'repeating_action.pollStuck: it is called waitStuck now',
      'repeating_outcome.churnWarn: the rule that it set is gone',
      'repeating_outcome.churnStuck: the rule that it set is gone',
      'repeating_outcome.knownWarn: the rule that it set is gone',
      'repeating_outcome.knownStuck: the rule that it set is gone',
      'cycle.pollMinutes: it is called waitMinutes now',
      'known_outcomes: this rule is gone',
      'agents.codex.repeating_action.pollWarn: it is called waitWarn now',
      'agents.codex.argument_churn: this rule is gone',
    ]);
    const { repeating_action, repeating_outcome, cycle } = resolveOptions('balanced', settings);
    const preset = (id: DetectorId) => presetOptions(id, 'balanced');
    expect(repeating_action).toEqual({ ...preset('repeating_action'), warn: 5, stuck: 7 });
    expect(repeating_outcome).toEqual({ ...preset('repeating_outcome'), window: 30 });
    expect(cycle).toEqual({ ...preset('cycle'), extra: { ...preset('cycle').extra, longestPeriod: 8 } });
  });

  test('switch a detector off, by object or by a word', () => {
    expect(resolveOptions('balanced', { cycle: false }).cycle.on).toBe(false);
    expect(resolveOptions('balanced', { cycle: { on: false } }).cycle.on).toBe(false);
    expect(resolveOptions('patient', { premature_action: true }).premature_action.on).toBe(true);
  });

  test('one threshold alone moves the other out of its way', () => {
    expect(resolveOptions('balanced', { cycle: { warn: 9 } }).cycle).toMatchObject({ warn: 9, stuck: 9 });
    expect(resolveOptions('balanced', { cycle: { stuck: 2 } }).cycle).toMatchObject({ warn: 2, stuck: 2 });
    expect(resolveOptions('balanced', { cycle: { warn: 9, stuck: 2 } }).cycle).toMatchObject({ warn: 2, stuck: 2 });
  });

  test('what never becomes stuck stays so', () => {
    expect(resolveOptions('balanced', { stall: { stuck: 3 } }).stall.stuck).toBe(Number.POSITIVE_INFINITY);
  });

  test('numbers may come as text, as from the command line', () => {
    expect(resolveOptions('balanced', { cycle: { warn: '4', stuck: '5' } }).cycle).toMatchObject({ warn: 4, stuck: 5 });
  });

  test('bad values are left out and told of', () => {
    const settings = {
      cycle: { warn: -1, stuck: Number.NaN, window: 0, wran: 3, on: 'maybe' },
      nonsense: {},
      stall: 3,
      agents: { codex: { foo: 1 } },
    };
    expect(resolveOptions('balanced', settings).cycle).toEqual(presetOptions('cycle', 'balanced'));
    expect(optionProblems(settings)).toEqual([
      'cycle.warn: not a number above 0',
      'cycle.stuck: not a number above 0',
      'cycle.window: not a number above 0',
      'cycle.wran: no such option',
      'cycle.on: neither true nor false',
      'nonsense: no detector has this id',
      'stall is not an object',
      'agents.codex.foo: no detector has this id',
    ]);
  });

  test('switches may come as text, as from the command line', () => {
    const on = (value: unknown) => resolveOptions('patient', { premature_action: { on: value } }).premature_action.on;
    expect([true, 'true', false, 'false', 'yes', 1].map(on)).toEqual([true, true, false, false, false, false]);
    const problems = (value: unknown) => optionProblems({ cycle: { on: value } });
    expect([true, 'true', false, 'false'].flatMap(problems)).toEqual([]);
    expect(['yes', 1, null].flatMap(problems)).toHaveLength(3);
  });

  test('numbers that are written with space are numbers, and space alone is none', () => {
    expect(resolveOptions('balanced', { cycle: { warn: ' 4 ', stuck: ' ', window: {} } }).cycle).toEqual({
      ...presetOptions('cycle', 'balanced'),
      warn: 4,
      stuck: 4,
    });
    expect(optionProblems({ cycle: { stuck: ' ', warn: {} } })).toHaveLength(2);
  });

  test.each<[unknown, string[]]>([
    [undefined, []],
    [null, []],
    [3, ['unstuck.detectors is not an object']],
    [{ agents: 3 }, ['agents is not an object']],
    [{ agents: { codex: 3 } }, ['agents.codex is not an object']],
    [{ agents: { codex: {} } }, []],
  ])('say what of them is no object: %j', (settings, problems) => {
    expect(optionProblems(settings)).toEqual(problems);
  });

  test.each([[null], [undefined], [3], ['x'], [[]]])('settings that are no object: %s', (settings) => {
    expect(resolveOptions('balanced', settings).cycle).toEqual(presetOptions('cycle', 'balanced'));
  });
});
