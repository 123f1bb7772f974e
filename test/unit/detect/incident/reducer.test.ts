import { describe, expect, it } from 'vitest';
import type { IncidentInput } from '../../../../src/detect/incident';
import { next, open } from '../../../../src/detect/incident/reducer';
import type { Incident, RecoveryAttempt } from '../../../../src/core/model';
import { clearing, finding, progress } from '../../support/findings';

const SESSION = { agent: 'codex', agentName: 'Codex', session: 's', title: 'Fix it', file: '/t.jsonl' } as const;

function opened(fields: Parameters<typeof finding>[1] = {}, history = false): Incident {
  return open(finding(6, fields), SESSION, 'ID', history);
}

function after(incident: Incident, ...inputs: readonly IncidentInput[]): Incident {
  return inputs.reduce(next, incident);
}

function attempt(message: string, changes: Partial<RecoveryAttempt> = {}): IncidentInput {
  const made: RecoveryAttempt = {
    attempt: 1,
    kind: 'nudge',
    message,
    at: 7000,
    automated: false,
    state: 'queued',
    ...changes,
  };
  return { type: 'attempt', attempt: made };
}

const delivery = (message: string, state: 'taken' | 'seen' | 'acted' | 'expired' | 'withdrawn' | 'failed', at = 8000) =>
  ({ type: 'delivery', message, state, at }) as const;
const cleared: IncidentInput = { type: 'clearing', clearing: clearing(9), line: 9 };

describe('an incident that opens', () => {
  it('knows where it began and where it was raised', () => {
    expect(opened()).toMatchObject({
      ...SESSION,
      id: 'ID',
      state: 'open',
      level: 'warn',
      firstAt: 2000,
      firstLine: 2,
      openedAt: 6000,
      alertLine: 6,
      updatedAt: 6000,
      stuckAt: null,
      stuckLine: null,
      attempts: [],
      notified: false,
      history: false,
      reopened: 0,
    });
    expect(opened({ level: 'stuck' })).toMatchObject({ stuckAt: 6000, stuckLine: 6 });
    expect(opened({}, true).history).toBe(true);
  });

  it('holds what its finding says, and nothing else', () => {
    const bare = opened();
    for (const name of ['firstSample', 'lastSample', 'pattern', 'tokensSinceFirst'])
      expect(bare).not.toHaveProperty(name);
    const sample = { text: 'x', length: 1 } as unknown as NonNullable<Incident['firstSample']>;
    const pattern = { steps: [1] } as unknown as NonNullable<Incident['pattern']>;
    const full = { firstSample: sample, lastSample: sample, pattern, tokensSinceFirst: 0 };
    expect(opened(full)).toMatchObject(full);
  });
});

describe('an incident that keeps counting', () => {
  it('turns stuck once, and never back to a warning', () => {
    const stuck = after(opened(), { type: 'finding', finding: finding(8, { level: 'stuck', count: 4 }) });
    expect(stuck).toMatchObject({ level: 'stuck', stuckAt: 8000, stuckLine: 8, count: 4, updatedAt: 8000 });
    const grown = after(stuck, { type: 'finding', finding: finding(10, { level: 'stuck', count: 5 }) });
    expect(grown).toMatchObject({ level: 'stuck', stuckAt: 8000, stuckLine: 8, count: 5 });
    expect(after(grown, { type: 'finding', finding: finding(11) })).toMatchObject({ level: 'stuck', stuckAt: 8000 });
  });

  it('is open again when it comes back, nudged if a message was sent, muted if a person muted it', () => {
    const again: IncidentInput = { type: 'finding', finding: finding(12) };
    expect(after(opened(), cleared, again)).toMatchObject({
      state: 'open',
      resolvedAt: null,
      resolvedLine: null,
      cleared: null,
      outcome: null,
      reopened: 1,
    });
    expect(after(opened(), attempt('M'), cleared, again).state).toBe('nudged');
    expect(after(opened(), { type: 'mute', at: 7000 }, cleared, again)).toMatchObject({ state: 'muted', reopened: 1 });
    expect(after(opened(), again).reopened).toBe(0);
  });
});

describe('an incident that is cleared', () => {
  it('is unknown until progress follows', () => {
    expect(after(opened(), cleared)).toMatchObject({
      state: 'unknown',
      cleared: 'different_result',
      resolvedAt: 9000,
      resolvedLine: 9,
      updatedAt: 9000,
      outcome: 'by_itself',
    });
    const recovered = after(opened(), cleared, { type: 'progress', marker: progress(9) });
    expect(recovered).toMatchObject({ state: 'recovered', updatedAt: 9000 });
  });

  it('does not change by progress before it, by progress without it, or when it is cleared again', () => {
    const over = after(opened(), cleared);
    expect(next(over, { type: 'progress', marker: progress(8) })).toBe(over);
    expect(next(over, { type: 'clearing', clearing: clearing(20), line: 20 })).toBe(over);
    const active = opened();
    expect(next(active, { type: 'progress', marker: progress(20) })).toBe(active);
    const muted = after(opened(), { type: 'mute', at: 7000 }, cleared);
    expect(muted.state).toBe('muted');
    expect(next(muted, { type: 'progress', marker: progress(20) })).toBe(muted);
  });

  it('credits the last message that reached the agent, otherwise the person, otherwise no one', () => {
    const byUser: IncidentInput = { type: 'clearing', clearing: clearing(9, { reason: 'user_message' }), line: 9 };
    expect(after(opened(), byUser).outcome).toBe('user');
    expect(after(opened(), attempt('M'), byUser).outcome).toBe('user');
    // The end of the process that is being restarted writes a line, which ends its silence; then the next process starts.
    const silent = after(opened(), cleared, attempt('R', { kind: 'restart', state: 'taken', takenAt: 9500 }));
    expect([after(opened(), cleared).outcome, silent.outcome]).toEqual(['by_itself', 'restart']);
    expect(after(opened(), attempt('M'), delivery('M', 'taken'), byUser).outcome).toBe('nudge');
    const restarted = [attempt('M', { takenAt: 7500 }), attempt('R', { kind: 'restart', takenAt: 8000 })];
    expect(after(opened(), ...restarted, cleared).outcome).toBe('restart');
  });
});

describe('a message', () => {
  it('makes an open incident a nudged one, and replaces what was known about it', () => {
    const sent = after(opened(), attempt('M', { at: 7000 }));
    expect(sent).toMatchObject({ state: 'nudged', updatedAt: 7000 });
    expect(after(sent, attempt('M', { state: 'taken' }), attempt('N')).attempts.map(({ message }) => message)).toEqual([
      'M',
      'N',
    ]);
    expect(after(opened(), { type: 'escalate', at: 1 }, attempt('M')).state).toBe('escalated');
  });

  it('was taken when the agent first showed it', () => {
    const taken = after(opened(), attempt('M'), delivery('M', 'taken', 8000), delivery('M', 'acted', 8500));
    expect(taken.attempts).toMatchObject([{ state: 'acted', takenAt: 8000 }]);
    expect(taken.updatedAt).toBe(8500);
    expect(after(opened(), attempt('M'), delivery('M', 'seen', 8100)).attempts[0]?.takenAt).toBe(8100);
    expect(after(opened(), attempt('M'), delivery('M', 'acted', 8200)).attempts[0]?.takenAt).toBe(8200);
    expect(after(opened(), attempt('M'), delivery('M', 'expired')).attempts[0]).not.toHaveProperty('takenAt');
  });

  it('that is unknown or has not changed its state changes nothing', () => {
    const sent = after(opened(), attempt('M'), delivery('M', 'taken'));
    expect(next(sent, delivery('X', 'taken'))).toBe(sent);
    expect(next(sent, delivery('M', 'taken'))).toBe(sent);
    const acted = next(sent, { ...delivery('M', 'taken'), outcome: 'same' });
    expect(acted.attempts[0]).toMatchObject({ state: 'taken', outcome: 'same' });
  });

  it('that was not taken leaves the incident as if it had not been sent, unless another one waits', () => {
    expect(after(opened(), attempt('M'), delivery('M', 'withdrawn')).state).toBe('open');
    expect(after(opened(), attempt('M'), delivery('M', 'expired')).state).toBe('open');
    expect(after(opened(), attempt('M'), delivery('M', 'failed')).state).toBe('nudged');
    expect(after(opened(), attempt('M'), attempt('N'), delivery('N', 'withdrawn')).state).toBe('nudged');
    const escalated = after(opened(), attempt('M'), { type: 'escalate', at: 7500 }, delivery('M', 'withdrawn'));
    expect(escalated.state).toBe('escalated');
  });

  it('that appears only after the incident was cleared still gets the credit', () => {
    const late = after(opened(), attempt('M'), cleared, delivery('M', 'seen', 9500));
    expect(late).toMatchObject({ state: 'unknown', outcome: 'nudge' });
    expect(after(opened(), attempt('M'), delivery('M', 'taken')).outcome).toBeNull();
  });
});

// the window notes its message late: lines that were written before are read after it
describe('what is read later than it happened', () => {
  it('does not make an incident older, or its first ending would outlast what is known about it later', () => {
    const noted = after(opened(), attempt('M', { at: 30_000 }));
    const read = [cleared, delivery('M', 'taken', 9_000), { type: 'progress', marker: progress(10) } as const];
    const forms = read.map((_, count) => after(noted, ...read.slice(0, count + 1)));
    expect(forms.map(({ updatedAt }) => updatedAt)).toEqual([30_000, 30_000, 30_000]);
    expect(forms.at(-1)).toMatchObject({ state: 'recovered', outcome: 'nudge', resolvedAt: 9_000 });
  });
});

describe('a person', () => {
  it('mutes an incident, and unmuting puts it where it would be', () => {
    const mute: IncidentInput = { type: 'mute', at: 7000 };
    const unmute: IncidentInput = { type: 'unmute', at: 8000 };
    const muted = after(opened(), mute);
    expect(muted).toMatchObject({ state: 'muted', updatedAt: 7000 });
    expect(next(muted, { type: 'mute', at: 9000 })).toBe(muted);
    expect(after(muted, unmute)).toMatchObject({ state: 'open', updatedAt: 8000 });
    expect(after(opened(), attempt('M'), mute, unmute).state).toBe('nudged');
    expect(after(opened(), mute, cleared, unmute).state).toBe('unknown');
    const active = opened();
    expect(next(active, unmute)).toBe(active);
  });

  it('is asked only about what is active', () => {
    expect(after(opened(), { type: 'escalate', at: 7000 })).toMatchObject({ state: 'escalated', updatedAt: 7000 });
    const over = after(opened(), cleared);
    expect(next(over, { type: 'escalate', at: 10_000 })).toBe(over);
  });

  it('is notified once', () => {
    const notified = after(opened(), { type: 'notified', at: 7000 });
    expect(notified).toMatchObject({ notified: true, updatedAt: 7000 });
    expect(next(notified, { type: 'notified', at: 8000 })).toBe(notified);
  });
});

describe('the end of a session', () => {
  const end: IncidentInput = { type: 'session_end', at: 9000, line: 30 };

  it('ends what is open, and keeps what a person muted', () => {
    expect(after(opened(), end)).toMatchObject({
      state: 'ended',
      cleared: 'session_end',
      outcome: null,
      resolvedAt: 9000,
      resolvedLine: 30,
      updatedAt: 9000,
    });
    expect(after(opened(), { type: 'mute', at: 1 }, end).state).toBe('muted');
    const over = after(opened(), cleared);
    expect(next(over, end)).toBe(over);
  });

  it('is recovery once the session that took over makes progress', () => {
    const restarted = after(opened(), attempt('R', { kind: 'restart', takenAt: 8000 }), end);
    expect(after(restarted, { type: 'succeeded', at: 12_000 })).toMatchObject({
      state: 'recovered',
      outcome: 'restart',
      resolvedAt: 9000,
      resolvedLine: 30,
      updatedAt: 12_000,
    });
    const freed = after(restarted, { type: 'succeeded', at: 12_000 });
    expect(next(freed, { type: 'finding', finding: finding(8) })).toMatchObject({ state: 'recovered', reopened: 0 });
    expect(next(freed, { type: 'finding', finding: finding(13) })).toMatchObject({ state: 'nudged', reopened: 1 });
    expect(after(opened(), { type: 'succeeded', at: 12_000 })).toMatchObject({
      state: 'recovered',
      outcome: 'by_itself',
      resolvedAt: 12_000,
      resolvedLine: 6,
    });
    for (const fixed of [after(opened(), { type: 'mute', at: 1 }), after(restarted, { type: 'succeeded', at: 1 })])
      expect(next(fixed, { type: 'succeeded', at: 13_000 })).toBe(fixed);
  });
});

describe('an incident of the past', () => {
  it('is no longer history once its session continues', () => {
    const present = after(opened({}, true), { type: 'present', at: 7000 });
    expect(present).toMatchObject({ history: false, updatedAt: 7000 });
    expect(next(present, { type: 'present', at: 8000 })).toBe(present);
  });
});

describe('saved results', () => {
  it('are remembered by line, the newest eleven', () => {
    const spilled = (line: number, file: string): IncidentInput => ({ type: 'spilled', line, file });
    const lines = Array.from({ length: 12 }, (_, index) => spilled(index, `/spills/${index}`));
    const spills = after(opened(), ...lines, spilled(5, '/spills/again')).spills ?? [];
    expect(spills).toHaveLength(11);
    expect(spills[0]).toEqual({ line: 1, file: '/spills/1' });
    expect(spills.at(-1)).toEqual({ line: 5, file: '/spills/again' });
  });
});

describe('a message that the transcript showed', () => {
  it.each(['seen', 'acted'] as const)('as %s has not failed, whatever is reported about it later', (state) => {
    const shown = after(opened(), attempt('M'), delivery('M', 'taken'), delivery('M', state, 8100));
    expect(after(shown, delivery('M', 'failed', 8200))).toBe(shown);
  });
});
