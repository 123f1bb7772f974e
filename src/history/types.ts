import type { AgentId, DetectorId, Ending, FeedbackEntry, Incident, Level, MessageKind, RungKind } from '../core/model';
import type { Disposable } from '../base/util/disposable';
import type { StoreReason } from './errors';

/** Kinds of entries of the event log; docs/recovery.md has the fields of each. */
export const STORE_EVENT_TYPES = [
  'StuckObservation',
  'Recovery',
  'Resolution',
  'Escalation',
  'Gate',
  'Delivery',
  'SubtaskBlocked',
  'ApprovalRequested',
  'Learning',
  'Feedback',
  /** Name in 0.1.0 for `StuckObservation`. */
  'Observation',
] as const;
export type StoreEventType = (typeof STORE_EVENT_TYPES)[number];

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
  /** JSON; secrets are redacted, and anything over 16 KB is cut. */
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Identifies what has only one event: a state that an incident entered, a result of an attempt. When more is known of it, the event is replaced by
 * one with the same identity.
 */
export interface EventIdentity {
  /** The time in its incident's id, milliseconds since the epoch: the same in every reading. */
  readonly since: number;
  /** Its place among events of the same incident and time: how often the incident had come back, and then 0 to 9. */
  readonly cycle: number;
  readonly place: number;
  readonly words: readonly (string | number)[];
}

/**
 * An event to append. Without an identity it gets its id from its content, so that two windows that log the same thing log it once. `data.knownAt`
 * (milliseconds since the epoch) decides which of two with one identity knows more.
 */
export type NewStoreEvent = Omit<StoreEvent, 'id'> & { readonly id?: string; readonly identity?: EventIdentity };

export type Confidence = 'low' | 'medium' | 'high';

/** Facts learnt from one incident that is over. */
export interface Learning {
  /** Id of the incident. */
  readonly id: string;
  /** When the incident ended, milliseconds since the epoch. */
  readonly at: number;
  readonly session: string;
  readonly agent: AgentId;
  readonly category: 'debugging';
  /** `Agent stuck: [heuristic] on [task type]`. */
  readonly title: string;
  /** Heuristic, task, action and root cause in sentences. */
  readonly content: string;
  readonly confidence: Confidence;
  /** Task of the agent: the session's title, or its id if it has none. */
  readonly sourceTask: string;
  /** `stuck`, heuristic, agent role, model, task type; unknown ones are left out. */
  readonly tags: readonly string[];
  /** Ending of the cycle. */
  readonly state: 'recovered' | 'ended' | 'unknown';
  /** The last thing that was tried; `by_itself` if nothing was. */
  readonly tried: MessageKind | 'by_itself' | 'user';
  /** Why it was stuck, one sentence from the evidence; absent in records of earlier versions. */
  readonly cause?: string;
  /** When a person wrote its content; it then stays as it was written. */
  readonly editedAt?: number;
  /** A person wants it listed before others. */
  readonly pinned?: boolean;
  /** A person deleted it; it is shown nowhere. */
  readonly forgotten?: boolean;
}

/** A session that was watched: the statistics compare stuck sessions with these. */
export interface SessionSeen {
  readonly agent: AgentId;
  readonly session: string;
  /** First and last event, milliseconds since the epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
  readonly model?: string;
  readonly role?: string;
  readonly folder?: string;
  /** Calls so far; absent in records of earlier versions. */
  readonly steps?: number;
  /** Share of the steps after a compaction that read again what was read before it; absent if there was none. */
  readonly rereads?: Share;
}

/** Names an incident by its session and streak. */
export interface IncidentKey {
  readonly agent: AgentId;
  readonly session: string;
  readonly key: string;
}

/** Within one kind any of the values may match; all kinds must match together. */
export interface IncidentFilter {
  /** Ids to choose from, including those that another window assigned. */
  readonly ids?: readonly string[];
  /** True: only open incidents; false: only those that are over. */
  readonly active?: boolean;
  readonly levels?: readonly Level[];
  /** Endings; `open` for an incident that is not over. */
  readonly endings?: readonly (Ending | 'open')[];
  readonly agents?: readonly string[];
  readonly detectors?: readonly DetectorId[];
  readonly session?: string;
  /** Each includes the folders inside it. */
  readonly folders?: readonly string[];
  /** Opened at or after, and before; milliseconds since the epoch. */
  readonly since?: number;
  readonly until?: number;
  readonly limit?: number;
}

/** Number of incidents for each value, the most frequent first. */
export type Facets = Readonly<Record<FacetKind, readonly { readonly value: string; readonly count: number }[]>>;
export const FACET_KINDS = ['level', 'ending', 'detector', 'agent', 'folder'] as const;
export type FacetKind = (typeof FACET_KINDS)[number];

export interface EventFilter {
  readonly type?: StoreEventType;
  readonly session?: string;
  readonly incident?: string;
  readonly since?: number;
  /** Return only the newest. */
  readonly limit?: number;
}

export interface LearningChange {
  readonly content?: string;
  readonly pinned?: boolean;
  readonly forgotten?: true;
}

export interface SearchOptions {
  readonly filter?: IncidentFilter;
  /** 20 by default. */
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
      /** Ids of further learnings that say the same; absent if there are none. */
      readonly same?: readonly string[];
    };

/** A share: `n` out of `of`. */
export interface Share {
  readonly n: number;
  readonly of: number;
}

/** Attempts in earlier incidents like this one, the most often helpful first. */
export interface HelpedBefore {
  readonly similar: readonly Incident[];
  readonly tried: readonly { readonly kind: MessageKind; readonly recovered: Share }[];
  /** A person's text about the best of them, or its known cause and what freed it; empty if there is neither. */
  readonly noted: string;
}

export interface StatisticsRange {
  /** From, inclusive; milliseconds since the epoch. 0 for all. */
  readonly since: number;
  /** To, exclusive. */
  readonly until: number;
}

export interface StatisticsRow {
  readonly key: string;
  /** Stuck sessions out of all sessions (even in the figures by rule). */
  readonly sessions: Share;
  /** Calls of these sessions, as far as they were counted. */
  readonly steps: number;
  readonly incidents: number;
  readonly timeLostMs: number;
  readonly tokensLost: number;
  readonly recovered: Share;
}

export interface Statistics {
  readonly range: StatisticsRange;
  /** Sessions that were stuck. Warnings do not count, nor incidents that a person muted or called not stuck. */
  readonly sessions: Share;
  /** Calls of all sessions, as far as they were counted. */
  readonly steps: number;
  readonly incidents: number;
  readonly timeLostMs: number;
  readonly tokensLost: number;
  /** Share of recovered incidents among those that are over. */
  readonly recovered: Share;
  /** Median time from the first repeated result to recovery, milliseconds. Null if none recovered. */
  readonly medianRecoveryMs: number | null;
  /** Local days, oldest first, without gaps, at most 366. */
  readonly perDay: readonly { readonly day: string; readonly sessions: Share }[];
  /** Local weeks from Monday, oldest first, without gaps. A session's calls count in the week of its last event. */
  readonly byWeek: readonly {
    readonly week: string;
    readonly sessions: Share;
    readonly incidents: number;
    readonly steps: number;
  }[];
  readonly byAgent: readonly StatisticsRow[];
  readonly byModel: readonly StatisticsRow[];
  readonly byDetector: readonly StatisticsRow[];
  readonly whatRecovered: readonly {
    readonly kind: MessageKind | 'by_itself' | 'user';
    readonly recovered: number;
    readonly not: number;
    readonly unknown: number;
  }[];
  /** The same by rung of the ladder, if the rung is known. */
  readonly byRung: readonly {
    readonly rung: RungKind;
    readonly recovered: number;
    readonly not: number;
    readonly unknown: number;
  }[];
  /** Share of the steps after a compaction that read again what was read before it; absent if there was none. */
  readonly rereads?: Share;
  /** Share of each rule's alarms, including warnings, that people called wrong. */
  readonly wrong: readonly { readonly detector: string; readonly alarms: Share }[];
}

/** Changed records, by ids; empty lists if nothing changed. */
export interface StoreChange {
  readonly source: 'own' | 'other' | 'history';
  readonly incidents: readonly string[];
  readonly removed: readonly string[];
  readonly events: readonly string[];
  readonly learnings: readonly string[];
}

/**
 * `ready`: everything works. `journal_only`: saved data is durable, but the snapshot is not written (see `reason`). `memory_only`: nothing can be
 * written now; unsaved data is tried again every 30 seconds.
 */
export interface StoreStatus {
  readonly mode: 'ready' | 'journal_only' | 'memory_only';
  readonly reason?: StoreReason;
  readonly message?: string;
  /** The history was damaged and mended, by this window or another one. Present until it is dismissed, at most for a week. */
  readonly damage?: StoreDamage;
}

/** Damage that was found in the history, and its repair. */
export interface StoreDamage {
  /** When it was found, milliseconds since the epoch. */
  readonly at: number;
  /** Incidents of the damaged snapshot that still exist: from it, or from another place that still had them. 0 if it was whole. */
  readonly saved: number;
  /** Incidents of the damaged snapshot that are lost; null if its number of incidents is unknown. */
  readonly lost: number | null;
  /** Damaged lines of journals: the content of each is lost. */
  readonly lines: number;
  /** The damaged files, set aside. At least one. */
  readonly files: readonly string[];
}

/** An exclusive right that one of all windows has. */
export interface Claim {
  /** Marks the work as done: no window gets the claim again. */
  done(): Promise<void>;
  /** Gives up the claim without the work being done: another window may do it. */
  release(): Promise<void>;
}

export interface CompactionResult {
  readonly done: boolean;
  /** Why it was not done. */
  readonly reason?: 'locked' | 'nothing_to_do' | 'lost_lock' | StoreReason;
  readonly bytes?: number;
  /** Longest block of the event loop, milliseconds. */
  readonly longestBlockMs?: number;
}

export interface IncidentStore {
  readonly folder: string;
  status(): StoreStatus;
  onDidChangeStatus(listener: () => void): Disposable;
  /** Stops reporting the damage, which a person has seen. The damaged files stay where they are. */
  dismissDamage(): Promise<void>;
  /** Returns the incidents known without loading the database: those in the journals of all windows and in the digest of the last days. */
  current(): readonly Incident[];
  /** True if nothing was kept yet, here or on disk. Known without loading the database, so false if everything was deleted or has become too old. */
  isEmpty(): boolean;
  /** Returns one of `current()` by id. */
  known(id: string): Incident | undefined;
  /**
   * Returns the same, taken over as this window's own view: the next save under this id counts as a change of it. For an engine that continues with
   * an incident of an earlier window, so that a person's unmuting there differs from not knowing of the muting.
   */
  adopt(id: string): Incident | undefined;
  /**
   * Keeps an incident, redacted. Resolves when it is on disk; a new incident or a change of state is written at once, an update that only counts at
   * most a second later. Rejects with a StoreError if it could not be written; it is then kept in memory and tried again.
   */
  save(incident: Incident): Promise<void>;
  /** Notes that a session was watched; written within a minute. */
  sawSession(seen: SessionSeen): void;
  appendEvent(event: NewStoreEvent): Promise<StoreEvent>;
  /** Returns the feedback on alarms from any window, oldest first, as far as it is known without loading the database. */
  feedback(): readonly FeedbackEntry[];
  /**
   * Returns the matching incidents, newest first. Loads the database the first time, as all methods below do. If it cannot be loaded they answer from
   * what is known, and `status()` says so.
   */
  incidents(filter?: IncidentFilter): Promise<readonly Incident[]>;
  /** Deletes incidents with their events and learnings, for all windows. Resolves to the number that existed. */
  remove(ids: string | readonly string[]): Promise<number>;
  /** Returns the matching events, oldest first. */
  events(filter?: EventFilter): Promise<readonly StoreEvent[]>;
  /** Stores a person's change of a learning. It is kept, whatever happens to its incident. False if there is no such learning. */
  changeLearning(id: string, change: LearningChange): Promise<boolean>;
  /** Returns pinned learnings first, then the newest. */
  learnings(): Promise<readonly Learning[]>;
  /** Counts the incidents for each value that a filter can have. */
  facets(filter?: IncidentFilter): Promise<Facets>;
  /**
   * Searches incidents and learnings as full text, best first: words, beginnings of words, and words with a typing error. Without words it returns
   * the incidents that pass the filter, newest first. A learning is listed with its incident.
   */
  recall(words: string, options?: SearchOptions): Promise<readonly RecallHit[]>;
  helpedBefore(incident: Incident): Promise<HelpedBefore>;
  statistics(range: StatisticsRange): Promise<Statistics>;
  exportIncident(id: string, format: 'markdown' | 'json'): Promise<string | undefined>;
  /**
   * Claims the right to do something about an incident once among all windows, for example `toast`, `toast:escalated`, `send:2`. Null: another window
   * has it, or it is done. A claim ends with its process.
   */
  claim(key: IncidentKey, what: string): Promise<Claim | null>;
  onDidChange(listener: (change: StoreChange) => void): Disposable;
  /** Moves the journals into the snapshot now. Happens on its own a minute after opening and every ten minutes, if there is enough to move. */
  compact(): Promise<CompactionResult>;
  /** Writes everything that waits, returns unfinished claims, and leaves the journal to the next compaction. */
  close(): Promise<void>;
}
