import type { AgentId } from './agent-id';
import type { Problem } from '../../base/util/problem';
import type { PlanItem, SessionEndReason, SessionMode, Source } from './event';
import type { NearMiss, ProgressMarker } from './finding';
import type { GateReport } from './gate';
import type { Delivery } from './message';
import type { Incident } from './incident';
import type { MachineOfAgent, Presence } from './machine';

/** The states of an agent (docs/command-line.md), the most urgent first: where several apply, the first is shown. */
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
 * Things that a waiting agent waits for. `plan`: approval of a proposed plan. `turn_end` is the quiet kind: its turn has ended. `limit`: a usage
 * limit was reached. `error`: its turn ended because the service or the agent failed. `missed_notice`: something that it started has ended, and it
 * was not notified.
 */
export const WAITED_FOR = ['permission', 'question', 'plan', 'turn_end', 'limit', 'error', 'missed_notice'] as const;
export type WaitedFor = (typeof WAITED_FOR)[number];

/** Returns whether its turn is over: the next prompt, or a message that wakes it, makes it continue. */
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

/** A call that waits for approval. */
export interface WaitingCall {
  readonly id: string;
  readonly name: string;
  /** Name of the call for a person. */
  readonly subject: string;
  /** The whole command, at most 8,000 characters, where the call is one. */
  readonly command?: string;
}

/** Something that a session started and whose end was not reported to it. */
export interface MissedNotice {
  readonly kind: 'command' | 'task' | 'sub_agent';
  /** Its name for a person: the command, or the title of the task. */
  readonly subject: string;
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
  /** Absent where the exit code is unknown. */
  readonly exitCode?: number;
  /** The last line of its output. */
  readonly lastLine?: string;
}

/** Place in a series of sessions that a loop starts with the same prompt. */
export interface LoopRun {
  /** 1-based. */
  readonly number: number;
  /** False if a later session has taken its place: only the last one appears in lists. */
  readonly isLast: boolean;
}

export interface AgentState {
  readonly kind: AgentStateKind;
  /** Start of the state, in milliseconds since the epoch. */
  readonly since: number;
  /** Present for `waiting` only. */
  readonly waitingFor?: WaitedFor;
  /** Its question. For `turn_end`: the question at the end of its answer, in its own words. */
  readonly question?: string;
  /** For `permission` and `plan`: the waiting calls, as far as they are recorded. */
  readonly calls?: readonly WaitingCall[];
  /** For `limit`: when it is lifted, in milliseconds since the epoch, where that was reported. */
  readonly until?: number;
  /** For `missed_notice`. */
  readonly missed?: MissedNotice;
  /** For `error`: the message of the service or the agent. */
  readonly error?: string;
  /** Present for `waiting` only: the state is inferred from silence alone. It needs no one, and causes no notification. */
  readonly probable?: true;
  /** Present for `waiting` only: the person interrupted it. No message is handed to it before they write to it. */
  readonly interrupted?: true;
  /** Present for `not_monitored` only: why nothing has been known about it since then, where it runs on another machine. */
  readonly lost?: Exclude<Presence, 'live'>;
  /** Present for `finished`; for `waiting` only with `waitingFor: 'error'`, where it is `error`. */
  readonly ended?: SessionEndReason;
}

/** Returns whether a record shows that it waits for a permission or an answer. If only silence shows it, no one is notified. */
export function needsAnswer({ kind, waitingFor, probable }: AgentState): boolean {
  return kind === 'waiting' && !isTurnOver(waitingFor) && !probable;
}

/**
 * Returns whether it stopped before its work was done and a message would make it continue: after an error, a limit that has been lifted, or an end
 * that was not reported to it.
 *
 * @param now milliseconds since the epoch
 */
export function canContinue({ kind, waitingFor, until }: AgentState, now: number): boolean {
  if (kind !== 'waiting') return false;
  if (waitingFor === 'limit') return until !== undefined && until <= now;
  return waitingFor === 'error' || waitingFor === 'missed_notice';
}

/** The agent's plan or account is used up: its service answers no requests until the limit is lifted. */
export interface UsageLimit {
  /** When the service reported it. */
  readonly since: number;
  /** When it is lifted, according to the service; absent where the service gave no time, or none that is understood. */
  readonly opensAt?: number;
}

/** Current activity of a running agent, for "Now running …" and for patience. */
export interface Doing {
  readonly kind: 'model' | 'tool';
  readonly subject: string;
  readonly since: number;
}

/** Loop health: counters that a person can read and that lead to lines of the transcript. */
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
  /** Number of steps after a compaction (`of`), and of those that read something again that was read before it (`n`); absent before the first one. */
  readonly rereads?: { readonly n: number; readonly of: number };
  readonly startedAt: number;
  readonly lastEventAt: number;
  /** Last step whose result was new: time and 0-based step. */
  readonly lastNewAt?: number;
  readonly lastNewStep?: number;
  readonly lastProgress?: ProgressMarker;
}

/** Values of loop health that can be opened: all calls, calls of one tool, failed ones, … */
export const COUNTED_THINGS = ['calls', 'failures', 'malformed', 'claims', 'blocked'] as const;
export type CountedThing = (typeof COUNTED_THINGS)[number];

/** One of the places that are counted by a counter of loop health. */
export interface CountedPlace {
  readonly at: number;
  readonly source: Source;
  /** The call, or the agent's words. */
  readonly text: string;
  readonly failed?: boolean;
  /** Id of the plan item. */
  readonly name?: string;
}

/** Share of a transcript that the detectors have seen. */
export interface Coverage {
  /** Steps whose outcome has reached the detectors, or that are still running. */
  readonly seen: number;
  /** Calls counted independently in the raw bytes by the vendor's marker, and records that look like calls. */
  readonly there: number;
  readonly lines: number;
  readonly skipped: number;
  /** The newest 1,000 skipped lines. */
  readonly problems: readonly Problem[];
  /** Time at which reading began, if the history before it has not been read. */
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
  /** The step that follows it. */
  readonly step: number;
  readonly text: string;
}

/** Everything shown about one agent session; a snapshot, never mutated. */
export interface AgentView {
  readonly agent: AgentId;
  readonly agentName: string;
  readonly session: string;
  readonly file: string;
  /** First line of the first prompt without Markdown, at most 120 characters. */
  readonly title: string;
  readonly model?: string;
  readonly branch?: string;
  /** Kind of a sub-agent, as its program writes it: `Explore`. */
  readonly role?: string;
  readonly cwd?: string;
  /** Machine on which it runs; absent for this one. In that case its `session` is valid only in this window, and its files are not here. */
  readonly machine?: MachineOfAgent;
  readonly version?: string;
  readonly mode?: SessionMode;
  readonly pid?: number;
  readonly parent?: string;
  /** Present for a session of a loop that starts agents. */
  readonly run?: LoopRun;
  readonly state: AgentState;
  /** When a person last wrote to it. Milliseconds since the epoch. */
  readonly promptedAt?: number;
  readonly doing?: Doing;
  readonly health: LoopHealth;
  readonly coverage: Coverage;
  readonly plan: readonly PlanItem[];
  /** Active incidents, the most serious first. */
  readonly incidents: readonly Incident[];
  /** Marks of the agent that are not incidents (`isHint` of core/rules), the newest first. */
  readonly hints: readonly Incident[];
  readonly nearMisses: readonly NearMiss[];
  /** Present while its service refuses to answer because a usage limit was reached. */
  readonly usageLimit?: UsageLimit;
  readonly deliveries: readonly Delivery[];
  /** The last run of the quality gates over this session's work, or the current one. */
  readonly gates?: GateReport;
  /** True if the session ended, or fell silent, before this window opened. */
  readonly history: boolean;
  /** True if it stopped so long before this window opened that no one is asked to make it continue. */
  readonly isPast?: boolean;
  /** True if its transcript was deleted; its records are kept. */
  readonly deleted: boolean;
}
