import { describe, expect, it } from 'vitest';
import { currentForm } from '../../../../src/editor/rules/former';
import { optionProblems } from '../../../../src/detect/session/options';

describe('settings of rules that 0.1.0 stored', () => {
  it('are rewritten, and those without a current setting are named', () => {
    const former = {
      cycle: false,
      stall: { on: true, warn: 6, tool: 12, asked: 90 },
      premature_action: true,
      repeating_outcome: { warn: 5, stuck: 7, window: 30, pollWarn: 40, fewStuck: 12 },
      max_runtime: { warn: 120, turn: 45, calls: 500, cost: 0 },
      known_outcomes: false,
      agents: { codex: { text_loop: { on: false, warn: 4 }, repeating_action: { stuck: 6 } }, goose: {} },
    };
    const current = currentForm(former, undefined);
    expect(current).toEqual({
      detectors: {
        cycle: 'off',
        stall: { model: 6, tool: 12 },
        premature_action: 'balanced',
        repeating_outcome: { warn: 5, stuck: 7, window: 30 },
        max_runtime: { turn: 45 },
        agents: { codex: { text_loop: 'off', repeating_action: { stuck: 6 } } },
      },
      budgets: { hours: 2, calls: 500 },
      lost: ['stall.asked', 'repeating_outcome.pollWarn', 'repeating_outcome.fewStuck', 'known_outcomes'],
    });
    expect(optionProblems({ detectors: current?.detectors, budgets: current?.budgets })).toEqual([]);
  });

  it('are read once: the rewritten ones are not read again', () => {
    const current = currentForm({ max_runtime: { warn: 60 }, stall: { warn: 5 }, cycle: { on: true } }, { calls: 9 });
    expect(current).toMatchObject({ budgets: { hours: 1, calls: 9 }, lost: [] });
    expect(currentForm(current?.detectors, current?.budgets)).toBeNull();
  });

  it('keep what a person may have mistyped, and a rule that this version does not know', () => {
    const written = { repeatig_action: 'off', rule_of_tomorrow: { warn: 2 }, cycle: { stuk: 4 } };
    expect(currentForm(written, undefined)).toBeNull();
    expect(currentForm({ ...written, stall: false }, undefined)).toEqual({
      detectors: { ...written, stall: 'off' },
      budgets: null,
      lost: [],
    });
  });

  it('leave nothing behind if they contained nothing else', () => {
    expect(currentForm({ repeating_action: { waitWarn: 12 } }, undefined)).toEqual({
      detectors: undefined,
      budgets: null,
      lost: ['repeating_action.waitWarn'],
    });
  });

  it.each([
    [undefined],
    [{}],
    [{ cycle: 'off', agents: { codex: { stall: { model: 4 } } } }],
    ['rules'],
    [{ agents: {} }],
  ])('are left alone if nothing in them has a former form: %j', (detectors) => {
    expect(currentForm(detectors, undefined)).toBeNull();
  });
});
