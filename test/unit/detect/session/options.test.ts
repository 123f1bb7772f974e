import { describe, expect, test } from 'vitest';
import { notifiesOf, presetOptions } from '../../../../src/detect/session/defaults';
import { optionProblems, resolveOptions } from '../../../../src/detect/session/options';
import { DETECTOR_IDS, type DetectorId, type Preset } from '../../../../src/model';

const NEVER = Number.POSITIVE_INFINITY;

/** PROTOCOLS.md section 5, as the user reads it: warn and stuck of eager, balanced, patient. */
const TABLE: Readonly<Record<DetectorId, readonly number[]>> = {
  repeating_action: [2, 3, 3, 4, 5, 6],
  repeating_outcome: [2, 3, 3, 4, 5, 6],
  action_error_alternation: [2, 2, 2, 3, 3, 4],
  cycle: [2, 3, 3, 4, 4, 6],
  monologue: [3, 4, 4, 5, 6, 8],
  text_loop: [4, 6, 5, 8, 8, 12],
  condensation_loop: [1, 2, 1, 2, 2, 3],
  token_exhaustion: [70, 85, 80, 90, 85, 95],
  stall: [3, NEVER, 5, NEVER, 10, NEVER],
  max_runtime: [120, NEVER, 240, NEVER, 480, NEVER],
  consecutive_failures: [3, 4, 4, 5, 6, 8],
  validation_failure: [2, 3, 2, 3, 4, 5],
  oversized_response: [100_000, NEVER, 200_000, NEVER, 400_000, NEVER],
  gate_blocked: [1, 2, 1, 3, 2, 4],
  premature_action: [1, NEVER, 1, NEVER, 1, NEVER],
  over_helpfulness: [1, NEVER, 1, NEVER, 1, NEVER],
  context_pollution: [1, 2, 1, 2, 2, 3],
  rate_limited: [2, NEVER, 3, NEVER, 5, NEVER],
};

test.each(DETECTOR_IDS.map((id) => [id]))('%s has the thresholds of the table', (id) => {
  const row = (['eager', 'balanced', 'patient'] as Preset[]).flatMap((preset) => {
    const { warn, stuck } = presetOptions(id, preset);
    return [warn, stuck];
  });
  expect(row).toEqual(TABLE[id]);
});

test('hints are off in patient, all others are on everywhere', () => {
  for (const id of DETECTOR_IDS) {
    expect(presetOptions(id, 'balanced').on).toBe(true);
    expect(presetOptions(id, 'patient').on).toBe(id !== 'premature_action' && id !== 'over_helpfulness');
  }
});

test('which alerts may notify', () => {
  expect(notifiesOf('cycle')).toBe('at_stuck');
  expect(notifiesOf('stall')).toBe('never');
  expect(notifiesOf('gate_blocked')).toBe('first_block_and_stuck');
});

describe('settings of the user', () => {
  test('go before the preset, an agent of its own before both', () => {
    const settings = {
      repeating_action: { warn: 5, stuck: 7, window: 30, pollWarn: 40 },
      agents: { codex: { repeating_action: { stuck: 9 } } },
    };
    expect(resolveOptions('balanced', settings).repeating_action).toMatchObject({
      warn: 5,
      stuck: 7,
      window: 30,
      on: true,
    });
    expect(resolveOptions('balanced', settings).repeating_action.extra.pollWarn).toBe(40);
    expect(resolveOptions('balanced', settings, 'codex').repeating_action).toMatchObject({ warn: 5, stuck: 9 });
    expect(resolveOptions('balanced', settings, 'codex').cycle).toEqual(presetOptions('cycle', 'balanced'));
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
    expect(resolveOptions('balanced', { stall: { stuck: 3 } }).stall.stuck).toBe(NEVER);
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

  test.each([[null], [undefined], [3], ['x'], [[]]])('settings that are no object: %s', (settings) => {
    expect(resolveOptions('balanced', settings).cycle).toEqual(presetOptions('cycle', 'balanced'));
  });
});
