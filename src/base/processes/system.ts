import { type ChildProcess, spawn } from 'node:child_process';
import { basename } from 'node:path';
import { programPath } from '../files';
import type { ProcessOutcome, ProcessRequest, Processes } from './process';

/** Time between the first signal and the kill. Milliseconds. */
const GRACE_MS = 2_000;

/**
 * Runs programs each in its own process group, so that their children end with them. A bare name is looked up in `PATH`, but never in the folder
 * where the program runs or in a folder of the workspace.
 *
 * @param workspace returns the open folders; called each time
 */
export function systemProcesses(workspace: () => readonly string[]): Processes {
  return {
    run(request) {
      const { command, shell, cwd } = request;
      if (shell === true || command !== basename(command)) return run(request);
      const program = programPath(command, [...workspace(), cwd]);
      return program === null ? Promise.resolve(missing(command)) : run({ ...request, command: program });
    },
  };
}

function missing(command: string): ProcessOutcome {
  const stderr = `${command} was not found in PATH outside of the workspace`;
  return { ended: 'not_started', code: null, stdout: '', stderr, dropped: 0, ms: 0 };
}

function run(request: ProcessRequest): Promise<ProcessOutcome> {
  const began = process.hrtime.bigint();
  const encoding = request.bytes === true ? 'latin1' : 'utf8';
  const stdout = new Kept(request.maxBytes);
  const stderr = new Kept(request.maxBytes);
  return new Promise((resolve) => {
    let why: 'timed_out' | 'cancelled' | undefined;
    const done = (ended: ProcessOutcome['ended'], code: number | null, note = '') => {
      clearTimeout(limit);
      request.signal?.removeEventListener('abort', cancel);
      resolve({
        ended,
        code,
        stdout: stdout.text(encoding),
        stderr: note === '' ? stderr.text('utf8') : note,
        dropped: stdout.dropped + stderr.dropped,
        ms: Number(process.hrtime.bigint() - began) / 1e6,
      });
    };
    const end = (reason: 'timed_out' | 'cancelled') => {
      if (why) return;
      why = reason;
      kill(child, 'SIGTERM');
      // Also if the program itself ends before: what it started may ignore the first signal.
      setTimeout(() => {
        kill(child, 'SIGKILL');
        // What has left the group may keep the output open for ever.
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, GRACE_MS);
    };
    const cancel = () => end('cancelled');
    const limit = setTimeout(() => end('timed_out'), request.timeoutMs);
    let child: ChildProcess;
    try {
      child = spawn(request.command, [...(request.args ?? [])], {
        cwd: request.cwd,
        env: { ...process.env, ...request.env },
        shell: request.shell ?? false,
        // Its own group: a build's children must not outlive it.
        detached: process.platform !== 'win32',
        windowsHide: true,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
    } catch (error) {
      done('not_started', null, error instanceof Error ? error.message : String(error));
      return;
    }
    child.on('error', (error) => {
      if (child.pid === undefined) done('not_started', null, error.message);
    });
    child.on('close', (code, signal) => done(why ?? (signal === null ? 'exited' : 'killed'), code));
    child.stdout?.on('data', (chunk: Buffer) => stdout.add(chunk));
    child.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk));
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(request.input ?? '', encoding);
    if (request.signal?.aborted) cancel();
    else request.signal?.addEventListener('abort', cancel);
  });
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}

/** Keeps the beginning and the end of an output of any length: a quarter of the limit from its beginning, three quarters from its end. */
class Kept {
  dropped = 0;
  private readonly head: Buffer[] = [];
  private headBytes = 0;
  private tail: Buffer[] = [];
  private tailBytes = 0;

  constructor(private readonly limit: number) {}

  add(chunk: Buffer): void {
    const room = Math.floor(this.limit / 4) - this.headBytes;
    const front = room > 0 ? chunk.subarray(0, room) : chunk.subarray(0, 0);
    if (front.length > 0) {
      this.head.push(Buffer.from(front));
      this.headBytes += front.length;
    }
    const rest = chunk.subarray(front.length);
    if (rest.length === 0) return;
    this.tail.push(Buffer.from(rest));
    this.tailBytes += rest.length;
    const room3 = this.limit - Math.floor(this.limit / 4);
    // Drops whole chunks as long as enough remains: constant memory, one copy at the end.
    while (this.tail.length > 1 && this.tailBytes - (this.tail[0]?.length ?? 0) >= room3) {
      const gone = this.tail.shift();
      this.tailBytes -= gone?.length ?? 0;
      this.dropped += gone?.length ?? 0;
    }
  }

  text(encoding: 'latin1' | 'utf8'): string {
    const last = Buffer.concat(this.tail);
    const room = this.limit - Math.floor(this.limit / 4);
    const kept = last.length > room ? last.subarray(last.length - room) : last;
    const dropped = this.dropped + (last.length - kept.length);
    this.dropped = dropped;
    const head = Buffer.concat(this.head);
    return dropped > 0
      ? `${head.toString(encoding)}\n… ${dropped} bytes left out …\n${kept.toString(encoding)}`
      : Buffer.concat([head, kept]).toString(encoding);
  }
}
