/** One program to run to its end. */
export interface ProcessRequest {
  /** A program, or with `shell` a whole command line. Never out of a transcript, a message or a workspace's own settings. */
  readonly command: string;
  readonly args?: readonly string[];
  readonly shell?: boolean;
  /** Absolute. */
  readonly cwd: string;
  /** Added to the environment of this process; `undefined` takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  /** Standard input and output are bytes, one character each; else they are UTF-8. */
  readonly bytes?: boolean;
  /** After it the program and all its children are ended. Milliseconds. */
  readonly timeoutMs: number;
  /** Bytes kept of each stream: the first quarter and the last three. The rest is counted and dropped. */
  readonly maxBytes: number;
  /** Ends the program and its children. */
  readonly signal?: AbortSignal;
}

export interface ProcessOutcome {
  /** `exited`: it ran to its end, `code` says how. `not_started`: no such program, or it may not be run; `stderr` says why. */
  readonly ended: 'exited' | 'killed' | 'timed_out' | 'cancelled' | 'not_started';
  /** Exit code; null where it did not exit by itself. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes of both streams that were not kept. */
  readonly dropped: number;
  /** Wall time, milliseconds. */
  readonly ms: number;
}

/** Runs programs for gates and checkpoints, which decide but do not start anything themselves. */
export interface Processes {
  run(request: ProcessRequest): Promise<ProcessOutcome>;
}
