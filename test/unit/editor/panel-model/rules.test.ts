import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../../src/detect/session/options';
import { DETECTOR_IDS, type DetectorId, type Incident, type NearMiss } from '../../../../src/core/model';
import { presetOptions } from '../../../../src/core/rules/options';
import { type RulesInput, rulesMessage } from '../../../../src/editor/panel-model/build-rules';
import { parseRulesIntent } from '../../../../src/editor/panel-model/rules-intents';
import { incident } from '../../history/support/incidents';
import { agentView } from '../support/views';

function near(detector: DetectorId, reached: number, limit: number, heldBackBy?: string): NearMiss {
  return {
    detector,
    rule: null,
    nearest: 'make\u202e all',
    reached,
    limit,
    at: 0,
    source: null,
    ...(heldBackBy !== undefined && { heldBackBy }),
  };
}

function message(
  nearMisses: readonly NearMiss[],
  settings: object = {},
  incidents: readonly Incident[] = [],
  earlier: readonly Incident[] = [],
  past: RulesInput['past'] = null,
  days: number | null = 7,
) {
  return rulesMessage({
    view: { ...agentView('s', {}, { agent: 'codex', agentName: 'Codex CLI' }), nearMisses, incidents },
    incidents: [...earlier, ...incidents],
    options: resolveOptions({ preset: 'balanced', detectors: settings }, 'codex'),
    said: [{ detector: 'cycle', subject: 'make' }],
    means: () => ({ isOwn: false, canBeLess: true, canBeMore: true }),
    notice: '',
    past,
    days,
  });
}

/** Limits of the preset `balanced`. */
const limitsOf = (detector: DetectorId): string => {
  const { warn, stuck } = presetOptions(detector, 'balanced');
  return `warns at ${warn}, stuck at ${stuck}`;
};

describe('the page of rules of one agent', () => {
  it('has a row for each rule that can be set, with its limits', () => {
    const { rows } = message([]);
    expect(rows.length).toBeGreaterThan(15);
    expect(rows.length).toBeLessThanOrEqual(DETECTOR_IDS.length);
    expect(rows.find(({ detector }) => detector === 'repeating_outcome')).toMatchObject({
      name: 'Same result again',
      on: true,
      limits: limitsOf('repeating_outcome'),
      counts: 'steps with the same result',
      reached: '',
    });
  });

  it('shows the limits of a rule that is off, so that one sees what turning it on means', () => {
    const { rows } = message([], { agents: { codex: { cycle: 'off' } } });
    expect(rows.find(({ detector }) => detector === 'cycle')).toMatchObject({
      on: false,
      limits: limitsOf('cycle'),
    });
  });

  it('puts the rule that holds the agent first, then the nearest ones, with what held them back', () => {
    const { rows } = message(
      [
        near('stall', 4, 10),
        near('cycle', 2, 3),
        near('repeating_action', 0, 4, 'It is a poll'),
        near('monologue', 1, 9),
      ],
      {},
      [incident({ detector: 'text_loop' })],
    );
    expect(rows.slice(0, 4).map(({ detector }) => detector)).toEqual([
      'text_loop',
      'cycle',
      'stall',
      'repeating_action',
    ]);
    expect(rows[0]?.incident).not.toBe('');
    expect(rows[1]).toMatchObject({ reached: '2 of 3', said: 'You marked it as wrong here once: make' });
    expect(rows[2]?.reached).toBe('4 of 10 min');
    expect(rows[3]?.heldBackBy).toBe('It is a poll');
    expect(rows.find(({ detector }) => detector === 'monologue')?.reached).toBe('');
  });

  it('says what a rule found earlier: that is more than a near miss', () => {
    const { rows } = message([near('cycle', 2, 3)], {}, [], [incident({ detector: 'text_loop' })]);
    expect(rows[0]).toMatchObject({ detector: 'text_loop', isOpen: false, reached: '' });
    expect(rows[0]?.incident).not.toBe('');
    expect(rows[1]?.detector).toBe('cycle');
  });

  it('shows hidden characters of a call as visible ones', () => {
    expect(message([near('cycle', 2, 3)]).rows[0]?.nearest).not.toContain('\u202e');
  });
});

describe('a request of the page', () => {
  it('must name an existing rule and an existing change', () => {
    expect(parseRulesIntent({ type: 'change', detector: 'cycle', change: 'less' })).not.toBeNull();
    expect(parseRulesIntent({ type: 'ready' })).toEqual({ type: 'ready' });
    expect(parseRulesIntent({ type: 'change', detector: '__proto__', change: 'less' })).toBeNull();
    expect(parseRulesIntent({ type: 'change', detector: 'cycle', change: 'delete' })).toBeNull();
  });

  it('says what each preset would have reported, and how far the past has been read', () => {
    const of = (rule: DetectorId) =>
      (['eager', 'balanced', 'patient'] as const).map((preset, at) =>
        rule === 'cycle'
          ? { preset, alarms: 1_200 - at * 600, stuck: at === 1 ? 2 : 0 }
          : { preset, alarms: 0, stuck: 0 },
      );
    const said = (read: number, all: number, days: number | null = 7) => {
      const { past, hasMorePast, rows } = message([], {}, [], [], { read, all, of }, days);
      return { past, hasMorePast, cycle: rows.find(({ detector }) => detector === 'cycle')?.past };
    };
    expect(message([]).past).toBe('Looking for transcripts of the last 7 days…');
    expect(said(0, 12)).toEqual({
      past: 'Reading the last 7 days: 0 of 12 transcripts…',
      hasMorePast: true,
      cycle: '',
    });
    expect(said(12, 12)).toEqual({
      past: 'What each preset would have reported in the last 7 days: 12 transcripts of this folder.',
      hasMorePast: true,
      cycle: 'Last 7 days: eager 1,200, balanced 600 (2 stuck), patient 0',
    });
    expect(said(1, 1, null)).toMatchObject({
      past: 'What each preset would have reported in all history: 1 transcript of this folder.',
      hasMorePast: false,
    });
    const { rows } = message([], {}, [], [], { read: 1, all: 1, of });
    expect(rows.find(({ detector }) => detector === 'stall')?.past).toBe('Last 7 days: no alarm with any preset');
  });
});
