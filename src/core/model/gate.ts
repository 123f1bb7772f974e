/** State of one gate. `not_run`: it returned no verdict, for the reason in `reason`, and therefore blocks nothing. */
export type GateStatus = 'passed' | 'failed' | 'skipped' | 'running' | 'not_run';

/** One failing test, or one complaint of a compiler or linter. */
export interface GateFailure {
  /** As the program printed it: absolute, or relative to where it ran. */
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  /** 1-based. */
  readonly column?: number;
  /** One line, at most 300 characters, redacted. */
  readonly message: string;
  /** Name of the test with its enclosing groups: `sums > of nothing`. */
  readonly test?: string;
}

/** Result of one quality gate (docs/gates.md). */
export interface GateResult {
  readonly id: string;
  /** For a person and for the agent: `tests`, `lint`, `build`. */
  readonly name: string;
  /** The command line that ran, or would have run. */
  readonly command: string;
  readonly status: GateStatus;
  /** Reason why it was skipped or not run: `needs build`, `stopped after 300 s`. Empty otherwise. */
  readonly reason: string;
  /** `1 failed, 46 passed`, `3 problems`, `exit code 1`; empty where there is nothing to report. */
  readonly summary: string;
  /** At most 50. */
  readonly failures: readonly GateFailure[];
  /** Number of failures, and the total, where the program reported them. */
  readonly failed?: number;
  readonly total?: number;
  /** When it began, in milliseconds since the epoch; 0 if it has not begun. */
  readonly startedAt: number;
  /** Run time, milliseconds; 0 while it runs. */
  readonly ms: number;
  /** The end of its output, redacted, at most 4,000 characters; empty for a gate that passed. */
  readonly output: string;
}

/**
 * `none`: no gate failed, but at least one that mattered returned no verdict. `cancelled`: a person stopped the run, or a newer
 * one replaced it.
 */
export type GateVerdict = 'running' | 'passed' | 'failed' | 'none' | 'cancelled';

/** One run of all quality gates over a folder. */
export interface GateReport {
  readonly folder: string;
  readonly cause: 'claim' | 'command';
  /** The words of the claim: `TASK_COMPLETE`, `the end of the turn`. Empty for a run by command. */
  readonly claim: string;
  readonly startedAt: number;
  /** Null while it runs. */
  readonly endedAt: number | null;
  readonly verdict: GateVerdict;
  readonly results: readonly GateResult[];
  /** Number of failed claims in a row, including this one; 0 unless it failed. */
  readonly attempt: number;
  /** Id of the inbox message with the feedback. */
  readonly message?: string;
  /** Reason why the failure was not sent to the agent. */
  readonly notSent?: string;
}
