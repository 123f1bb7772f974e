import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { optionProblems, resolveOptions } from '../../../../src/detect/session/options';
import { DETECTOR_IDS, type DetectorId, PRESETS, type Preset } from '../../../../src/core/model';
import { RULE_CHANGES, type RuleChange } from '../../../../src/editor/panel-model';
import { cardOf } from '../../../../src/core/rules';
import { isOwn, withRule } from '../../../../src/editor/rules/change-rule';

type Written = Readonly<Record<string, unknown>>;

/** The setting after a person clicked these in order, for Codex sessions. */
function clicked(
  changes: readonly RuleChange[],
  detector: DetectorId,
  from: Written = {},
  preset: Preset = 'balanced',
) {
  let detectors = from;
  for (const change of changes) detectors = withRule({ agent: 'codex', preset, detectors }, detector, change);
  return detectors;
}

const optionsOf = (detectors: Written, preset: Preset = 'balanced') => resolveOptions({ preset, detectors }, 'codex');
const owns = (detectors: Written) => isOwn({ agent: 'codex', preset: 'balanced', detectors }, 'cycle');

describe('a rule that a person changes for one kind of agent', () => {
  it('is off for that kind, and unchanged for all others', () => {
    const detectors = clicked(['off'], 'cycle');
    expect(detectors).toEqual({ agents: { codex: { cycle: 'off' } } });
    expect(resolveOptions({ preset: 'balanced', detectors }, 'claude-code').cycle.on).toBe(true);
  });

  it('keeps everything else in the setting', () => {
    const before = { stall: 'off', agents: { codex: { stall: 'off', cycle: { warn: 7 } }, qwen: { cycle: 'off' } } };
    expect(clicked(['off'], 'cycle', before)).toEqual({
      stall: 'off',
      agents: { codex: { stall: 'off', cycle: 'off' }, qwen: { cycle: 'off' } },
    });
  });

  it('goes to the next preset when it becomes less sensitive, and doubles the limits beyond the last one', () => {
    const own = (changes: readonly RuleChange[]) => clicked(changes, 'repeating_outcome')['agents'];
    expect(own(['less'])).toEqual({ codex: { repeating_outcome: 'patient' } });
    expect(own(['less', 'less'])).toEqual({ codex: { repeating_outcome: { warn: 10, stuck: 12 } } });
    expect(own(['less', 'less', 'less'])).toEqual({ codex: { repeating_outcome: { warn: 20, stuck: 24 } } });
    expect(own(['less', 'less', 'more'])).toEqual({ codex: { repeating_outcome: 'patient' } });
    expect(own(['more'])).toEqual({ codex: { repeating_outcome: 'eager' } });
    expect(own(['more', 'more'])).toEqual({ codex: { repeating_outcome: 'eager' } });
  });

  it('doubles each limit of a silence', () => {
    expect(clicked(['less', 'less'], 'stall')).toEqual({
      agents: { codex: { stall: { model: 40, tool: 40, build: 80 } } },
    });
  });

  it('is turned on as for other agents or, if it is off there too, with a preset that has it', () => {
    expect(clicked(['off', 'on'], 'cycle')).toEqual({});
    expect(optionsOf(clicked(['on'], 'cycle', { cycle: 'off' })).cycle.on).toBe(true);
    expect(clicked(['on'], 'premature_action', {}, 'patient')).toEqual({
      agents: { codex: { premature_action: 'balanced' } },
    });
  });

  it('returns to its previous state with Reset, and leaves nothing behind', () => {
    expect(clicked(['less', 'off', 'reset'], 'cycle')).toEqual({});
    expect(clicked(['less', 'reset'], 'cycle', { cycle: { warn: 4 } })).toEqual({ cycle: { warn: 4 } });
    expect(owns(clicked(['less'], 'cycle'))).toBe(true);
    expect(owns({})).toBe(false);
  });

  it('never damages the setting, whatever it contains and whatever is clicked', () => {
    const rules = DETECTOR_IDS.filter((id) => cardOf(id).foundBy === undefined);
    fc.assert(
      fc.property(
        fc.constantFrom(...rules),
        fc.array(fc.constantFrom(...RULE_CHANGES), { maxLength: 30 }),
        fc.constantFrom(...PRESETS),
        fc.constantFrom<Written>(
          {},
          { agents: null },
          { agents: { codex: 3 } },
          { agents: { codex: { cycle: 'off' } } },
        ),
        (detector, changes, preset, from) => {
          const detectors = clicked(changes, detector, from, preset);
          if (Object.keys(from).length === 0) expect(optionProblems({ detectors })).toEqual([]);
          const now = optionsOf(detectors, preset);
          expect(now[detector].warn).toBeLessThanOrEqual(now[detector].stuck);
          if (cardOf(detector).unit === 'percent') expect(now[detector].warn).toBeLessThanOrEqual(100);
          const last = changes.findLast((change) => change === 'on' || change === 'off' || change === 'reset');
          if (changes.at(-1) === last && (last === 'on' || last === 'off'))
            expect(now[detector].on).toBe(last === 'on');
          for (const other of rules.filter((one) => one !== detector && one !== 'cycle'))
            expect(now[other]).toEqual(optionsOf({}, preset)[other]);
        },
      ),
    );
  });
});
