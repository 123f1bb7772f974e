/**
 * State of another machine: `silent` nothing was received from it in time; `stopped` the program that reports its agents has
 * ended; `version` it reports in a later version.
 */
export type Presence = 'live' | 'silent' | 'stopped' | 'version';

/** Another machine whose agents are seen here. */
export interface Machine {
  readonly name: string;
  readonly presence: Presence;
  /** When it was last heard of, milliseconds since the epoch by the clock of this machine. */
  readonly lastSeenAt: number;
}

/** Action that can be requested for an agent on another machine, where that machine allows it. */
export type MachineAct = 'nudge' | 'stop' | 'restart';

/** The machine of an agent that does not run on this one. */
export interface MachineOfAgent extends Machine {
  readonly accepts: readonly MachineAct[];
}

/** Why there is no connection to the agents of other machines, or not the whole of it. */
export type FleetProblem =
  /** No server answers. It is tried again. */
  | 'unreachable'
  /** The server does not know these credentials, or knows them no more. Not tried again before something changes. */
  | 'credentials'
  /** The file holds no credentials. */
  | 'no_credentials'
  /** An address that is none. */
  | 'address'
  /** The server does not prove that it is the one: it offers no TLS, or a certificate that is not trusted. */
  | 'no_tls'
  /** The fleet was set up in plain text on loopback, by an earlier version: no server can prove that it is the one. */
  | 'no_certificate'
  /** The server lets these credentials do less than is needed. */
  | 'permission'
  /** Bucket or streams are missing: `unstuck fleet create` was not run. */
  | 'not_prepared'
  /** The server has no room for more. */
  | 'full'
  /** No answer in time. */
  | 'timeout';
