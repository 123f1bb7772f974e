import { type ChildProcess, spawn } from 'node:child_process';
import type { LivenessProbe } from '../transcripts';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Reason why it could not be started. */
  readonly error?: string;
}

/** Milliseconds for which a program may take to end after each step. */
export interface StopPatience {
  readonly requested: number;
  readonly terminated: number;
}

/** An agent ends its turn and writes its last lines within a second; five seconds leave room for a slow machine. */
export const PATIENCE: StopPatience = { requested: 5_000, terminated: 5_000 };

/** One running program with piped standard streams, in its own process group. */
export class SupervisedProcess {
  readonly ended: Promise<Ended>;
  private readonly startedAs: string | null;
  private over = false;
  /** No process holds its standard streams any more. */
  private closed = false;

  constructor(
    readonly child: ChildProcess,
    private readonly probe: Pick<LivenessProbe, 'processStart'>,
  ) {
    this.startedAs = child.pid === undefined ? null : probe.processStart(child.pid);
    this.ended = new Promise((done) => {
      child.on('error', (error) => {
        if (child.pid !== undefined) return;
        this.over = true;
        done({ code: null, signal: null, error: error.message });
      });
      child.on('exit', () => {
        this.over = true;
      });
      child.on('close', (code, signal) => {
        this.closed = true;
        done({ code, signal });
      });
    });
    child.stdin?.on('error', () => undefined);
  }

  /** Returns whether this process is still the one that was started. Process ids are reused. */
  isRunning(): boolean {
    const { pid } = this.child;
    if (this.over || pid === undefined) return false;
    const now = this.probe.processStart(pid);
    return now !== null && now === this.startedAs;
  }

  /** Passes a signal on to the program and its children; false if none of them is running any more. */
  signal(signal: NodeJS.Signals): boolean {
    const { pid } = this.child;
    if (pid === undefined || !(this.isRunning() || this.leftChildren(pid))) return false;
    try {
      if (process.platform === 'win32') this.child.kill(signal);
      else process.kill(-pid, signal);
      return true;
    } catch {
      return false;
    }
  }

  /** True if the program has ended, but its children still hold its streams, and no other process has taken its id. */
  private leftChildren(pid: number): boolean {
    return this.over && !this.closed && process.platform !== 'win32' && this.probe.processStart(pid) === null;
  }

  /**
   * Ends the program: first through its own channel, then by signals.
   *
   * @param request sends the request through the program's own channel; false: it has none
   * @param first the signal that the program understands as a request to end
   */
  async end(request: () => boolean, first: NodeJS.Signals, patience: StopPatience): Promise<Ended> {
    if (request()) {
      this.child.stdin?.end();
      if (await this.endsWithin(patience.requested)) return this.ended;
    }
    const steps = first === 'SIGTERM' ? (['SIGTERM'] as const) : ([first, 'SIGTERM'] as const);
    for (const signal of steps) {
      if (!this.signal(signal)) return this.ended;
      if (await this.endsWithin(patience.terminated)) return this.ended;
    }
    this.signal('SIGKILL');
    return this.ended;
  }

  private async endsWithin(milliseconds: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((done) => {
      timer = setTimeout(() => done(false), milliseconds);
    });
    const ended = await Promise.race([this.ended.then(() => true), late]);
    clearTimeout(timer);
    return ended;
  }
}

/** Starts a program. No shell parses its arguments. */
export function startProcess(
  argv: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: NodeJS.ProcessEnv;
    readonly input: 'passed_on' | 'closed';
    readonly probe: Pick<LivenessProbe, 'processStart'>;
  },
): SupervisedProcess {
  const child = spawn(argv[0] ?? '', argv.slice(1), {
    cwd: options.cwd,
    env: options.env,
    // A separate group: its children end with it, and a signal of the terminal reaches it only once, through us.
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: [options.input === 'closed' ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  return new SupervisedProcess(child, options.probe);
}

/** Returns the exit code that a shell would return. */
export function shellExitCode({ code, signal, error }: Ended): number {
  if (error !== undefined) return 127;
  return code ?? 128 + (signal === null ? 0 : (SIGNAL_NUMBERS[signal] ?? 0));
}

const SIGNAL_NUMBERS: Readonly<Partial<Record<NodeJS.Signals, number>>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGTERM: 15,
};
