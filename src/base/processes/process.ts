/** One program that is run to its end. */
export interface ProcessRequest {
  /** A program, or with `shell` a whole command line. Never taken from a transcript, a message or a workspace's own settings. */
  readonly command: string;
  readonly args?: readonly string[];
  readonly shell?: boolean;
  /** Absolute. */
  readonly cwd: string;
  /** Added to the environment of this process; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  /** True if standard input and output are bytes, one character each; otherwise they are UTF-8. */
  readonly bytes?: boolean;
  /** Milliseconds after which the program and all its children are ended. */
  readonly timeoutMs: number;
  /** Bytes kept of each stream: the first quarter and the last three. The rest is counted and dropped. */
  readonly maxBytes: number;
  /** Ends the program and its children. */
  readonly signal?: AbortSignal;
}

export interface ProcessOutcome {
  /** `exited`: it ran to its end with `code`. `not_started`: the program does not exist or may not be run; `stderr` holds the reason. */
  readonly ended: 'exited' | 'killed' | 'timed_out' | 'cancelled' | 'not_started';
  /** Exit code; null where it did not exit on its own. */
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
