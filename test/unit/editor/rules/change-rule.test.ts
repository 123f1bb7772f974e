import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { optionProblems, resolveOptions } from '../../../../src/detect/session/options';
import { DETECTOR_IDS, type DetectorId, type Preset } from '../../../../src/core/model';
import { RULE_CHANGES, type RuleChange } from '../../../../src/editor/panel-model';
import { cardOf } from '../../../../src/core/rules';
import { isOwn, withRule } from '../../../../src/editor/rules/change-rule';

/** The setting after a person clicked these in turn, for Codex sessions. */
function clicked(changes: readonly RuleChange[], detector: DetectorId, from: object = {}, preset: Preset = 'balanced') {
  let settings: Readonly<Record<string, unknown>> = { ...from };
  for (const change of changes) {
    settings = withRule(settings, 'codex', detector, change, resolveOptions(preset, settings, 'codex')[detector]);
  }
  return settings;
}

describe('a rule that a person changes for one kind of agent', () => {
  it('is off for that kind, and as it was for every other', () => {
    const settings = clicked(['off'], 'cycle');
    expect(settings).toEqual({ agents: { codex: { cycle: { on: false } } } });
    expect(resolveOptions('balanced', settings, 'claude-code').cycle.on).toBe(true);
  });

  it('keeps everything else that stands in the setting', () => {
    const before = { stall: false, agents: { codex: { stall: false, cycle: { warn: 7 } }, qwen: { cycle: false } } };
    expect(clicked(['off'], 'cycle', before)).toEqual({
      stall: false,
      agents: { codex: { stall: false, cycle: { warn: 7, on: false } }, qwen: { cycle: false } },
    });
  });

  it('takes the limits of the next preset when it is to be less sensitive, beyond the last one twice as many', () => {
    const limits = (changes: readonly RuleChange[]) => {
      const { warn, stuck, extra } = resolveOptions(
        'balanced',
        clicked(changes, 'repeating_outcome'),
        'codex',
      ).repeating_outcome;
      return [warn, stuck, extra['fewStuck']];
    };
    expect(limits([])).toEqual([3, 4, 10]);
    expect(limits(['less'])).toEqual([5, 6, 14]);
    expect(limits(['less', 'less'])).toEqual([10, 12, 14]);
    expect(limits(['more'])).toEqual([2, 3, 7]);
    expect(limits(['more', 'more'])).toEqual([2, 3, 7]);
  });

  it('goes back to what it was before with Reset, and leaves nothing behind', () => {
    expect(clicked(['less', 'off', 'reset'], 'cycle')).toEqual({});
    expect(clicked(['less', 'reset'], 'cycle', { cycle: { warn: 4 } })).toEqual({ cycle: { warn: 4 } });
    expect(isOwn(clicked(['less'], 'cycle'), 'codex', 'cycle')).toBe(true);
    expect(isOwn({}, 'codex', 'cycle')).toBe(false);
  });

  it('takes what was written as true or false alone for on', () => {
    const settings = clicked(['on'], 'cycle', { agents: { codex: { cycle: false } } });
    expect(resolveOptions('balanced', settings, 'codex').cycle.on).toBe(true);
  });

  it('never harms the setting, whatever stands there and whatever is clicked', () => {
    const rules = DETECTOR_IDS.filter((id) => cardOf(id).foundBy === undefined);
    fc.assert(
      fc.property(
        fc.constantFrom(...rules),
        fc.array(fc.constantFrom(...RULE_CHANGES), { maxLength: 30 }),
        fc.constantFrom<Preset>('eager', 'balanced', 'patient'),
        fc.constantFrom<object>({}, { agents: null }, { agents: { codex: 3 } }, { agents: { codex: { cycle: true } } }),
        (detector, changes, preset, from) => {
          const settings = clicked(changes, detector, from, preset);
          if (Object.keys(from).length === 0) expect(optionProblems(settings)).toEqual([]);
          const now = resolveOptions(preset, settings, 'codex');
          expect(now[detector].warn).toBeLessThanOrEqual(now[detector].stuck);
          if (cardOf(detector).unit === 'percent') expect(now[detector].warn).toBeLessThanOrEqual(100);
          const last = changes.findLast((change) => change === 'on' || change === 'off' || change === 'reset');
          if (last === 'on' || last === 'off') expect(now[detector].on).toBe(last === 'on');
          for (const other of rules.filter((one) => one !== detector && one !== 'cycle'))
            expect(now[other]).toEqual(resolveOptions(preset, {}, 'codex')[other]);
        },
      ),
    );
  });
});
