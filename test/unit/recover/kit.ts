import type { Incident, RecoveryAttempt } from '../../../src/core/model';
import { DEFAULT_LADDER } from '../../../src/recover/ladder';
import { readBrakes } from '../../../src/recover/brakes';
import { DEFAULT_LIMITS } from '../../../src/recover/decisions/limits';
import type { AgentSituation, AutomaticMode, RecoveryFacts } from '../../../src/recover/decisions/decision';
import { MINUTE, T0, incident } from '../history/support/incidents';

export const NOW = T0 + 12 * MINUTE;

export function situation(changes: Partial<AgentSituation> = {}): AgentSituation {
  return {
    state: { kind: 'stuck', since: T0 },
    waitingFor: null,
    probablyWaits: false,
    liveness: 'alive',
    supervised: false,
    here: false,
    inChat: false,
    takes: ['nudge', 'stop', 'block'],
    trusted: true,
    inFolder: true,
    model: 'claude-sonnet-4-5',
    plan: [],
    ...changes,
  };
}

export function facts(changes: Partial<RecoveryFacts> = {}, of: Partial<Incident> = {}): RecoveryFacts {
  return {
    incident: incident(of),
    agent: situation(),
    ladder: DEFAULT_LADDER,
    limits: DEFAULT_LIMITS,
    tiers: ['haiku', 'sonnet', 'opus'],
    ways: { resume: null, fork: null, fresh: null },
    moreThinking: '--effort high',
    callKnown: true,
    isNewestCall: true,
    isOverBudget: false,
    isStopSent: false,
    brakes: readBrakes(undefined),
    messageExpiryMs: 10 * MINUTE,
    now: NOW,
    ...changes,
  };
}

export function automatic(changes: Partial<AutomaticMode> = {}): AutomaticMode {
  return { on: true, held: false, since: T0, ledger: [], ...changes };
}

export function attempt(changes: Partial<RecoveryAttempt> = {}): RecoveryAttempt {
  return {
    attempt: 1,
    kind: 'nudge',
    message: 'M1',
    at: T0 + 10 * MINUTE + 30_000,
    automated: true,
    state: 'acted',
    takenAt: T0 + 10 * MINUTE + 40_000,
    outcome: 'same',
    rung: 'feedback',
    ...changes,
  };
}
