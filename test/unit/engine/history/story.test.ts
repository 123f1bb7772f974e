import { describe, expect, it } from 'vitest';
import { storyOf } from '../../../../src/engine/history/story';
import { prepareEvent } from '../../../../src/history/prepare';
import type { NewStoreEvent } from '../../../../src/history/types';
import type { Incident } from '../../../../src/core/model';
import { MINUTE, T0, attempt, incident, recovered } from '../../history/support/incidents';

const told = (now: Incident, before: Incident | null) =>
  storyOf(now, before).map(({ type, t, data }) => [type, t - T0, data] as const);

describe('what the event log says about an incident', () => {
  it('is what was observed, when it was raised and when it became graver', () => {
    const warned = incident({ level: 'warn', stuckAt: null, count: 3 });
    const stuck = incident({ ...warned, level: 'stuck', stuckAt: T0 + 10 * MINUTE, count: 4 });
    expect(told(warned, null)).toEqual([
      [
        'StuckObservation',
        8 * MINUTE,
        expect.objectContaining({ heuristic: 'repeating_action', level: 'warn', count: 3 }),
      ],
    ]);
    const [[type, at, data] = []] = told(stuck, warned);
    expect([type, at]).toEqual(['StuckObservation', 10 * MINUTE]);
    expect(data).toEqual({
      heuristic: 'repeating_action',
      rule: null,
      level: 'stuck',
      count: 4,
      confidence: 0.93,
      certainty: 'counted',
      reason: 'repetition_loop',
      why: stuck.why,
      evidence: [
        { line: 88, call: 'pytest -q', text: '1 failed, 3 passed: test_add' },
        { line: 93, call: 'pytest -q', text: '1 failed, 3 passed: test_add' },
        { line: 95, call: 'pytest -q', text: '1 failed, 3 passed: test_add' },
      ],
      suggestion: stuck.suggestion,
    });
    expect(told({ ...stuck, count: 9 }, stuck)).toEqual([]);
  });

  it('is the same event if another reading of the session dates the incident some milliseconds differently', () => {
    const idsOf = (now: Incident) => storyOf(now, null).map((event) => prepareEvent(event).id);
    const live = recovered({ attempts: [attempt({ state: 'acted' })] });
    const again = { ...live, openedAt: live.openedAt - 9, resolvedAt: (live.resolvedAt ?? 0) + 4_000 };
    expect(idsOf(live)).toHaveLength(3);
    expect(idsOf(again)).toEqual(idsOf(live));
  });

  it('is each step of a message, whose turn it is, and how it ended', () => {
    const stuck = incident();
    const queued = incident({ ...stuck, state: 'nudged', attempts: [attempt({ rung: 'feedback' })] });
    const taken = { ...queued, attempts: [attempt({ rung: 'feedback', state: 'taken', takenAt: T0 + 12 * MINUTE })] };
    const asks = { ...taken, state: 'escalated', updatedAt: T0 + 13 * MINUTE } as const;
    const over = { ...asks, ...recovered(), id: stuck.id, attempts: asks.attempts };
    expect(told(queued, stuck)).toEqual([
      [
        'Delivery',
        11 * MINUTE,
        {
          message: '01JDMESSAGE',
          kind: 'nudge',
          state: 'queued',
          automated: false,
          attempt: 1,
          rung: 'feedback',
          knownAt: queued.updatedAt,
        },
      ],
    ]);
    expect(told(taken, queued)).toMatchObject([['Delivery', 12 * MINUTE, { state: 'taken' }]]);
    expect(told(asks, taken)).toEqual([
      ['Escalation', 13 * MINUTE, { heuristic: 'repeating_action', attempts: 1, why: stuck.why }],
    ]);
    expect(told(over, asks)).toEqual([
      [
        'Resolution',
        14 * MINUTE,
        {
          heuristic: 'repeating_action',
          outcome: 'nudge',
          cleared: 'different_result',
          count: 4,
          afterMs: 14 * MINUTE,
          knownAt: over.updatedAt,
        },
      ],
    ]);
    expect(told(over, over)).toEqual([]);
  });

  it('is one event for each state, however often more is learned about it', () => {
    const identities = (now: Incident, before: Incident | null) =>
      storyOf(now, before).map(({ type, identity }) => [type, ...(identity?.words ?? [])]);
    const acted = attempt({ state: 'acted', takenAt: T0 + 12 * MINUTE });
    const stuck = incident({ id: 'A', state: 'nudged', attempts: [acted] });
    const over: Incident = { ...stuck, state: 'unknown', resolvedAt: T0 + 14 * MINUTE, cleared: 'different_result' };
    const freed: Incident = {
      ...over,
      state: 'recovered',
      outcome: 'nudge',
      attempts: [{ ...acted, outcome: 'changed' }],
    };
    expect(identities(over, stuck)).toEqual([['Resolution', 'A', 'resolved', 0]]);
    expect(identities(freed, over)).toEqual([
      ['Delivery', 'A', 'end', '01JDMESSAGE'],
      ['Resolution', 'A', 'resolved', 0],
    ]);
    expect(storyOf(freed, over)[0]?.data).toMatchObject({ state: 'acted', outcome: 'changed' });
    // It came back, and was over again: that is another cycle.
    expect(identities({ ...over, reopened: 1 }, { ...stuck, reopened: 1 })).toEqual([
      ['Resolution', 'A', 'resolved', 1],
    ]);
  });

  it('is one end of a message: a failure gives way to what its transcript shows later', () => {
    const at = T0 + 12 * MINUTE;
    const told = (state: 'failed' | 'acted') =>
      storyOf(
        incident({ id: 'A', updatedAt: at, attempts: [attempt({ at, state, takenAt: at })] }),
        incident({ id: 'A', updatedAt: at }),
      )[0] as NewStoreEvent;
    expect(prepareEvent(told('acted')).id).toBe(prepareEvent(told('failed')).id);
  });

  it('puts the steps of a message that was taken and acted on at the same moment in their order', () => {
    const at = T0 + 12 * MINUTE;
    const states = ['queued', 'taken', 'seen', 'acted'] as const;
    const events = states.map((state) => {
      const one = attempt({ at, state, takenAt: at });
      const [told] = storyOf(
        incident({ id: 'A', updatedAt: at, attempts: [one] }),
        incident({ id: 'A', updatedAt: at }),
      );
      return prepareEvent(told as NewStoreEvent);
    });
    const inLog = [...events].sort((a, b) => a.t - b.t || (a.id < b.id ? -1 : 1));
    expect(inLog.map(({ data }) => data['state'])).toEqual(states);
  });

  it('is the same for every window that reads the transcript', () => {
    expect(storyOf(recovered({ id: 'A', key: 'k' }), null)).toEqual(storyOf(recovered({ id: 'A', key: 'k' }), null));
  });
});

it('an incident that was stuck at once is reported at the time when it became so, and its end never before its beginning', () => {
  const stuck = incident({ openedAt: T0 + 8 * MINUTE, stuckAt: T0 + 10 * MINUTE });
  expect(told(stuck, null).map(([type, at]) => [type, at])).toEqual([['StuckObservation', 10 * MINUTE]]);
  const back: Incident = { ...stuck, state: 'ended', cleared: 'session_end', resolvedAt: stuck.firstAt - MINUTE };
  expect(told(back, stuck)).toMatchObject([['Resolution', -MINUTE, { afterMs: 0 }]]);
  const queued = { ...stuck, attempts: [attempt({ at: T0 - MINUTE })], updatedAt: T0 + 20 * MINUTE };
  expect(told(queued, stuck)).toMatchObject([['Delivery', -MINUTE, { state: 'queued' }]]);
});
