import { describe, expect, it } from 'vitest';
import { plain } from '../../../../src/core/words';
import { MINUTE, T0, incident, recovered } from '../../history/support/incidents';
import { agentView } from '../support/views';
import { delivery } from '../webview/support/panel-fixtures';
import { NOW, shown, state, stepsOf } from './support/shown';

const doing = { kind: 'tool', subject: 'npm ci', since: T0 } as const;

describe('the first sentence of the panel', () => {
  const stuck = incident({ why: '`make` failed.' });
  const why = { kind: 'incident', why: [{ text: 'make', code: true }, { text: ' failed.' }] };

  it('explains the incident of a stuck agent, and of one whose recovery ended without success', () => {
    for (const kind of ['stuck', 'escalated', 'recovering'] as const) {
      expect(shown({ state: state(kind), incidents: [stuck] }).lead).toEqual(why);
    }
  });

  it('is that of a working agent if the incident is already gone', () => {
    for (const kind of ['stuck', 'escalated', 'recovering'] as const) {
      expect(shown({ state: state(kind) }).lead).toEqual({ kind: 'working', fresh: 0, of: 0 });
    }
  });

  it('says what a recovering agent did before its message, and what came since', () => {
    const taken = delivery('M', 'taken', { taken: T0 + MINUTE });
    const lead = shown(
      { state: state('recovering'), incidents: [incident({ count: 4 })], deliveries: [taken] },
      { steps: stepsOf(4, [2]) },
    ).lead;
    expect(lead).toMatchObject({ kind: 'recovering', watch: { nudge: 1, seen: 2, fresh: 1, takenAt: T0 + MINUTE } });
    expect(lead.kind === 'recovering' && plain(lead.before)).toBe(
      'Before that, pytest -q gave the same result 4 times.',
    );
  });

  it('counts the new results of the last ten steps of a working agent, with its last progress', () => {
    const view = agentView('s');
    const lead = shown(
      { health: { ...view.health, lastProgress: { kind: 'commit', at: T0, text: 'abc', step: 1 } as never }, doing },
      { steps: stepsOf(14, [0, 1, 12, 13]) },
    ).lead;
    expect(lead).toEqual({ kind: 'working', fresh: 8, of: 10, progress: { kind: 'commit', at: T0 }, doing });
    expect(shown({}, { steps: stepsOf(3, [1]) }).lead).toEqual({ kind: 'working', fresh: 2, of: 3 });
  });

  it('is that of its state if the agent repeats nothing now', () => {
    const asks = state('waiting', { waitingFor: 'permission', question: 'run psql' });
    expect(shown({ state: asks }).lead).toEqual({ kind: 'state', facts: { state: asks }, was: null });
    const silent = state('stalled');
    expect(shown({ state: silent, doing }).lead).toEqual({ kind: 'state', facts: { state: silent, doing }, was: null });
  });

  it('says in its turn what it was stuck in', () => {
    const turn = state('waiting', { waitingFor: 'turn_end' });
    expect(shown({ state: turn, incidents: [stuck] }).lead).toMatchObject({ kind: 'state', was: why.why });
  });

  it('says how long an ended session ran, which is never negative', () => {
    const { health } = agentView('s');
    const ended = state('finished', { since: T0 + 5 * MINUTE, ended: 'died' });
    expect(shown({ state: ended, health: { ...health, startedAt: T0 }, doing }).lead).toEqual({
      kind: 'state',
      facts: { state: ended, ran: 5 * MINUTE, doing },
      was: null,
    });
    const early = shown({ state: state('finished'), health: { ...health, startedAt: NOW } }).lead;
    expect(early).toMatchObject({ facts: { ran: 0 } });
  });

  it('is that of the incident that the reader chose, whatever the agent does', () => {
    const past = recovered({ id: 'P', why: '`make` failed.' });
    expect(shown({}, { past: [past], chosen: 'P' }).lead).toEqual(why);
    expect(shown({ incidents: [stuck] }).lead.kind).toBe('working');
  });
});

describe('the first sentence of an agent that a nudge freed', () => {
  const takenAt = NOW - MINUTE;
  const attempt = {
    attempt: 1,
    kind: 'nudge',
    message: '01JDFREED',
    at: takenAt,
    automated: false,
    state: 'acted',
    takenAt,
    outcome: 'changed',
  } as const;
  const freed = incident({
    id: 'freed',
    level: 'stuck',
    state: 'recovered',
    outcome: 'nudge',
    resolvedAt: takenAt,
    attempts: [attempt],
    progressed: { at: takenAt + 12_000, text: 'npm test passed' },
  });
  const open = (level: 'warn' | 'stuck') => incident({ id: 'open', level, firstAt: NOW - 30_000 });

  it('says so while a hint is still open, but not next to another alarm', () => {
    expect(shown({ incidents: [open('warn')] }, { past: [freed] }).lead.kind).toBe('freed');
    expect(shown({ incidents: [open('stuck')] }, { past: [freed] }).lead.kind).not.toBe('freed');
  });

  it('says so for the incident that a person chose, however long ago it was', () => {
    const later = { past: [freed], chosen: 'freed', now: NOW + 3 * 60 * MINUTE };
    expect(shown({ incidents: [open('stuck')] }, later).lead).toMatchObject({
      kind: 'freed',
      relief: { by: 'nudge' },
      now: { kind: 'incident' },
    });
    const byItself = { ...freed, outcome: 'by_itself' as const, attempts: [] };
    expect(shown({}, { past: [byItself], chosen: 'freed' }).lead.kind).toBe('incident');
  });
});
