/**
 * State of another machine. `silent`: nothing was received from it in time. `stopped`: the program that reports its agents has ended. `version`: it
 * reports in a later version.
 */
export type Presence = 'live' | 'silent' | 'stopped' | 'version';

/** Another machine whose agents are shown here. */
export interface Machine {
  readonly name: string;
  readonly presence: Presence;
  /** When it last sent something, in milliseconds since the epoch by the clock of this machine. */
  readonly lastSeenAt: number;
}

/** Action that can be requested for an agent on another machine, where that machine allows it. */
export type MachineAct = 'nudge' | 'stop' | 'restart';

/** The machine of an agent that runs elsewhere. */
export interface MachineOfAgent extends Machine {
  readonly accepts: readonly MachineAct[];
}

/** Reasons why there is no connection, or only a partial one, to the agents of other machines. */
export type FleetProblem =
  /** No server answers. The connection is retried. */
  | 'unreachable'
  /** The server does not accept these credentials, or no longer does. Not retried before something changes. */
  | 'credentials'
  /** The file contains no credentials. */
  | 'no_credentials'
  /** The address is not valid. */
  | 'address'
  /** The server does not prove its identity: it offers no TLS, or a certificate that is not trusted. */
  | 'no_tls'
  /** The fleet was set up by an earlier version, in plain text on loopback: no server can prove its identity. */
  | 'no_certificate'
  /** The server does not permit everything that is needed with these credentials. */
  | 'permission'
  /** A bucket or streams are missing: `unstuck fleet create` was not run. */
  | 'not_prepared'
  /** The server has no more room. */
  | 'full'
  /** There was no answer in time. */
  | 'timeout';
