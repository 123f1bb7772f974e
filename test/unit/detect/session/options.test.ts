import { describe, expect, test } from 'vitest';
import { limitsOf } from '../../../../src/core/rules/limits';
import { presetOptions } from '../../../../src/core/rules/options';
import { repeatingOutcome } from '../../../../src/core/rules/cards/repeating-outcome';
import { optionProblems, resolveOptions } from '../../../../src/detect/session/options';
import { DETECTOR_IDS, PRESETS, type Preset } from '../../../../src/core/model';

const { few_distinct: FEW } = repeatingOutcome.rules;

test('hints are off in patient, all others are on everywhere', () => {
  for (const id of DETECTOR_IDS) {
    expect(presetOptions(id, 'balanced').on).toBe(true);
    expect(presetOptions(id, 'patient').on).toBe(id !== 'premature_action' && id !== 'over_helpfulness');
  }
});

describe('settings of the user', () => {
  const resolve = (detectors: unknown, preset: Preset = 'balanced') => resolveOptions({ preset, detectors });

  test('take precedence over the preset, and those for one agent over both', () => {
    const detectors = {
      repeating_action: { warn: 5, stuck: 7, window: 30 },
      agents: { codex: { repeating_action: { stuck: 9 }, cycle: 'eager' } },
    };
    const choices = { preset: 'balanced' as const, detectors };
    expect(resolveOptions(choices).repeating_action).toMatchObject({ warn: 5, stuck: 7, window: 30, on: true });
    expect(resolveOptions(choices, 'codex').repeating_action).toMatchObject({ warn: 5, stuck: 9, window: 30 });
    expect(resolveOptions(choices, 'codex').cycle).toEqual(presetOptions('cycle', 'eager'));
    expect(resolveOptions(choices, 'gemini-cli').cycle).toEqual(presetOptions('cycle', 'balanced'));
  });

  test('switch a rule off by a word, and on again by a preset or by numbers', () => {
    expect(resolve({ cycle: 'off' }).cycle.on).toBe(false);
    const agents = { codex: { cycle: { stuck: 6 }, stall: 'patient' } };
    const codex = resolveOptions({ preset: 'balanced', detectors: { cycle: 'off', stall: 'off', agents } }, 'codex');
    expect(codex.cycle).toMatchObject({ on: true, stuck: 6 });
    expect(codex.stall).toEqual(presetOptions('stall', 'patient'));
    expect(resolve({ premature_action: 'balanced' }, 'patient').premature_action.on).toBe(true);
  });

  test('that name a preset take all its numbers, including those of further shapes', () => {
    for (const preset of PRESETS) {
      const { repeating_outcome } = resolve({ repeating_outcome: preset });
      expect(repeating_outcome).toEqual(presetOptions('repeating_outcome', preset));
      expect(limitsOf(FEW.shape, repeating_outcome)).toMatchObject({
        warn: FEW.shape.limits[preset].warn,
        stuck: FEW.shape.limits[preset].stuck,
      });
    }
  });

  test('with numbers of their own keep no further shape below them, and make it as patient as they are', () => {
    const few = (numbers: object) => limitsOf(FEW.shape, resolve({ repeating_outcome: numbers }).repeating_outcome);
    expect(few({ warn: 20, stuck: 30 })).toEqual({ warn: 20, stuck: 30 });
    expect(few({ stuck: 6 })).toEqual({ warn: 10, stuck: 14 });
    expect(few({ stuck: 3 })).toEqual({ warn: 5, stuck: 7 });
    expect(few({ window: 30 })).toEqual({ warn: 7, stuck: 10 });
  });

  test('above the limits of patient widen the window, which could not hold that many repeats', () => {
    expect(resolve({ repeating_outcome: { stuck: 6 } }).repeating_outcome.window).toBe(20);
    expect(resolve({ repeating_outcome: { stuck: 60 } }).repeating_outcome.window).toBe(200);
    expect(resolve({ repeating_outcome: { stuck: 60, window: 70 } }).repeating_outcome.window).toBe(70);
  });

  test('of one threshold alone move the other out of its way', () => {
    expect(resolve({ cycle: { warn: 9 } }).cycle).toMatchObject({ warn: 9, stuck: 9 });
    expect(resolve({ cycle: { stuck: 2 } }).cycle).toMatchObject({ warn: 2, stuck: 2 });
    expect(resolve({ cycle: { warn: 9, stuck: 2 } }).cycle).toMatchObject({ warn: 2, stuck: 2 });
  });

  test('have three limits for silence: of the model, of a tool, of a build', () => {
    const { stall } = resolve({ stall: { model: 7, tool: 3 } });
    expect(stall).toMatchObject({ warn: 7, stuck: Number.POSITIVE_INFINITY, numbers: { tool: 3, build: 20 } });
  });

  test('limit a session by budgets, and none is set by default', () => {
    expect(resolve({}).max_runtime.budgets).toEqual({});
    const budgets = { hours: 4, calls: 500, tokens: 0, cost: 'much', days: 3 };
    const { max_runtime } = resolveOptions({ preset: 'balanced', detectors: {}, budgets });
    expect(max_runtime.budgets).toEqual({ hours: 4, calls: 500 });
  });

  test('that are bad are left out, and named', () => {
    const detectors = {
      cycle: { warn: -1, stuck: Number.NaN, window: 0, wran: 3 },
      nonsense: {},
      stall: 3,
      text_loop: false,
      action_error_alternation: { warn: 3 },
      gate_blocked: { window: 4 },
      agents: { codex: { foo: 1 }, nobody: {}, droid: 3 },
    };
    const { cycle, text_loop } = resolve(detectors);
    expect(cycle).toEqual(presetOptions('cycle', 'balanced'));
    expect(text_loop).toEqual(presetOptions('text_loop', 'balanced'));
    expect(optionProblems({ detectors, budgets: { calls: -1, day: 1 } })).toEqual([
      'detectors.cycle.warn: not a number above 0',
      'detectors.cycle.stuck: not a number above 0',
      'detectors.cycle.window: not a number above 0',
      'detectors.cycle.wran: no such option; it has warn, stuck, window',
      'detectors.nonsense: no detector has this id',
      'detectors.stall: not one of off, eager, balanced, patient, and no object of numbers',
      'detectors.text_loop: not one of off, eager, balanced, patient, and no object of numbers',
      'detectors.action_error_alternation: it is a part of cycle; set that one instead',
      'detectors.gate_blocked.window: no such option; it has warn, stuck',
      'detectors.agents.codex.foo: no detector has this id',
      'detectors.agents.nobody: no agent has this id',
      'detectors.agents.droid is not an object',
      'budgets.calls: not a number above 0',
      'budgets.day: there is no such budget',
    ]);
  });

  test.each<[unknown, string[]]>([
    [undefined, []],
    [null, []],
    [3, ['detectors is not an object']],
    [{ agents: 3 }, ['detectors.agents is not an object']],
    [{ agents: { codex: {} } }, []],
  ])('that are not objects are named: %j', (detectors, problems) => {
    expect(optionProblems({ detectors })).toEqual(problems);
    expect(resolve(detectors).cycle).toEqual(presetOptions('cycle', 'balanced'));
  });
});
