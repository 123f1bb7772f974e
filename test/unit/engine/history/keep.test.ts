import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/util/emitter';
import type { Incident } from '../../../../src/core/model';
import type { IncidentChange } from '../../../../src/engine/events';
import { keepHistory, keepScanned } from '../../../../src/engine/history/keep';
import { MINUTE, T0, attempt, incident } from '../../history/support/incidents';
import { recordingLog } from '../../support/log';

/** A silence of `session-1` that begins this many times ten minutes after the first. */
const silence = (n: number, changes: Partial<Incident> = {}): Incident =>
  incident({
    id: `S${n}`,
    detector: 'stall',
    level: 'warn',
    stuckAt: null,
    openedAt: T0 + n * 10 * MINUTE,
    updatedAt: T0 + n * 10 * MINUTE,
    ...changes,
  });
const over = (n: number, changes: Partial<Incident> = {}) =>
  silence(n, { state: 'unknown', cleared: 'new_line', resolvedAt: T0 + n * 10 * MINUTE + 1, ...changes });

/** A session in a window, and what the history gets from it. */
function kept({ isShown = true, isFull = false } = {}) {
  const fails = (error: unknown) => {
    throw error;
  };
  const changed = new Emitter<readonly string[]>(fails);
  const incidents = new Emitter<IncidentChange>(fails);
  let book: readonly Incident[] = [];
  const saved: Incident[] = [];
  const events: string[] = [];
  const seen: string[] = [];
  const log = recordingLog();
  const write = (done: () => void) => (isFull ? Promise.reject(new Error('disk full')) : Promise.resolve(done()));
  const view = { agent: 'claude-code', session: 'session-1', health: { startedAt: 1, lastEventAt: 2, calls: 3 } };
  const owned = keepHistory({
    engine: {
      onDidChange: changed.event,
      onDidChangeIncident: incidents.event,
      shownAgent: () => (isShown ? (view as never) : undefined),
      session: () => ({ book: { all: () => book } }) as never,
    },
    store: {
      save: (one) => write(() => saved.push(one)),
      appendEvent: ({ type, incident: of }) => write(() => events.push(`${type} ${of}`)) as Promise<never>,
      sawSession: ({ session, steps }) => void seen.push(`${session} ${steps}`),
    },
    log,
  });
  const change = (one: Incident, before: Incident | null = null) => {
    book = [...book.filter(({ id }) => id !== one.id), one];
    incidents.fire({ incident: one, before, session: one.session });
  };
  return { change, saved, events, seen, log, owned, changed };
}

describe('the history of a session that is silent again and again', () => {
  it('has one line, which grows with each silence that is over', () => {
    const { change, saved } = kept();
    const loop = (id: string, at: number) => incident({ id, openedAt: at, resolvedAt: at, state: 'recovered' });
    change(loop('before', T0 - MINUTE));
    change(silence(0));
    change(over(0));
    change(silence(1));
    change(over(1));
    change(loop('after', T0 + 30 * MINUTE));
    expect(saved.map(({ id, resolvedAt, reopened }) => [id, resolvedAt !== null, reopened])).toEqual([
      ['before', true, 0],
      ['S0', false, 0],
      ['S0', true, 0],
      ['S0', true, 1],
      ['after', true, 0],
    ]);
  });

  it('has a separate line for a later one that a person muted, or about which a message was sent', () => {
    const { change, saved } = kept();
    change(over(0));
    change(silence(1, { state: 'muted' }));
    change(silence(2, { attempts: [attempt()] }));
    change(silence(3));
    expect(saved.map(({ id }) => id)).toEqual(['S0', 'S1', 'S2']);
  });
});

it('the history gets the sessions that are shown, and no others', () => {
  const shown = kept();
  shown.changed.fire(['session-1']);
  const hidden = kept({ isShown: false });
  hidden.changed.fire(['session-1']);
  expect([shown.seen, hidden.seen]).toEqual([['session-1 3'], []]);
});

it('the log of events says only what is new about an incident', () => {
  const { change, events } = kept();
  const open = incident({ id: 'I' });
  change(open);
  change({ ...open, count: 5 }, open);
  change({ ...open, state: 'recovered', cleared: 'different_result', resolvedAt: T0 + 20 * MINUTE }, open);
  expect(events).toEqual(['StuckObservation I', 'Resolution I']);
});

it('a full disk is written into the log, and the window goes on', async () => {
  const { change, log } = kept({ isFull: true });
  change(incident());
  await new Promise((done) => setImmediate(done));
  expect(log.lines).toEqual([
    'warn: an incident could not be kept: Error: disk full',
    'warn: the event log could not be written: Error: disk full',
  ]);
});

it('nothing is kept once the window is closed', () => {
  const { change, saved, seen, changed, owned } = kept();
  owned.dispose();
  change(incident());
  changed.fire(['session-1']);
  expect([saved, seen]).toEqual([[], []]);
});

it('what a transcript of the past left open has ended there, and was history for every window', async () => {
  const saved: Incident[] = [];
  const events: string[] = [];
  let seen: object | null = null;
  const store = {
    save: async (one: Incident) => void saved.push(one),
    appendEvent: async ({ type }: { type: string }) => void events.push(type) as never,
    sawSession: (one: object) => void (seen = one),
  };
  const whole = { agent: 'claude-code', session: 'session-1', firstAt: T0, lastAt: T0, steps: 9 } as const;
  const freed = incident({ id: 'freed', state: 'recovered', cleared: 'different_result', resolvedAt: T0 + MINUTE });
  await keepScanned(store, { incidents: [incident({ id: 'open' }), freed, over(1), over(2)], whole });
  expect(saved.map(({ id, state, cleared, history }) => [id, state, cleared, history])).toEqual([
    ['open', 'ended', 'session_end', true],
    ['freed', 'recovered', 'different_result', true],
    ['S1', 'unknown', 'new_line', true],
  ]);
  expect(saved[0]?.resolvedAt).toBe(saved[0]?.updatedAt);
  expect(events.filter((type) => type === 'Resolution')).toHaveLength(3);
  expect(seen).toBe(whole);
});
