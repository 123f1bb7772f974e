import type { LivenessProbe, LocateEnvironment } from '../transcripts';
import type { AgentId } from '../../core/model';
import type { SupervisedProcess, StopPatience } from './agent-process';
import type { Channel, Restart } from './channel';
import type { RestartLimits } from './limits';
import type { Streams } from './streams';

/** Action of the supervisor, for the person and for `--json`. */
export interface SupervisorEvent {
  readonly event: 'started' | 'session' | 'delivered' | 'stopping' | 'restarting' | 'refused' | 'ended';
  /** One sentence. */
  readonly message: string;
  readonly session?: string;
  /** Id of the inbox message that requested it. */
  readonly id?: string;
  readonly reason?: string;
}

export interface SuperviseOptions {
  readonly agent: AgentId;
  /** A program and its arguments, from the person's own command line. */
  readonly command: readonly string[];
  /** Workspace folder in which the command runs, and which holds the inbox. Absolute. */
  readonly folder: string;
  /** The session whose messages are for this command; if absent, it is learned from the agent's output. */
  readonly session?: string;
  /** Further arguments for each start with the agent's template. */
  readonly args?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly streams: Streams;
  readonly environment: LocateEnvironment;
  readonly probe: LivenessProbe;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly report: (event: SupervisorEvent) => void;
  /** Calls back for each signal received; returns a function that unsubscribes. */
  readonly onSignal: (listener: (signal: NodeJS.Signals) => void) => () => void;
  readonly limits?: RestartLimits;
  readonly patience?: StopPatience;
}

/** The program that is running now, and its channel. */
export interface Current {
  readonly running: SupervisedProcess;
  readonly channel: Channel;
}

/** A program to be started. */
export type StartCommand = Extract<Restart, { how: 'start' }>;

/** Name of the supervisor in its receipts. */
export const SUPERVISOR = 'supervisor';
