import type { Incident, RecoveryAttempt } from '../../../../src/core/model';

/** 2026-11-20, 17:00 UTC. */
export const T0 = Date.UTC(2026, 10, 20, 17, 0, 0);
export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

let counter = 0;

/** An incident that has just become stuck, ten minutes after the first of the equal results. */
export function incident(changes: Partial<Incident> = {}): Incident {
  const n = ++counter;
  const source = { file: '/home/me/.claude/projects/x/s.jsonl', line: 88, offset: 12_345 };
  return {
    id: changes.id ?? `01JD0000000000000000${String(n).padStart(6, '0')}`,
    key: `repeating_action:${n}`,
    agent: 'claude-code',
    agentName: 'Claude Code',
    session: 'session-1',
    title: 'Fix the failing test of the calculator',
    model: 'sonnet',
    folder: '/home/me/calc',
    file: source.file,
    detector: 'repeating_action',
    rule: null,
    reason: 'repetition_loop',
    exhaustion: null,
    certainty: 'counted',
    level: 'stuck',
    confidence: 0.93,
    state: 'open',
    count: 4,
    firstAt: T0,
    openedAt: T0 + 8 * MINUTE,
    stuckAt: T0 + 10 * MINUTE,
    resolvedAt: null,
    updatedAt: T0 + 10 * MINUTE,
    firstLine: 88,
    alertLine: 93,
    stuckLine: 95,
    resolvedLine: null,
    subject: 'pytest -q',
    why: '`pytest -q` gave the same result 4 times in a row.',
    suggestion: 'Read the failing assertion before running the tests again.',
    clears: ['a different result', 'a message from you'],
    evidence: [
      { source, at: T0, step: 10, role: 'first', subject: 'pytest -q', text: '1 failed, 3 passed: test_add' },
      {
        source: { ...source, line: 90 },
        at: T0 + MINUTE,
        step: 11,
        role: 'between',
        subject: 'Edit src/calc.py',
        text: 'ok',
      },
      {
        source: { ...source, line: 93 },
        at: T0 + 8 * MINUTE,
        step: 12,
        role: 'repeat',
        subject: 'pytest -q',
        text: '1 failed, 3 passed: test_add',
      },
      {
        source: { ...source, line: 95 },
        at: T0 + 10 * MINUTE,
        step: 13,
        role: 'repeat',
        subject: 'pytest -q',
        text: '1 failed, 3 passed: test_add',
      },
    ],
    cleared: null,
    outcome: null,
    attempts: [],
    notified: false,
    history: false,
    reopened: 0,
    ...changes,
  };
}

export function attempt(changes: Partial<RecoveryAttempt> = {}): RecoveryAttempt {
  return {
    attempt: 1,
    kind: 'nudge',
    message: '01JDMESSAGE',
    at: T0 + 11 * MINUTE,
    automated: false,
    state: 'queued',
    ...changes,
  };
}

/** An incident that a nudge freed. */
export function recovered(changes: Partial<Incident> = {}): Incident {
  const resolvedAt = T0 + 14 * MINUTE;
  return incident({
    state: 'recovered',
    outcome: 'nudge',
    cleared: 'different_result',
    resolvedAt,
    resolvedLine: 120,
    updatedAt: resolvedAt,
    attempts: [attempt({ state: 'acted', outcome: 'changed', takenAt: T0 + 12 * MINUTE })],
    ...changes,
  });
}
