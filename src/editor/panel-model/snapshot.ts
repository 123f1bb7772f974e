import type {
  AgentView,
  Coverage,
  Delivery,
  Evidence,
  GateReport,
  GateResult,
  Incident,
  LoopHealth,
  Machine,
  MessageKind,
  NearMiss,
  RecoveryAction,
  Sample,
  Source,
} from '../../core/model';
import { RECOVERY_ACTIONS } from '../../core/model';
import type { Sentence } from '../../core/words/parts';
import type { IncidentFacts, Lead, Reach, Surface, ReportRow } from '../../core/words';
import type { TimelineData } from './timeline';

/**
 * Everything that the panel shows of one agent, as plain data. Always complete: a hidden panel gets no messages, so nothing may depend on an earlier
 * one. Times are milliseconds since the epoch by the host's clock. The panel writes the ages, because they grow.
 */
export interface PanelSnapshot
  extends Pick<AgentView, 'agentName' | 'session' | 'title' | 'model' | 'branch' | 'cwd' | 'pid' | 'run' | 'state'> {
  /** The host's clock when this was made. */
  readonly now: number;
  /** The machine it runs on; absent for this one. Its files cannot be opened then. */
  readonly machine?: Machine;
  /** Reports of that machine about it, oldest first. */
  readonly reports?: readonly ReportRow[];
  readonly flags: PanelFlags;
  /** The part of this window in which it runs; absent for none. */
  readonly surface?: Surface;
  readonly lead: Lead;
  /** The incident that is shown: the gravest active one, or the one that was chosen. */
  readonly incident: PanelIncident | null;
  /** Marks that are no incidents, newest first, each with its place. */
  readonly hints: readonly (Pick<Source, 'file' | 'line' | 'offset'> & { readonly why: Sentence })[];
  /** Other incidents of this session, active ones first, then the newest. */
  readonly others: readonly OtherIncident[];
  readonly vitals: Vitals;
  readonly health: PanelHealth;
  readonly timeline: TimelineData;
  readonly nearMisses: readonly PanelNearMiss[];
  /** Null if no message can ever reach this agent: no *Nudge* is shown then. */
  readonly message: MessageBox | null;
  /** Newest first, at most five. */
  readonly deliveries: readonly PanelDelivery[];
  readonly coverage: PanelCoverage;
  /** The last run of the quality gates over this session's work, or the one under way; absent if none ran. */
  readonly gates?: PanelGates;
  /** Place of the shown incident on the ladder, and what can be done now; absent if there is nothing to recover. */
  readonly recovery?: PanelRecovery;
  /** Actions that freed agents in the same situation before; absent if there were none. */
  readonly helpedBefore?: PanelHelpedBefore;
}

export interface PanelFlags {
  /** True if the folder is not trusted, so that the panel can only be read. */
  readonly restricted: boolean;
  readonly paused: boolean;
  /** True if the transcript was deleted. */
  readonly gone: boolean;
  /** True if the session is no longer followed: only the incident is known, and no message can be sent. */
  readonly past?: boolean;
  /** True if the history is not read or written as usual. */
  readonly storeLocked: boolean;
}

export interface Vitals extends Pick<LoopHealth, 'startedAt'> {
  /** Time at which the session ended; absent while it runs. */
  readonly endedAt?: number;
  /** The last step whose result was new. `step` is 0-based, and absent if only its machine has it. */
  readonly lastNew?: { readonly at: number; readonly step?: number };
  /** The last progress marker, for an agent that is not stuck: `commit 4be19c2`. */
  readonly lastProgress?: { readonly at: number; readonly text: string };
}

/** Counts of the whole session; each number can be opened. */
export interface PanelHealth
  extends Pick<
    LoopHealth,
    'calls' | 'failures' | 'failuresInARow' | 'contextTokens' | 'contextWindow' | 'totalTokens' | 'rereads'
  > {
  /** The tools called most, at most twelve, and the number of calls of all others. */
  readonly tools: readonly { readonly name: string; readonly calls: number }[];
  readonly otherCalls: number;
  readonly malformed: number;
  readonly malformedInARow: number;
  /** Number of times that the agent said it was done. */
  readonly claims: number;
  /** Plan items that the agent called blocked, at most twelve, and how often. */
  readonly blocked: readonly { readonly id: string; readonly title: string; readonly times: number }[];
}

/** One row of evidence; its place in the transcript can be opened. */
export type PanelEvidence = Source & Omit<Evidence, 'source' | 'end'>;

/** A result as it was, at most 8 KB, with the ranges that the comparison ignored. */
export type PanelSample = Source & Omit<Sample, 'source'>;

export interface PanelIncident
  extends Pick<
    Incident,
    | 'id'
    | 'detector'
    | 'rule'
    | 'level'
    | 'certainty'
    | 'state'
    | 'outcome'
    | 'cleared'
    | 'count'
    | 'firstAt'
    | 'resolvedAt'
    | 'subject'
  > {
  readonly why: Sentence;
  readonly clears: readonly Sentence[];
  readonly evidence: readonly PanelEvidence[];
  readonly first?: PanelSample;
  readonly last?: PanelSample;
}

export interface OtherIncident extends IncidentFacts {
  readonly id: string;
}

export type PanelNearMiss = Omit<NearMiss, 'source'>;

export interface MessageBox {
  /** Number of the next nudge of this incident, 1 for the first. */
  readonly number: number;
  /** True if it is shown without a click on *Nudge*. */
  readonly open: boolean;
  /** True if it gets an agent going again that stopped before its work was done. */
  readonly continues: boolean;
  /** Drafted from the evidence. Empty if a message would be the reader's own, or while a nudge is on its way. */
  readonly draft: string;
  readonly reach: Reach;
  /** One sentence, if the agent is connected and its release was not tested. */
  readonly notTested?: string;
  readonly incident?: string;
}

export interface PanelDelivery extends Pick<Delivery, 'state' | 'times' | 'outcome' | 'reason' | 'onTheWay'> {
  readonly id: string;
  readonly kind: MessageKind;
  /** `Nudge 2`; 0 for a message that belongs to no incident. Other kinds are not numbered. */
  readonly number: number;
  /** Number of steps of the agent since it was taken. */
  readonly watched: number;
  readonly connected: boolean;
  /** When a waiting message is taken, in the words of `arrivalOf`. */
  readonly arrival?: string;
  /** Time that it waits to be taken, milliseconds. */
  readonly expiry: number;
  readonly text: string;
}

export interface PanelGates
  extends Pick<GateReport, 'claim' | 'startedAt' | 'endedAt' | 'verdict' | 'attempt' | 'message' | 'notSent'> {
  readonly results: readonly PanelGate[];
}

export interface PanelGate
  extends Pick<GateResult, 'id' | 'name' | 'command' | 'status' | 'reason' | 'summary' | 'startedAt' | 'ms'> {
  /** The first failures; `openFailure` opens them by their place in this list. */
  readonly failures: GateResult['failures'];
  /** Number of further failures. */
  readonly more: number;
}

/** An action that a click starts at once; a nudge is read first. */
export type PanelAction = Exclude<RecoveryAction, 'nudge'>;
export const PANEL_ACTIONS = RECOVERY_ACTIONS.filter((action): action is PanelAction => action !== 'nudge');

/** A step that was taken, or can be. */
export interface PanelRung {
  readonly name: string;
  readonly state: 'done' | 'current' | 'coming';
  /** The action taken and its result, or the model that it would start; empty for none. */
  readonly note: string;
  /** Action that a click takes; null if it cannot be taken now. */
  readonly action: RecoveryAction | null;
}

export interface PanelRecovery {
  readonly rungs: readonly PanelRung[];
  readonly actions: readonly {
    readonly action: PanelAction;
    readonly name: string;
    readonly possible: boolean;
    /** Why it can or cannot be done, in one sentence. */
    readonly text: string;
  }[];
  /** Action to try first, with its record in similar incidents: `helped 2 of 2`, or empty. */
  readonly recommended: { readonly action: RecoveryAction; readonly note: string } | null;
  /** Null if automatic mode is off. `nextAt` is when it acts next, milliseconds since the epoch. */
  readonly automatic: { readonly held: boolean; readonly nextAt?: number; readonly text: string } | null;
}

export interface PanelHelpedBefore {
  /** `Nudge`, `Restart`, ... and in how many of how many similar incidents it helped. */
  readonly ways: readonly { readonly name: string; readonly helped: number; readonly tried: number }[];
  /** Note on the best of them; empty for none. */
  readonly noted: string;
  /** Ids of the newest similar incidents. */
  readonly similar: readonly string[];
}

export type PanelCoverage = Pick<Coverage, 'seen' | 'there' | 'skipped' | 'lastReadAt'>;
