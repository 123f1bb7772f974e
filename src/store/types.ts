import type { AgentId, DetectorId, FeedbackEntry, Incident, IncidentState, MessageKind } from '../model';
import type { Disposable } from '../util/disposable';
import type { StoreReason } from './errors';

export type StoreEventType =
  | 'Observation'
  | 'Recovery'
  | 'SubtaskBlocked'
  | 'ApprovalRequested'
  | 'Learning'
  | 'Feedback';

/** One entry of the event log: what was observed, and what was done about it. */
export interface StoreEvent {
  /** ULID. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly t: number;
  readonly type: StoreEventType;
  readonly session: string;
  readonly agent: AgentId;
  /** Id of the incident it belongs to. */
  readonly incident?: string;
  /** JSON; secrets are redacted, and what is over 16 KB is cut. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** An event to append. Without an id it gets one from its content, so that two windows that log the same thing log it once. */
export type NewStoreEvent = Omit<StoreEvent, 'id'> & { readonly id?: string };

export type Confidence = 'low' | 'medium' | 'high';

/** What was learned from one incident that is over. */
export interface Learning {
  /** Id of the incident. */
  readonly id: string;
  /** When the incident was over, milliseconds since the epoch. */
  readonly at: number;
  readonly session: string;
  readonly agent: AgentId;
  readonly category: 'debugging';
  /** `Agent stuck: [heuristic] on [task type]`. */
  readonly title: string;
  /** Heuristic, task, action and root cause in sentences. */
  readonly content: string;
  readonly confidence: Confidence;
  /** What the agent was asked to do: the session's title, or its id where it has none. */
  readonly sourceTask: string;
  /** `stuck`, heuristic, agent role, model, task type; what is not known is left out. */
  readonly tags: readonly string[];
  /** How the cycle ended. */
  readonly state: 'recovered' | 'ended' | 'unknown';
  /** The last thing that was tried, `by_itself` when nothing was. */
  readonly tried: MessageKind | 'by_itself' | 'user';
}

/** A session that was watched: what the statistics count stuck sessions against. */
export interface SessionSeen {
  readonly agent: AgentId;
  readonly session: string;
  /** First and last event, milliseconds since the epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
  readonly model?: string;
  readonly role?: string;
  readonly folder?: string;
}

/** The streak of a session that an incident is about. */
export interface IncidentKey {
  readonly agent: AgentId;
  readonly session: string;
  readonly key: string;
}

export interface IncidentFilter {
  /** Ids to choose from. */
  readonly ids?: readonly string[];
  /** True: only what is still open; false: only what is over. */
  readonly active?: boolean;
  readonly states?: readonly IncidentState[];
  readonly agents?: readonly string[];
  readonly detectors?: readonly DetectorId[];
  readonly session?: string;
  readonly folder?: string;
  /** Every word must occur in the title, the call, the explanation, the agent or the evidence. Case does not matter. */
  readonly text?: string;
  /** Opened at or after, and before; milliseconds since the epoch. */
  readonly since?: number;
  readonly until?: number;
  readonly offset?: number;
  readonly limit?: number;
}

export interface EventFilter {
  readonly type?: StoreEventType;
  readonly session?: string;
  readonly agent?: string;
  readonly incident?: string;
  readonly since?: number;
  readonly until?: number;
  /** The newest so many. */
  readonly limit?: number;
}

export interface LearningFilter {
  readonly agent?: string;
  /** All of these. */
  readonly tags?: readonly string[];
  readonly limit?: number;
}

export type RecallHit =
  | {
      readonly kind: 'incident';
      readonly id: string;
      /** Greater is better; comparable within one answer only. */
      readonly score: number;
      /** Words of the query that were found. */
      readonly matched: readonly string[];
      readonly incident: Incident;
    }
  | {
      readonly kind: 'learning';
      readonly id: string;
      readonly score: number;
      readonly matched: readonly string[];
      readonly learning: Learning;
    };

/** So many of so many. */
export interface Share {
  readonly n: number;
  readonly of: number;
}

/** What was tried in earlier incidents like this one, the most often helpful first. */
export interface HelpedBefore {
  readonly similar: readonly Incident[];
  readonly tried: readonly { readonly kind: MessageKind; readonly recovered: Share }[];
}

export interface StatisticsRange {
  /** From, inclusive; milliseconds since the epoch. 0 for all. */
  readonly since: number;
  /** To, exclusive. */
  readonly until: number;
}

export interface StatisticsRow {
  readonly key: string;
  /** Stuck sessions of all sessions (by rule: of all sessions, too). */
  readonly sessions: Share;
  readonly incidents: number;
  readonly timeLostMs: number;
  readonly tokensLost: number;
  readonly recovered: Share;
}

export interface Statistics {
  readonly range: StatisticsRange;
  readonly sessions: Share;
  readonly incidents: number;
  readonly timeLostMs: number;
  readonly tokensLost: number;
  /** Of the incidents that are over. */
  readonly recovered: Share;
  /** Median time from the first repeated result to recovery, milliseconds. Null when none recovered. */
  readonly medianRecoveryMs: number | null;
  /** Local days, oldest first, without gaps, at most 366. */
  readonly perDay: readonly { readonly day: string; readonly sessions: Share }[];
  readonly byAgent: readonly StatisticsRow[];
  readonly byModel: readonly StatisticsRow[];
  readonly byDetector: readonly StatisticsRow[];
  readonly whatRecovered: readonly {
    readonly kind: MessageKind | 'by_itself' | 'user';
    readonly recovered: number;
    readonly not: number;
    readonly unknown: number;
  }[];
}

/** What changed, by ids; empty lists where nothing did. */
export interface StoreChange {
  readonly source: 'own' | 'other' | 'history';
  readonly incidents: readonly string[];
  readonly removed: readonly string[];
  readonly events: readonly string[];
  readonly learnings: readonly string[];
}

/**
 * `ready`: all works. `journal_only`: what is saved is durable, but the snapshot is not written (see `reason`). `memory_only`: nothing can
 * be written now; what was saved since is tried again every 30 seconds.
 */
export interface StoreStatus {
  readonly mode: 'ready' | 'journal_only' | 'memory_only';
  readonly reason?: StoreReason;
  readonly message?: string;
  /** The history was damaged and was mended, by this window or another one. Until it is dismissed, at most for a week. */
  readonly damage?: StoreDamage;
}

/** Damage that was found in the history, and what became of it. */
export interface StoreDamage {
  /** When it was found, milliseconds since the epoch. */
  readonly at: number;
  /** Incidents of the damaged snapshot that are there all the same: from it, or from what else still had them. 0 where it was whole. */
  readonly saved: number;
  /** Incidents of the damaged snapshot that are lost; null where nothing tells any more how many it had. */
  readonly lost: number | null;
  /** Damaged lines of journals: what each held is lost. */
  readonly lines: number;
  /** The damaged files, set aside. At least one. */
  readonly files: readonly string[];
}

/** An exclusive right among all windows, held by one of them. */
export interface Claim {
  /** What it was for has been done: nobody gets it again. */
  done(): Promise<void>;
  /** It was not done: another window may. */
  release(): Promise<void>;
}

export interface CompactionResult {
  readonly done: boolean;
  /** Why it was not done. */
  readonly reason?: 'locked' | 'nothing_to_do' | 'lost_lock' | StoreReason;
  readonly bytes?: number;
  /** How long the event loop was held at most, milliseconds. */
  readonly longestBlockMs?: number;
}

export interface IncidentStore {
  readonly folder: string;
  status(): StoreStatus;
  onDidChangeStatus(listener: () => void): Disposable;
  /** A person has read of the damage: nobody is told any more. The damaged files stay where they are. */
  dismissDamage(): Promise<void>;
  /** What this window knows without loading the database: what the journals of all windows and the digest of the last days hold. */
  current(): readonly Incident[];
  /** One of `current()` by id. */
  known(id: string): Incident | undefined;
  /**
   * The same, taken up as this window's own view: what is saved next under this id counts as a change of it. For the engine that goes on
   * with an incident of an earlier window, so that a person's unmuting there is told apart from not knowing of the muting.
   */
  adopt(id: string): Incident | undefined;
  /**
   * Keeps an incident, redacted. Resolves when it is on disk; a new incident or a change of state is written at once, mere counting at
   * most a second later. Rejects with a StoreError when it could not be written; it is then kept in memory and tried again.
   */
  save(incident: Incident): Promise<void>;
  /** Notes that a session was watched; written within a minute. */
  sawSession(seen: SessionSeen): void;
  appendEvent(event: NewStoreEvent): Promise<StoreEvent>;
  /** What people said of alarms in any window, oldest first, as far as it is known without loading the database. */
  feedback(): readonly FeedbackEntry[];
  /**
   * Newest first. Loads the database the first time, as all that follow do. Where it cannot be loaded they answer from what is known, and
   * `status()` says so.
   */
  incidents(filter?: IncidentFilter): Promise<readonly Incident[]>;
  /** Deletes incidents with their events and learnings, for all windows. Resolves to the number that existed. */
  remove(ids: string | readonly string[]): Promise<number>;
  /** Oldest first. */
  events(filter?: EventFilter): Promise<readonly StoreEvent[]>;
  /** Newest first. */
  learnings(filter?: LearningFilter): Promise<readonly Learning[]>;
  /** Full-text search over incidents and learnings, the best first. */
  recall(words: string, limit?: number): Promise<readonly RecallHit[]>;
  helpedBefore(incident: Incident): Promise<HelpedBefore>;
  statistics(range: StatisticsRange): Promise<Statistics>;
  exportIncident(id: string, format: 'markdown' | 'json'): Promise<string | undefined>;
  /**
   * The right to do something about an incident once among all windows, for example `toast`, `toast:escalated`, `send:2`. Null: another
   * window has it, or it is done. A claim ends with its process.
   */
  claim(key: IncidentKey, what: string): Promise<Claim | null>;
  onDidChange(listener: (change: StoreChange) => void): Disposable;
  /** Moves the journals into the snapshot now. Happens by itself a minute after opening and every ten minutes, when it is worth it. */
  compact(): Promise<CompactionResult>;
  /** Writes what waits, gives back unfinished claims, and hands the journal over to whoever compacts next. */
  close(): Promise<void>;
}
