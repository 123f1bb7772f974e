import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../../src/detect/session/options';
import { DETECTOR_IDS, type DetectorId, type Incident, type NearMiss } from '../../../../src/core/model';
import { rulesMessage } from '../../../../src/editor/panel-model/build-rules';
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
) {
  return rulesMessage({
    view: { ...agentView('s', {}, { agent: 'codex', agentName: 'Codex CLI' }), nearMisses, incidents },
    incidents: [...earlier, ...incidents],
    options: resolveOptions({ preset: 'balanced', detectors: settings }, 'codex'),
    said: [{ detector: 'cycle', subject: 'make' }],
    means: () => ({ isOwn: false, canBeLess: true, canBeMore: true }),
    notice: '',
    past: null,
    days: 7,
  });
}

describe('the page of rules of one agent', () => {
  it('has a row for each rule that can be set, with its limits', () => {
    const { rows } = message([]);
    expect(rows.length).toBeGreaterThan(15);
    expect(rows.length).toBeLessThanOrEqual(DETECTOR_IDS.length);
    expect(rows.find(({ detector }) => detector === 'repeating_outcome')).toMatchObject({
      name: 'Same result, interleaved',
      on: true,
      limits: 'warns at 3, stuck at 4',
      counts: 'steps with the same result',
      reached: '',
    });
  });

  it('shows the limits of a rule that is off, so that one sees what turning it on means', () => {
    const { rows } = message([], { agents: { codex: { cycle: 'off' } } });
    expect(rows.find(({ detector }) => detector === 'cycle')).toMatchObject({
      on: false,
      limits: 'warns at 2, stuck at 3',
    });
  });

  it('puts first what holds the agent, then what came nearest, with what held it back', () => {
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
    expect(rows[1]).toMatchObject({ reached: '2 of 3', said: 'You said 1 time that it was wrong here: make' });
    expect(rows[2]?.reached).toBe('4 of 10 min');
    expect(rows[3]?.heldBackBy).toBe('It is a poll');
    expect(rows.find(({ detector }) => detector === 'monologue')?.reached).toBe('');
  });

  it('says of a rule that held the agent earlier what it found: it came more than near', () => {
    const { rows } = message([near('cycle', 2, 3)], {}, [], [incident({ detector: 'text_loop' })]);
    expect(rows[0]).toMatchObject({ detector: 'text_loop', isOpen: false, reached: '' });
    expect(rows[0]?.incident).not.toBe('');
    expect(rows[1]?.detector).toBe('cycle');
  });

  it('shows hidden characters of a call as signs', () => {
    expect(message([near('cycle', 2, 3)]).rows[0]?.nearest).not.toContain('\u202e');
  });
});

describe('what the page asks for', () => {
  it('is checked: a rule and a change that there are', () => {
    expect(parseRulesIntent({ type: 'change', detector: 'cycle', change: 'less' })).not.toBeNull();
    expect(parseRulesIntent({ type: 'ready' })).toEqual({ type: 'ready' });
    expect(parseRulesIntent({ type: 'change', detector: '__proto__', change: 'less' })).toBeNull();
    expect(parseRulesIntent({ type: 'change', detector: 'cycle', change: 'delete' })).toBeNull();
  });
});
