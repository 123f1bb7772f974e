import { describe, expect, it } from 'vitest';
import type { Incident, IncidentState, MessageKind, RecoveryAttempt } from '../../../../src/core/model';
import { toStored, mergeStored, shownIncident } from '../../../../src/history/contents/merge';
import type { StoredIncident, Mute } from '../../../../src/history/journal/records';
import { MINUTE, T0, attempt, incident } from '../support/make';

const base = incident({ id: 'A' });

function kept(changes: Partial<Incident> = {}, stateAt = T0, mute: Mute | null = null): StoredIncident {
  return { incident: { ...base, ...changes }, stateAt, mute };
}

/** Joins the two, and checks that the result does not depend on which comes first. */
function join(a: StoredIncident, b: StoredIncident): StoredIncident {
  const joined = mergeStored(a, b);
  expect(mergeStored(b, a)).toEqual(joined);
  return joined;
}

describe('the state of an incident is that', () => {
  it('which was entered last, with everything that belongs to it', () => {
    const over = kept(
      { state: 'recovered', resolvedAt: T0 + 9, resolvedLine: 120, cleared: 'success', outcome: 'nudge' },
      T0 + 9,
    );
    const { incident: joined, stateAt } = join(kept({ state: 'nudged' }, T0 + 8), over);
    expect(stateAt).toBe(T0 + 9);
    expect(joined).toMatchObject({
      state: 'recovered',
      resolvedAt: T0 + 9,
      resolvedLine: 120,
      cleared: 'success',
      outcome: 'nudge',
    });
    expect(join(kept({ state: 'open' }, T0 + 10), over).incident).toMatchObject({ state: 'open', resolvedAt: null });
  });

  it('of the window that does not only say "muted"', () => {
    expect(join(kept({ state: 'muted' }, T0 + 99), kept({ state: 'escalated' }, T0)).incident.state).toBe('escalated');
  });

  it('which is more advanced, if two were entered at the same moment', () => {
    const order: readonly IncidentState[] = ['open', 'nudged', 'escalated', 'unknown', 'ended', 'recovered'];
    for (const [i, state] of order.entries())
      for (const later of order.slice(i + 1))
        expect(join(kept({ state }), kept({ state: later })).incident.state).toBe(later);
  });

  it.each<[string, Partial<Incident>, Partial<Incident>]>([
    ['later resolution', { resolvedAt: T0 + 2 }, { resolvedAt: T0 + 1 }],
    ['known resolution', { resolvedAt: T0 }, { resolvedAt: null }],
    ['later line', { resolvedLine: 8 }, { resolvedLine: 7 }],
    ['known line', { resolvedLine: 0 }, { resolvedLine: null }],
    ['word of a person before a restart', { outcome: 'not_stuck' }, { outcome: 'restart' }],
    ['restart before a nudge', { outcome: 'restart' }, { outcome: 'nudge' }],
    ['nudge before a block', { outcome: 'nudge' }, { outcome: 'block' }],
    ['block before a gate', { outcome: 'block' }, { outcome: 'gate' }],
    ['gate before a person', { outcome: 'gate' }, { outcome: 'user' }],
    ['person before nobody', { outcome: 'user' }, { outcome: 'by_itself' }],
    ['any outcome', { outcome: 'by_itself' }, { outcome: null }],
    ['any reason', { cleared: 'success' }, { cleared: null }],
    ['reason by its name', { cleared: 'turn_end' }, { cleared: 'success' }],
  ])('with the %s, if two windows have the same state', (_, wins, loses) => {
    const state = { state: 'unknown', resolvedAt: T0, resolvedLine: 5, outcome: null, cleared: null } as const;
    expect(join(kept({ ...state, ...wins }), kept({ ...state, ...loses })).incident).toMatchObject(wins);
  });
});

describe('the account of an incident is that', () => {
  it.each<[string, Partial<Incident>, Partial<Incident>]>([
    ['came back more often', { reopened: 1, updatedAt: T0 }, { reopened: 0, updatedAt: T0 + 9, count: 99 }],
    ['was updated last', { updatedAt: T0 + 9, count: 1 }, { updatedAt: T0 + 8, count: 99 }],
    ['counted more', { count: 5 }, { count: 4 }],
  ])('which %s', (_, wins, loses) => {
    const { incident: joined } = join(kept({ ...wins, why: 'a' }), kept({ ...loses, why: 'z' }));
    expect(joined).toMatchObject({ ...wins, why: 'a' });
  });

  it.each<Partial<Incident>>([
    { detector: 'token_exhaustion' },
    { rule: 'outage' },
    { reason: 'text_loop' },
    { exhaustion: 'tokens' },
    { certainty: 'guessed' },
    { confidence: 0.99 },
    { subject: 'z' },
    { why: 'z' },
    { suggestion: 'z' },
    { clears: ['z'] },
    { agentName: 'z' },
    { title: 'z' },
    { file: 'z' },
    { model: 'z' },
    { role: 'z' },
    { folder: 'z' },
    { tokensSinceFirst: 9 },
    { evidence: [] },
    { firstSample: { source: { file: 'f', line: 1, offset: 0 }, at: 1, text: 'z', ignored: [] } },
    { lastSample: { source: { file: 'f', line: 1, offset: 0 }, at: 1, text: 'z', ignored: [] } },
    { pattern: [{ letter: 'A', subject: 'z', steps: [1] }] },
    { situations: ['edited'] },
    { moved: ['z'] },
    { progressed: { at: 1, text: 'z' } },
    { spills: [{ line: 1, file: 'z' }] },
  ])('of the same window, whichever comes first, if the two differ in %j', (difference) => {
    join(kept(difference), kept());
  });
});

describe('the beginning of an incident is the earliest known', () => {
  it('time of its opening, with its id and line', () => {
    const early = kept({ id: 'Z', openedAt: T0 + 1, alertLine: 90 });
    const late = kept({ id: 'B', openedAt: T0 + 2, alertLine: 80 });
    expect(join(early, late).incident).toMatchObject({ id: 'Z', openedAt: T0 + 1, alertLine: 90 });
    const same = kept({ id: 'B', openedAt: T0 + 1, alertLine: 80 });
    expect(join(early, same).incident).toMatchObject({ id: 'B', alertLine: 80 });
    expect(join(kept({ alertLine: 0 }), kept({ alertLine: 93 })).incident.alertLine).toBe(93);
  });

  it('time of its first result', () => {
    const early = kept({ firstAt: T0 + 1, firstLine: 90 });
    expect(join(early, kept({ firstAt: T0 + 2, firstLine: 80 })).incident).toMatchObject({
      firstAt: T0 + 1,
      firstLine: 90,
    });
    expect(join(early, kept({ firstAt: T0 + 1, firstLine: 80 })).incident.firstLine).toBe(80);
    expect(join(early, kept({ firstAt: T0 + 1, firstLine: 0 })).incident.firstLine).toBe(90);
  });

  it('time of being stuck', () => {
    const warned = kept({ level: 'warn', stuckAt: null, stuckLine: null });
    const stuck = kept({ level: 'stuck', stuckAt: T0 + 2, stuckLine: 95 });
    expect(join(warned, stuck).incident).toMatchObject({ level: 'stuck', stuckAt: T0 + 2, stuckLine: 95 });
    expect(join(warned, { ...warned }).incident).toMatchObject({ level: 'warn', stuckAt: null, stuckLine: null });
    expect(join(kept({ stuckAt: T0 + 1, stuckLine: 99 }), stuck).incident).toMatchObject({
      stuckAt: T0 + 1,
      stuckLine: 99,
    });
    expect(join(kept({ stuckAt: T0 + 2, stuckLine: 94 }), stuck).incident.stuckLine).toBe(94);
    expect(join(kept({ stuckAt: T0 + 2, stuckLine: null }), stuck).incident.stuckLine).toBe(95);
  });
});

describe("a person's muting", () => {
  it('is decided by the last word; of two at the same moment, muting counts', () => {
    const on = { on: true, at: T0 + 1 };
    const off = { on: false, at: T0 + 2 };
    expect(join(kept({}, T0, on), kept({}, T0, off)).mute).toEqual(off);
    expect(join(kept({}, T0, on), kept({}, T0, null)).mute).toEqual(on);
    expect(join(kept({}, T0, on), kept({}, T0, { on: false, at: T0 + 1 })).mute).toEqual(on);
    expect(join(kept(), { ...kept() }).mute).toBeNull();
  });

  it('hides the state until the muting ends', () => {
    expect(shownIncident(kept({ state: 'open' }, T0, { on: true, at: T0 })).state).toBe('muted');
    expect(shownIncident(kept({ state: 'muted' }, T0, { on: false, at: T0 })).state).toBe('open');
    expect(shownIncident(kept({ state: 'muted', resolvedAt: T0 }, T0, { on: false, at: T0 })).state).toBe('unknown');
    const open = kept({ state: 'open' }, T0, { on: false, at: T0 });
    expect(shownIncident(open)).toBe(open.incident);
  });

  it('is recorded with the time of the change, once', () => {
    const muted = toStored({ ...base, state: 'muted', updatedAt: T0 + 5 }, kept());
    expect(muted.mute).toEqual({ on: true, at: T0 + 5 });
    expect(toStored({ ...base, state: 'muted', updatedAt: T0 + 6 }, muted).mute).toEqual({ on: true, at: T0 + 5 });
    const unmuted = toStored({ ...base, state: 'open', updatedAt: T0 + 7 }, muted);
    expect(unmuted.mute).toEqual({ on: false, at: T0 + 7 });
    expect(toStored({ ...base, state: 'open', updatedAt: T0 + 8 }, unmuted).mute).toEqual({ on: false, at: T0 + 7 });
    expect(toStored(base, undefined).mute).toBeNull();
  });
});

describe('the time at which a state was entered', () => {
  const updatedAt = T0 + 9 * MINUTE;
  const openedAt = T0 + 8 * MINUTE;

  it.each<[string, Partial<Incident>, number]>([
    ['an open one at its opening', { state: 'open' }, openedAt],
    ['one that came back at its last change', { state: 'open', reopened: 1 }, updatedAt],
    ['a nudged one at its last attempt', { state: 'nudged', attempts: [attempt({ at: 1 }), attempt({ at: 2 })] }, 2],
    ['a nudged one without attempts at its last change', { state: 'nudged' }, updatedAt],
    ['a recovered one at its last change', { state: 'recovered' }, updatedAt],
    ['an escalated one at its last change', { state: 'escalated' }, updatedAt],
    ['an ended one at its last change', { state: 'ended' }, updatedAt],
    ['an unknown one at its last change', { state: 'unknown' }, updatedAt],
  ])('is taken from a previously unknown incident: %s', (_, changes, at) => {
    expect(toStored({ ...base, openedAt, updatedAt, ...changes }, undefined).stateAt).toBe(at);
  });

  it('stays while the state does, and moves with it', () => {
    const before = kept({ state: 'open' }, T0 + 3);
    expect(toStored({ ...base, state: 'open', updatedAt }, before).stateAt).toBe(T0 + 3);
    expect(toStored({ ...base, state: 'nudged', updatedAt }, before).stateAt).toBe(updatedAt);
    expect(toStored({ ...base, state: 'open', reopened: 1, updatedAt }, before).stateAt).toBe(updatedAt);
  });
});

describe('attempts', () => {
  const joined = (a: readonly RecoveryAttempt[], b: readonly RecoveryAttempt[]) =>
    join(kept({ attempts: a }), kept({ attempts: b })).incident.attempts;
  const m1 = attempt({ message: 'm1', at: T0 + 2 });

  it('are gathered by message, in the order of sending', () => {
    const m0 = attempt({ message: 'm0', at: T0 + 2 });
    const m2 = attempt({ message: 'm2', at: T0 + 1 });
    expect(joined([m1], [m2, m0]).map(({ message }) => message)).toEqual(['m2', 'm0', 'm1']);
    expect(joined([m1], [])).toEqual([m1]);
  });

  it.each<[string, Partial<RecoveryAttempt>, Partial<RecoveryAttempt>]>([
    ['further state', { state: 'acted' }, { state: 'seen', outcome: 'same', takenAt: T0 + 9 }],
    ['known outcome', { state: 'acted', outcome: 'same' }, { state: 'acted', takenAt: T0 + 9 }],
    ['later taking', { state: 'taken', takenAt: T0 + 2 }, { state: 'taken', takenAt: T0 + 1 }],
    ['known taking', { state: 'taken', takenAt: 0 }, { state: 'taken' }],
  ])('of one message: the one with the %s', (_, wins, loses) => {
    expect(joined([{ ...m1, ...wins }], [{ ...m1, ...loses }])).toEqual([{ ...m1, ...wins }]);
  });

  it('that reached the agent before the end get the credit for a recovery without other help', () => {
    const credit = (changes: Partial<RecoveryAttempt>, outcome: Incident['outcome'] = 'by_itself') =>
      shownIncident(kept({ state: 'recovered', outcome, resolvedAt: T0 + 5, attempts: [{ ...m1, ...changes }] }))
        .outcome;
    expect(credit({ takenAt: T0 + 5 })).toBe('nudge');
    expect(credit({ takenAt: T0 + 6 })).toBe('by_itself');
    expect(credit({})).toBe('by_itself');
    expect(credit({ takenAt: T0 + 5 }, 'user')).toBe('user');
    const kinds: readonly (readonly [MessageKind, Incident['outcome']])[] = [
      ['restart', 'restart'],
      ['block', 'block'],
      ['gate', 'gate'],
    ];
    for (const [kind, outcome] of kinds) expect(credit({ kind, takenAt: T0 + 5 })).toBe(outcome);
    expect(shownIncident(kept({ outcome: 'by_itself', attempts: [{ ...m1, takenAt: T0 }] })).outcome).toBe('by_itself');
  });

  it('do not share the credit: the last one that reached the agent gets it', () => {
    const attempts = [
      { ...m1, takenAt: T0 + 2 },
      { ...m1, message: 'm2', kind: 'restart' as const, takenAt: T0 + 3 },
      { ...m1, message: 'm3', kind: 'block' as const },
    ];
    expect(shownIncident(kept({ outcome: 'by_itself', resolvedAt: T0 + 5, attempts })).outcome).toBe('restart');
  });
});

it('notified by one window means notified for all, and history only holds while all say so', () => {
  const { incident: joined } = join(kept({ notified: true, history: true }), kept({ notified: false, history: false }));
  expect(joined).toMatchObject({ notified: true, history: false });
  const both = join(kept({ notified: false, history: true }), kept({ notified: false, history: true, count: 9 }));
  expect(both.incident).toMatchObject({ notified: false, history: true });
});
