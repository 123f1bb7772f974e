import type { AgentId, MessageKind } from '../../core/model';
import type { Result } from '../../base/util/result';

/** Settings to write: for this project only, or for this user in all projects. Never a file of the repository. */
export type ConnectScope = 'project' | 'user';

/** The folder whose agents are to be connected. */
export interface BridgePlace {
  /** Absolute path of the folder in which the agent is started. */
  readonly folder: string;
  /** The open workspace folders; messages are looked for in the inboxes of those that contain `folder`. */
  readonly workspaceFolders: readonly string[];
}

export interface ConnectTarget extends BridgePlace {
  readonly scope: ConnectScope;
}

/** Changes that Connect plans, for a person to read before they are written. */
export interface ConnectPlan {
  readonly agent: AgentId;
  readonly target: ConnectTarget;
  /** Absolute path of the settings file. */
  readonly file: string;
  /** Its current text; null if there is no such file. */
  readonly before: string | null;
  readonly after: string;
  /** The difference, as lines that begin with `+`, `-` or a blank. Empty if the file is already as it should be. */
  readonly diff: string;
  /** Workspace folders in whose `.unstuck` messages will be stored. */
  readonly roots: readonly string[];
  /** Sentences about anything that may surprise. */
  readonly warnings: readonly string[];
  /** Sentences about what takes effect at once, and what only later. */
  readonly remarks: readonly string[];
}

export type BridgeFailureCode =
  | 'invalid_json'
  | 'unexpected_form'
  | 'not_utf8'
  | 'tracked'
  | 'symbolic_link'
  | 'read_only'
  | 'no_permission'
  | 'disk_full'
  | 'changed'
  | 'outside'
  | 'hook'
  | 'io';

export interface BridgeFailure {
  readonly code: BridgeFailureCode;
  /** One or two sentences: the problem, and the exact next step. */
  readonly message: string;
  readonly file: string;
  /** The other scope, if it may work. */
  readonly alternative?: ConnectScope;
}

/**
 * `changed`: our entries are there, but not as we wrote them. `hook_missing`, `runtime_missing`: the entries are there, but what they start is not.
 * `switched_off`: the agent's settings say that no hook runs. `not_trusted`: the agent asks its user first, and the user has not agreed; the message
 * is the exact next step. `unreadable`: the settings cannot be read.
 */
export type ConnectionState =
  | 'connected'
  | 'not_connected'
  | 'changed'
  | 'hook_missing'
  | 'runtime_missing'
  | 'switched_off'
  | 'not_trusted'
  | 'unreadable';

export interface ConnectionStatus {
  readonly state: ConnectionState;
  /** Scope of the entries; null if there are none. */
  readonly scope: ConnectScope | null;
  readonly file: string;
  /** Milliseconds since the epoch; null if unknown. Sessions that began later can be woken, if the agent supports it. */
  readonly connectedAt: number | null;
  /** One sentence. */
  readonly message: string;
}

export interface HookTest {
  readonly passed: boolean;
  /** Output of the hook. */
  readonly answer: string;
  /** `Tested: the hook answered in 4 ms`, or what went wrong and the exact next step. */
  readonly message: string;
}

export interface Disconnected {
  readonly file: string;
  /** False if there were no entries of Unstuck. */
  readonly changed: boolean;
}

/** Abilities of messages to agents of one kind. */
export interface BridgeAbilities {
  /** True if a session can be woken after its turn has ended. Even then, only a session that began after Connect. */
  readonly wakesIdle: boolean;
  /** True if sessions that began before Connect take messages, too. */
  readonly joinsRunning: boolean;
  /** Kinds of message that are delivered; all others stay in the inbox. */
  readonly kinds: readonly MessageKind[];
}

/** Delivery of messages to the agents of one kind. Every write is planned, shown, and can be undone completely. */
export interface Bridge {
  readonly agent: AgentId;
  /** Scopes that it can write; the first is offered first. */
  readonly scopes: readonly [ConnectScope, ...ConnectScope[]];
  readonly abilities: BridgeAbilities;
  plan(target: ConnectTarget): Promise<Result<ConnectPlan, BridgeFailure>>;
  /** Writes a plan that a person agreed to; fails with `changed` if the file is no longer as the plan saw it. Can be repeated. */
  connect(plan: ConnectPlan): Promise<Result<ConnectionStatus, BridgeFailure>>;
  status(place: BridgePlace): Promise<ConnectionStatus>;
  /** Called when a window opens: if the folder is connected, brings the hook up to date and lets it look into the folders that are open here. */
  refresh(place: BridgePlace): Promise<ConnectionStatus>;
  /** Returns whether the agent of this session has called us since it was connected. Only that proves that it loads what Connect wrote. */
  isProven(session: string): Promise<boolean>;
  disconnect(target: ConnectTarget): Promise<Result<Disconnected, BridgeFailure>>;
  /** The same for a settings file from a record of Connect, whatever its scope and folder. */
  disconnectFrom(file: string): Promise<Result<Disconnected, BridgeFailure>>;
  /** Calls the installed hook with a recorded event and a separate inbox. */
  test(): Promise<HookTest>;
}
