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
  /** What may be stopped without a click in a workspace folder. */
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
  /** Open workspace folders; asked each time. */
  readonly folders: () => readonly string[];
  readonly settings: () => RecoverySettings;
  readonly trusted: () => boolean;
  /** Kinds of message that a bridge hands to this agent now; none where it is not connected. */
  readonly takes: (view: AgentView) => readonly MessageKind[];
  /** Returns whether a supervisor runs this session. */
  readonly supervised: (view: AgentView) => boolean;
  /** Terminals of this window in which agents run; absent where there are none. */
  readonly terminals?: {
    /** As far as it is known by now. */
    readonly isHere: (view: AgentView) => boolean;
    /** Ends the process of the agent; false where it does not run in one of them. */
    readonly end: (view: AgentView) => Promise<boolean>;
  };
  /** The absolute path of a program, as the person's own shell finds it; null where it finds none. Absent: no program is looked for. */
  readonly findProgram?: (program: string) => Promise<string | null>;
  /** The chat of this window; absent where there is none. */
  readonly chats?: { readonly isHere: (view: AgentView) => boolean };
  /** Makes the id of a session that is to be started, a UUID. */
  readonly newSession: () => string;
  /** Attempts in incidents like one, as far as they are known by now. */
  readonly before?: (incident: Incident) => SeenBefore | undefined;
}

/** A terminal to be opened, in which the person's shell runs `program` with `args`. */
export interface Launch extends LaunchPlan {
  /** The name under which `Recovery.notStarted` knows it. */
  readonly id: string;
  /** A name for the terminal. */
  readonly title: string;
  readonly incident: string;
  /** The session that it stands in for. */
  readonly from: string;
}

/** How a program ended that was to run in a terminal. */
export interface StartFailure {
  /** Exit code. */
  readonly code: number;
  /** The last line that it printed, as it was; empty where nobody saw it. */
  readonly printed: string;
}

/** A person's request. Either an action of a menu or a rung of the ladder. */
export interface ActRequest {
  readonly action?: RecoveryAction;
  readonly rung?: number;
  /** The text as the person edited it; drafted where absent. */
  readonly text?: string;
  /** For `reassign`: the session that takes over, null for a new terminal. The old agent is told to leave the call alone. */
  readonly to?: string | null;
  /** The person says that the process of this session is gone, where nothing shows it. */
  readonly saysGone?: boolean;
  /** Go on although the work in progress could not be saved. */
  readonly withoutCheckpoint?: boolean;
  /** For `checkpoint`. */
  readonly watch?: CheckpointWatch;
}

/** Listener while files are compared and saved. */
export interface CheckpointWatch {
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
}

/** Manner of an action: what the request says, and who asked. */
export interface ActOptions extends Pick<ActRequest, 'text' | 'to' | 'saysGone' | 'withoutCheckpoint' | 'watch'> {
  readonly automated: boolean;
  /** Asked when everything is ready: has the world changed meanwhile? */
  readonly stillWanted?: () => boolean;
}

/** A new chat to be opened in the editor. */
export interface NewChat {
  readonly prompt: string;
  /** Id of the model that answers there; absent: the one that was chosen last. */
  readonly model?: string;
  /** The turn of the chat before is cancelled first. */
  readonly cancels: boolean;
  /** Parts of the request that could not be met, as sentences for a person. */
  readonly remarks: readonly string[];
}

export type Acted =
  /** Messages lie in inboxes. */
  | { readonly kind: 'sent'; readonly delivery: Delivery }
  /** Open this terminal now. */
  | { readonly kind: 'launch'; readonly launch: Launch }
  /**
   * `onLaunch` fires when its process has ended and the next one can be started. `here`: it was ended in its terminal of this window; else a
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

/** One thing a person can do now, or why not. */
export interface ActionView {
  readonly action: RecoveryAction;
  /** With the model that it would start, where it names one. */
  readonly name: string;
  readonly possible: boolean;
  /** Why it can be done or not, one sentence. */
  readonly text: string;
  readonly decision: Decision;
}

export interface RecoveryProposal {
  readonly ladder: LadderView;
  readonly actions: readonly ActionView[];
  /** The first thing to do; null where nothing is to be done, or only to be waited for. */
  readonly recommended: RecoveryAction | null;
  readonly automatic: {
    readonly on: boolean;
    readonly held: boolean;
    /** The rung that automatic mode takes next, and when, milliseconds since the epoch; null where no countdown runs. */
    readonly next: { readonly rung: number | null; readonly at: number } | null;
    /** Why it does what it does, or does nothing. */
    readonly text: string;
  };
}

/** A session that could take a task over. */
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
  /** `nudge`, `restart`, ... or `result` when it is known what came of an attempt. */
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
