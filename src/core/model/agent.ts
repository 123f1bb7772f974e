import type { AgentId } from './agent-id';
import type { Problem } from '../../base/util/problem';
import type { PlanItem, SessionEndReason, SessionMode, Source } from './event';
import type { NearMiss, ProgressMarker } from './finding';
import type { GateReport } from './gate';
import type { Delivery } from './message';
import type { Incident } from './incident';
import type { MachineOfAgent, Presence } from './machine';

/** The states of an agent (docs/command-line.md), the most urgent first: where several hold, the first is shown. */
export const AGENT_STATE_KINDS = [
  'escalated',
  'recovering',
  'stuck',
  'waiting',
  'stalled',
  'not_monitored',
  'working',
  'finished',
] as const;
export type AgentStateKind = (typeof AGENT_STATE_KINDS)[number];

/**
 * What a waiting agent waits for. `plan`: a proposed plan waits for a yes. `turn_end` is the quiet kind: its turn ended. `limit`: a limit of use
 * was reached. `error`: its turn ended because the service or the agent failed. `missed_notice`: what it started has ended, and it was not told.
 */
export const WAITED_FOR = ['permission', 'question', 'plan', 'turn_end', 'limit', 'error', 'missed_notice'] as const;
export type WaitedFor = (typeof WAITED_FOR)[number];

/** Returns whether its turn is over: the next prompt, or a message that wakes it, goes on. */
export function isTurnOver(waitingFor: WaitedFor | null | undefined): boolean {
  switch (waitingFor) {
    case 'turn_end':
    case 'limit':
    case 'error':
    case 'missed_notice':
      return true;
    case 'permission':
    case 'question':
    case 'plan':
    case null:
    case undefined:
      return false;
  }
}

/** A call that waits for a yes. */
export interface WaitingCall {
  readonly id: string;
  readonly name: string;
  /** Name of the call for a person. */
  readonly subject: string;
  /** The whole command, at most 8,000 characters, where the call is one. */
  readonly command?: string;
}

/** What a session started and was not told the end of. */
export interface MissedNotice {
  readonly kind: 'command' | 'task' | 'sub_agent';
  /** Its name for a person: the command, or the title of the task. */
  readonly subject: string;
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
  /** Absent where nothing says how it ended. */
  readonly exitCode?: number;
  /** The last line of its output. */
  readonly lastLine?: string;
}

/** A place in a row of sessions that a loop starts with the same prompt. */
export interface LoopRun {
  /** 1-based. */
  readonly number: number;
  /** False where a later session has taken its place: only the last one stands in lists. */
  readonly isLast: boolean;
}

export interface AgentState {
  readonly kind: AgentStateKind;
  /** Since when, milliseconds since the epoch. */
  readonly since: number;
  /** Present for `waiting` only. */
  readonly waitingFor?: WaitedFor;
  /** Its question. For `turn_end`: the question with which its answer ended, in its own words. */
  readonly question?: string;
  /** For `permission` and `plan`: the calls that wait, as far as they are written. */
  readonly calls?: readonly WaitingCall[];
  /** For `limit`: when it opens again, milliseconds since the epoch, where that was said. */
  readonly until?: number;
  /** For `missed_notice`. */
  readonly missed?: MissedNotice;
  /** For `error`: how the service or the agent said it. */
  readonly error?: string;
  /** Present for `waiting` only: only silence shows it. It needs no one, and notifies no one. */
  readonly probable?: true;
  /** Present for `waiting` only: the person interrupted it. Nothing is handed over before they write to it. */
  readonly interrupted?: true;
  /** Present for `not_monitored` only: why nothing is known of it since then, where it runs on another machine. */
  readonly lost?: Exclude<Presence, 'live'>;
  /** Present for `finished`; and `error` where it waits because of one. */
  readonly ended?: SessionEndReason;
}

/** Returns whether a record shows that it asks for a permission or an answer. Where only silence does, no one is notified. */
export function needsAnswer({ kind, waitingFor, probable }: AgentState): boolean {
  return kind === 'waiting' && !isTurnOver(waitingFor) && !probable;
}

/**
 * Returns whether it stopped before its work was done, and a message sets it going again: an error, a limit that has opened, an end that it was not
 * told.
 *
 * @param now milliseconds since the epoch
 */
export function canContinue({ kind, waitingFor, until }: AgentState, now: number): boolean {
  if (kind !== 'waiting') return false;
  if (waitingFor === 'limit') return until !== undefined && until <= now;
  return waitingFor === 'error' || waitingFor === 'missed_notice';
}

/** The agent's plan or account is used up: its service answers nothing until the limit opens again. */
export interface UsageLimit {
  /** When the service said so. */
  readonly since: number;
  /** When it opens again, as the service said it; absent where it did not, or in words that are not understood. */
  readonly opensAt?: number;
}

/** Current activity of a running agent, for "Now running …" and for patience. */
export interface Doing {
  readonly kind: 'model' | 'tool';
  readonly subject: string;
  readonly since: number;
}

/** Loop health: counters that a person can read and that lead to lines. */
export interface LoopHealth {
  readonly calls: number;
  readonly callsByTool: Readonly<Record<string, number>>;
  readonly failures: number;
  readonly failuresInARow: number;
  readonly validationFailures: number;
  readonly validationFailuresInARow: number;
  readonly gateAttempts: number;
  readonly blockedByPlanItem: Readonly<Record<string, number>>;
  readonly contextTokens?: number;
  readonly contextWindow?: number;
  readonly totalTokens?: number;
  /** Steps after a compaction, and those of them that read again what was read before it; absent before the first one. */
  readonly rereads?: { readonly n: number; readonly of: number };
  readonly startedAt: number;
  readonly lastEventAt: number;
  /** Last step whose result was new: time and 0-based step. */
  readonly lastNewAt?: number;
  readonly lastNewStep?: number;
  readonly lastProgress?: ProgressMarker;
}

/** Values of loop health that can be opened: all calls, those of one tool, those that failed, … */
export const COUNTED_THINGS = ['calls', 'failures', 'malformed', 'claims', 'blocked'] as const;
export type CountedThing = (typeof COUNTED_THINGS)[number];

/** One of the places that a counter of loop health counts. */
export interface CountedPlace {
  readonly at: number;
  readonly source: Source;
  /** The call, or what the agent said. */
  readonly text: string;
  readonly failed?: boolean;
  /** Id of the plan item. */
  readonly name?: string;
}

/** Share of a transcript that the detectors have seen. */
export interface Coverage {
  /** Steps whose outcome reached the detectors, or that still run. */
  readonly seen: number;
  /** Calls counted on their own from the raw bytes by the vendor's marker, and records that look like calls. */
  readonly there: number;
  readonly lines: number;
  readonly skipped: number;
  /** The newest 1,000 skipped lines. */
  readonly problems: readonly Problem[];
  /** Time at which reading began, when history before it has not been read. */
  readonly since?: number;
  readonly lastReadAt: number;
}

export type MarkerKind =
  | 'user'
  | 'compacted'
  | 'nudge'
  | 'gate_failed'
  | 'gate_passed'
  | 'commit'
  | 'recovered'
  | 'stuck';

export interface TimelineMarker {
  readonly kind: MarkerKind;
  readonly at: number;
  /** The step before which it stands. */
  readonly step: number;
  readonly text: string;
}

/** Everything that is shown of one agent session; a snapshot, never mutated. */
export interface AgentView {
  readonly agent: AgentId;
  readonly agentName: string;
  readonly session: string;
  readonly file: string;
  /** First line of the first prompt without Markdown, at most 120 characters. */
  readonly title: string;
  readonly model?: string;
  readonly branch?: string;
  readonly role?: string;
  readonly cwd?: string;
  /** The machine it runs on; absent for this one. Its `session` then is of this window alone, and its files are not here. */
  readonly machine?: MachineOfAgent;
  readonly version?: string;
  readonly mode?: SessionMode;
  readonly pid?: number;
  readonly parent?: string;
  /** Present for a session of a loop that starts agents. */
  readonly run?: LoopRun;
  readonly state: AgentState;
  /** When a person last wrote to it. */
  readonly promptedAt?: number;
  readonly doing?: Doing;
  readonly health: LoopHealth;
  readonly coverage: Coverage;
  readonly plan: readonly PlanItem[];
  /** Active incidents, the gravest first. */
  readonly incidents: readonly Incident[];
  /** Marks of the agent that are no incidents (`isHint` of core/rules), the newest first. */
  readonly hints: readonly Incident[];
  readonly nearMisses: readonly NearMiss[];
  /** Present while its service refuses to answer because a limit of use was reached. */
  readonly usageLimit?: UsageLimit;
  readonly deliveries: readonly Delivery[];
  /** The last run of the quality gates over this session's work, or the one that is under way. */
  readonly gates?: GateReport;
  /** The session ended, or was silent, before this window opened. */
  readonly history: boolean;
  /** It stopped so long before this window opened that nobody is asked to set it going again. */
  readonly isPast?: boolean;
  /** Its transcript was deleted; what was recorded of it stays. */
  readonly deleted: boolean;
}
