import type { LaunchPlan } from '../../agents/launch';
import type { LaunchSettings } from '../../agents/launch-settings';
import type { AgentView, Delivery, Incident, MessageKind, RecoveryAction, RungKind } from '../../core/model';
import type { CheckpointFiles, OnProgress, SavedCheckpoint } from '../checkpoint';
import type { Decision } from '../decisions/decision';
import type { Brakes } from '../brakes';
import type { Ladder } from '../ladder';
import type { LadderView } from '../decisions/ladder-view';
import type { RecoveryLimits } from '../decisions/limits';
import type { ModelTiers } from '../decisions/models';
import type { Processes } from '../../base/processes/process';
import type { SeenBefore } from '../seen-before';
import type { IncidentStore } from '../../history';
import type { Log } from '../../base/util/log';
import type { Engine } from '../../engine/engine';
import type { Clock } from '../../base/clock';

/** The settings that recovery reads. */
export interface RecoverySettings {
  readonly automatic: boolean;
  readonly ladder: Ladder;
  readonly limits: RecoveryLimits;
  /** Returns what may be stopped without a click in a workspace folder. */
  readonly brakes: (folder: string) => Brakes;
  readonly tiers: ModelTiers;
  readonly launch: LaunchSettings;
  /** Longest wait of a message, milliseconds. */
  readonly expiryMs: number;
}

export type RecoveryStore = Pick<
  IncidentStore,
  'appendEvent' | 'events' | 'claim' | 'known' | 'current' | 'onDidChange'
>;

export interface RecoveryParts {
  readonly engine: Engine;
  readonly store: RecoveryStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly processes: Processes;
  readonly files: CheckpointFiles;
  /** Returns the open workspace folders; called each time. */
  readonly folders: () => readonly string[];
  readonly settings: () => RecoverySettings;
  readonly trusted: () => boolean;
  /** Returns the kinds of message that a bridge hands to this agent now; none if it is not connected. */
  readonly takes: (view: AgentView) => readonly MessageKind[];
  /** True if a supervisor runs this session. */
  readonly supervised: (view: AgentView) => boolean;
  /** Terminals of this window in which agents run. */
  readonly terminals: {
    /** True if the agent runs in one of them, as far as is known by now. */
    readonly isHere: (view: AgentView) => boolean;
    /** Ends the process of the agent; false if it does not run in one of them. */
    readonly end: (view: AgentView) => Promise<boolean>;
  };
  /** Returns the absolute path of a program, as the person's own shell finds it; null if it finds none. */
  readonly findProgram: (program: string) => Promise<string | null>;
  /** The chat of this window. */
  readonly chats: { readonly isHere: (view: AgentView) => boolean };
  /** Creates the id of a session that is to be started, a UUID. */
  readonly newSession: () => string;
  /** Returns attempts in similar incidents, as far as they are known by now. */
  readonly before: (incident: Incident) => SeenBefore | undefined;
}

/** A terminal to be opened, in which the person's shell runs `program` with `args`. */
export interface Launch extends LaunchPlan {
  /** The name of the start for `Recovery.notStarted`. */
  readonly id: string;
  /** A name for the terminal. */
  readonly title: string;
  readonly incident: string;
  /** The session that it replaces. */
  readonly from: string;
}

/** The way in which a program ended that was to run in a terminal. */
export interface StartFailure {
  /** Exit code. */
  readonly code: number;
  /** The last line that it printed, unchanged; empty if it was not captured. */
  readonly printed: string;
}

/** A person's request. Either an action of a menu or a rung of the ladder. */
export interface ActRequest {
  readonly action?: RecoveryAction;
  readonly rung?: number;
  /** The text as the person edited it. Absent: a drafted one. */
  readonly text?: string;
  /** For `reassign`: the session that takes over; null for a new terminal. The old agent is told to leave the call alone. */
  readonly to?: string | null;
  /** The person says that the process of this session is gone, if nothing shows it. */
  readonly saysGone?: boolean;
  /** Continue although the work in progress could not be saved. */
  readonly withoutCheckpoint?: boolean;
  /** For `checkpoint`. */
  readonly watch?: CheckpointWatch;
}

/** Listener while files are compared and saved. */
export interface CheckpointWatch {
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
}

/** Details of an action: what the request says, and who made it. */
export interface ActOptions extends Pick<ActRequest, 'text' | 'to' | 'saysGone' | 'withoutCheckpoint' | 'watch'> {
  readonly automated: boolean;
  /** Called when everything is ready: false if the world has changed meanwhile. */
  readonly stillWanted?: () => boolean;
}

/** A new chat to be opened in the editor. */
export interface NewChat {
  readonly prompt: string;
  /** Id of the model that answers there; absent: the one chosen last. */
  readonly model?: string;
  /** The turn of the previous chat is cancelled first. */
  readonly cancels: boolean;
  /** Parts of the request that could not be met, as sentences for a person. */
  readonly remarks: readonly string[];
}

export type Acted =
  /** Messages are in inboxes. */
  | { readonly kind: 'sent'; readonly delivery: Delivery }
  /** Open this terminal now. */
  | { readonly kind: 'launch'; readonly launch: Launch }
  /**
   * `onLaunch` fires when its process has ended and the next one can be started. `here`: it was ended in its terminal of this window; otherwise a
   * message asks it to stop, and its person has to close it.
   */
  | { readonly kind: 'stopping'; readonly here: boolean }
  /** Open this chat now. */
  | { readonly kind: 'chat'; readonly chat: NewChat }
  /** Cancel the turn of its chat now. */
  | { readonly kind: 'cancel' }
  | { readonly kind: 'saved'; readonly checkpoint: SavedCheckpoint }
  | { readonly kind: 'asked' };

export type ActFailureCode =
  | 'not_possible'
  | 'no_incident'
  | 'other_window'
  | 'inbox'
  | 'launch'
  | 'checkpoint'
  | 'choose_target'
  | 'confirm_gone';

export interface ActFailure {
  readonly code: ActFailureCode;
  /** One or two sentences for a person. */
  readonly message: string;
}

/** One action that a person can take now, or the reason why not. */
export interface ActionView {
  readonly action: RecoveryAction;
  /** With the model that it would start, if it names one. */
  readonly name: string;
  readonly possible: boolean;
  /** Why it can be taken or not, one sentence. */
  readonly text: string;
  readonly decision: Decision;
}

export interface RecoveryProposal {
  readonly ladder: LadderView;
  readonly actions: readonly ActionView[];
  /** The first thing to do; null if there is nothing to do except wait. */
  readonly recommended: RecoveryAction | null;
  readonly automatic: {
    readonly on: boolean;
    readonly held: boolean;
    /** The rung that automatic mode takes next, and when, milliseconds since the epoch; null if no countdown runs. */
    readonly next: { readonly rung: number | null; readonly at: number } | null;
    /** Why it does what it does, or why it does nothing. */
    readonly text: string;
  };
}

/** A session that could take over a task. */
export interface Successor {
  readonly session: string;
  readonly title: string;
  readonly agentName: string;
}

/** One step of a recovery, as listeners get it and the event log keeps it. */
export interface RecoveryStep {
  readonly at: number;
  readonly session: string;
  readonly incident: string;
  /** `nudge`, `restart`, ... or `result` once the result of an attempt is known. */
  readonly action: Decision['do'] | 'result';
  readonly rung: number | null;
  readonly rungKind: RungKind | null;
  readonly reason: string;
  /** `sent`, `started`, `not_started`, `stopping`, `saved`, `asked`; for a result `recovered`, `failed`, `unknown`, `not_delivered`, `withdrawn`. */
  readonly result: string;
}

/** Everything of one incident that decisions and texts need. */
export interface Case {
  readonly incident: Incident;
  readonly view: AgentView;
}
