import type { AgentId } from './agent-id';
import type { Certainty, Exhaustion, Level } from './detector';
import type { DetectorId, ReasonCode, RuleId } from './rule-ids';
import type { ClearingReason, Evidence, Finding, Sample, Situation } from './finding';
import type { DeliveryState, MessageKind } from './message';

/**
 * `open`: a rule fired and has not cleared. `nudged`: a message has been sent since. `recovered`: cleared, with progress since. `escalated`: it is
 * the person's turn. `muted`: by the person. `ended`: its session ended first, or a person said that it is not stuck. `unknown`: cleared, and no
 * progress since shows that the agent is free.
 */
export type IncidentState = 'open' | 'nudged' | 'recovered' | 'escalated' | 'muted' | 'ended' | 'unknown';

/** Outcome of an incident; `not_stuck`: a person said that it needed no help. */
export type IncidentOutcome = 'nudge' | 'restart' | 'block' | 'gate' | 'by_itself' | 'user' | 'not_stuck';

/** The rungs of the escalation ladder, by their effect; the ladder itself is a setting (recover/ladder.ts). */
export const RUNG_KINDS = ['as_is', 'feedback', 'fresh', 'next_model', 'top_model', 'ask'] as const;
export type RungKind = (typeof RUNG_KINDS)[number];

/** Actions that a person can request. */
export const RECOVERY_ACTIONS = [
  'nudge',
  'split',
  'resume',
  'fresh',
  'next_model',
  'top_model',
  'fork',
  'reassign',
  'stop',
  'checkpoint',
  'block',
  'ask',
] as const;
export type RecoveryAction = (typeof RECOVERY_ACTIONS)[number];

/** One message or command meant to free the agent. */
export interface RecoveryAttempt {
  /** 1-based. */
  readonly attempt: number;
  readonly kind: MessageKind;
  /** Id of the inbox message. */
  readonly message: string;
  readonly at: number;
  readonly automated: boolean;
  readonly state: DeliveryState;
  readonly takenAt?: number;
  readonly outcome?: 'changed' | 'same';
  /** Its rung of the ladder; absent in records of messages that were written by hand. */
  readonly rung?: RungKind;
}

/** One incident of one session, as it is stored and shown. */
export interface Incident {
  /** ULID. */
  readonly id: string;
  /** Key of the finding: the same streak of the same session is one incident. */
  readonly key: string;
  readonly agent: AgentId;
  readonly agentName: string;
  readonly session: string;
  /** Title of the session: the task of the agent. */
  readonly title: string;
  readonly model?: string;
  readonly role?: string;
  /** Workspace folder or working directory of the agent. */
  readonly folder?: string;
  readonly file: string;
  readonly detector: DetectorId;
  readonly rule: RuleId | null;
  readonly reason: ReasonCode;
  readonly exhaustion: Exhaustion | null;
  readonly certainty: Certainty;
  /** Highest level reached. */
  readonly level: Level;
  readonly confidence: number;
  readonly state: IncidentState;
  readonly count: number;
  readonly firstAt: number;
  /** When it was raised, at either level. */
  readonly openedAt: number;
  readonly stuckAt: number | null;
  readonly resolvedAt: number | null;
  readonly updatedAt: number;
  readonly firstLine: number;
  readonly alertLine: number;
  readonly stuckLine: number | null;
  readonly resolvedLine: number | null;
  readonly subject: string;
  readonly why: string;
  readonly suggestion: string;
  readonly clears: readonly string[];
  readonly situations?: readonly Situation[];
  readonly moved?: readonly string[];
  readonly evidence: readonly Evidence[];
  readonly firstSample?: Sample;
  readonly lastSample?: Sample;
  readonly pattern?: Finding['pattern'];
  readonly tokensSinceFirst?: number;
  /** Rules of context that added to it: the first of them that has reached stuck chooses the strategy. */
  readonly context?: Finding['context'];
  /** Oversized results whose text was saved for a day, by the line of the result. */
  readonly spills?: readonly { readonly line: number; readonly file: string }[];
  readonly cleared: ClearingReason | null;
  /** The progress after which it was recovered; absent in records of 0.1.0. */
  readonly progressed?: { readonly at: number; readonly text: string };
  readonly outcome: IncidentOutcome | null;
  readonly attempts: readonly RecoveryAttempt[];
  /** True if a person was notified. A second notification follows only if the incident escalates. */
  readonly notified: boolean;
  /** True if it was in the transcript before this window opened: history, never a notification. */
  readonly history: boolean;
  /** Number of times it came back after clearing. */
  readonly reopened: number;
}

export function isActive(state: IncidentState): boolean {
  return state === 'open' || state === 'nudged' || state === 'escalated';
}

/**
 * Returns the number of messages about it that reached the agent or are still waiting: one that was withdrawn, expired or failed was not an attempt.
 */
export function attemptsOf({ attempts }: Pick<Incident, 'attempts'>): number {
  return attempts.filter(({ state }) => state !== 'withdrawn' && state !== 'expired' && state !== 'failed').length;
}

/** Returns the outcome of a recovery after a message of this kind reached the agent. */
export function recoveredBy(kind: MessageKind): IncidentOutcome {
  switch (kind) {
    case 'restart':
    case 'escalate':
    case 'reassign':
    case 'stop':
      return 'restart';
    case 'block':
      return 'block';
    case 'gate':
      return 'gate';
    case 'nudge':
    case 'checkpoint':
      return 'nudge';
  }
}
