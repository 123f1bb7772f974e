import type { AgentView, FleetProblem } from '../../core/model';
import type { Disposable } from '../../base/util/disposable';
import type { Log } from '../../base/util/log';
import type { Result } from '../../base/util/result';
import type { AgentRecord, EventRecord, FleetAction, MachineRecord, MessageRecord, ReceiptRecord } from '../wire';

/** Address and credentials of the message server. */
export interface FleetOptions {
  /** `tls://box:4222`. At least one. */
  readonly servers: readonly string[];
  /** Text of the credentials: an NKey seed or a JWT with its seed, and the server's own certificates if it has some. */
  readonly credentials: string;
  /** Name of the viewer; needed only if the credentials do not contain it. */
  readonly name?: string;
  readonly log: Log;
}

/** Module that a window loads if a server is set: `connection/connect-fleet`. */
export interface FleetBundle {
  /** Begins to connect, and never throws: problems appear in the client's status. */
  connectFleet(options: FleetOptions): FleetClient;
}

export type FleetStatus =
  | { readonly kind: 'connecting' }
  /** `at`: since when. All existing states have been read. */
  | { readonly kind: 'connected'; readonly at: number; readonly server: string }
  /** The last known data stay, with their age. `detail`: one line, shown as text. */
  | { readonly kind: 'disconnected'; readonly problem: FleetProblem; readonly detail: string; readonly at: number };

/** A machine as a window knows it. */
export interface FleetMachine {
  readonly name: string;
  /** Null while only agents of it are known, or if it uses a later version. */
  readonly record: MachineRecord | null;
  /** `version`: it runs a later version of Unstuck that this one cannot read. `stopped`: its relay ended. */
  readonly presence: 'live' | 'silent' | 'stopped' | 'version';
  /** When it last sent anything, by the clock of this machine, milliseconds since the epoch. */
  readonly lastSeenAt: number;
  /** Milliseconds by which its clock is ahead of this one's; 0 until something was received live. */
  readonly aheadMs: number;
  /** Number of its records that could not be read since the connection was made. */
  readonly refused: number;
}

/** Names one agent of one machine. */
export interface FleetAgentId {
  readonly machine: string;
  /** `sessionKey` of the session. */
  readonly key: string;
}

export interface FleetAgent extends FleetAgentId {
  /** Its times are those of its own machine; `view` has them by this one's clock. */
  readonly record: AgentRecord;
  readonly view: AgentView;
}

export interface FleetChange {
  /** Names of the machines that came, went or changed. */
  readonly machines: readonly string[];
  readonly agents: readonly FleetAgentId[];
}

/** Request of a person; id, viewer and times are added when it is sent. */
export type FleetMessage = Pick<MessageRecord, 'machine' | 'key' | 'action' | 'text'> &
  Partial<Pick<MessageRecord, 'incident' | 'attempt' | 'restart' | 'expiresInMs'>>;

/** State of a message: `sending`: no server has it; `sent`: the server has it; `lost`: neither was known in time; the rest are receipts. */
export type SendingState = 'sending' | 'sent' | 'lost' | ReceiptRecord['state'];

export interface SendingStep {
  readonly state: SendingState;
  /** Time by the clock of this machine. */
  readonly at: number;
  readonly reason?: string;
  readonly outcome?: 'changed' | 'same';
}

/** One message on its way. */
export interface SentMessage {
  readonly id: string;
  readonly message: FleetMessage;
  /** Returns the steps, oldest first, never empty. */
  steps(): readonly SendingStep[];
  readonly onDidChange: (listener: (step: SendingStep) => void) => Disposable;
}

/** Agents on other machines, as one window sees them. It reconnects until it is disposed. */
export interface FleetClient extends Disposable {
  status(): FleetStatus;
  readonly onDidChangeStatus: (listener: (status: FleetStatus) => void) => Disposable;
  /** Returns the machines, sorted by name. */
  machines(): readonly FleetMachine[];
  /** Returns the agents of the current run of one machine, or of all machines if none is named. */
  agents(machine?: string): readonly FleetAgent[];
  agent(id: FleetAgentId): FleetAgent | undefined;
  /** Calls the listener at most ten times a second. Presence counts too: a machine that falls silent is a change. */
  readonly onDidChange: (listener: (change: FleetChange) => void) => Disposable;
  /** Returns the events that its machine sent about an agent, oldest first, at most the newest 100. */
  timeline(id: FleetAgentId): Promise<Result<readonly EventRecord[], FleetProblem>>;
  /** Sends a message. It is on its way until a final receipt. */
  send(message: FleetMessage): Result<SentMessage, 'unknown_agent' | 'not_allowed' | 'too_large' | 'too_many'>;
  /** Returns the actions that the agent accepts now. */
  accepts(id: FleetAgentId): readonly FleetAction[];
}
