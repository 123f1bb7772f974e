/** How much is known of another machine: `silent` nothing was heard of it in time; `stopped` what reports its agents has ended; `version` it reports in a later version. */
export type Presence = 'live' | 'silent' | 'stopped' | 'version';

/** Another machine whose agents are seen here. */
export interface Machine {
  readonly name: string;
  readonly presence: Presence;
  /** When it was last heard of, milliseconds since the epoch by the clock of this machine. */
  readonly lastSeenAt: number;
}

/** What can be asked of an agent on another machine, where that machine allows it. */
export type MachineAct = 'nudge' | 'stop' | 'restart';

/** The machine of an agent that does not run on this one. */
export interface MachineOfAgent extends Machine {
  readonly accepts: readonly MachineAct[];
}
