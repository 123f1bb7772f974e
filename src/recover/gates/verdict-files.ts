import { type GateFileState, removeGateFile, watchEnds, writeGateFile } from '../../agents/inbox';
import type { Disposable } from '../../base/util/disposable';
import type { Log } from '../../base/util/log';

/** Milliseconds that an armed gate counts: an agent that edits again arms it again. */
const ARMED_FOR = 4 * 3_600_000;

/**
 * Files for a hook that waits for a verdict: `gate.json` of the sessions that it may wait for. Written in call order; all are
 * removed when this window stops publishing verdicts.
 */
export class VerdictFiles {
  private readonly written = new Map<string, { root: string; state: GateFileState }>();
  private readonly watched = new Map<string, Disposable>();
  private readonly queues = new Map<string, Promise<void>>();
  private stopped = false;

  constructor(
    private readonly pid: number,
    private readonly now: () => number,
    private readonly log: Log,
    /** A hook that waits says that the turn of its session ends. */
    private readonly ended: (session: string, at: number) => void,
  ) {}

  state(session: string): GateFileState | undefined {
    return this.written.get(session)?.state;
  }

  /** `waitMs`: how long a hook may wait from its call on. */
  say(root: string, session: string, state: GateFileState, waitMs: number): Promise<void> {
    if (this.stopped) return Promise.resolve();
    this.written.set(session, { root, state });
    const before = this.queues.get(session) ?? Promise.resolve();
    const next = before.then(async () => {
      if (this.stopped || this.written.get(session)?.state !== state) return;
      const at = this.now();
      const until = at + (state === 'running' ? waitMs : ARMED_FOR);
      const done = await writeGateFile(root, { v: 1, session, state, at, until, wait: waitMs, pid: this.pid });
      if (!done.ok) this.log.warn(done.error.message);
      // it was taken away while it was written
      if (this.stopped || !this.written.has(session)) removeGateFile(root, session, this.pid);
      else if (done.ok && !this.watched.has(session)) {
        const turnEnded = (when: number) => this.ended(session, when);
        this.watched.set(session, watchEnds(root, session, at, turnEnded));
      }
    });
    this.queues.set(session, next);
    return next;
  }

  remove(session: string): void {
    const there = this.written.get(session);
    if (!there) return;
    this.written.delete(session);
    this.queues.delete(session);
    this.watched.get(session)?.dispose();
    this.watched.delete(session);
    removeGateFile(there.root, session, this.pid);
  }

  removeAll(): void {
    for (const session of this.written.keys()) this.remove(session);
  }

  dispose(): void {
    this.stopped = true;
    this.removeAll();
  }
}
