import {
  armFolder,
  disarmFolder,
  type GateFileState,
  removeGateFile,
  watchEnds,
  writeGateFile,
} from '../../agents/inbox';
import type { Disposable } from '../../base/util/disposable';
import type { Log } from '../../base/util/log';
import { isProcessAlive } from '../../base/util/process';

/** Milliseconds for which an armed gate is valid: an agent that edits again arms it again. */
const ARMED_FOR = 4 * 3_600_000;

/**
 * Writes files for a hook that waits for a verdict: `gate.json` for the sessions that it may wait for, and one for each folder whose sessions are
 * judged as soon as they are known. Written in the order of the calls; all are removed when this window stops publishing verdicts.
 */
export class VerdictFiles {
  private readonly written = new Map<string, { root: string; state: GateFileState }>();
  private readonly armed = new Set<string>();
  private readonly watched = new Map<string, Disposable>();
  private readonly queues = new Map<string, Promise<void>>();
  private stopped = false;

  constructor(
    private readonly pid: number,
    private readonly now: () => number,
    private readonly log: Log,
    /** Called when a waiting hook says that the turn of its session ends. */
    private readonly ended: (session: string, at: number) => void,
  ) {}

  state(session: string): GateFileState | undefined {
    return this.written.get(session)?.state;
  }

  /** Announces that claims in exactly these folders are judged from now on, even for sessions that are not known yet. */
  async armFolders(roots: readonly string[]): Promise<void> {
    for (const root of this.armed) if (!roots.includes(root)) this.disarm(root);
    for (const root of roots) {
      if (this.stopped || this.armed.has(root)) continue;
      this.armed.add(root);
      const done = await armFolder(root, this.pid, isProcessAlive);
      if (!done.ok) {
        this.log.warn(done.error.message);
        this.armed.delete(root);
      }
      // It was disarmed while it was written.
      if (!this.armed.has(root)) disarmFolder(root, this.pid);
    }
  }

  isArmed(root: string): boolean {
    return this.armed.has(root);
  }

  /** Publishes the state of a session. `waitMs`: how long a hook may wait from its call on. */
  publish(root: string, session: string, state: GateFileState, waitMs: number): Promise<void> {
    if (this.stopped) return Promise.resolve();
    this.written.set(session, { root, state });
    const before = this.queues.get(session) ?? Promise.resolve();
    const next = before.then(async () => {
      if (this.stopped || this.written.get(session)?.state !== state) return;
      const at = this.now();
      const until = at + (state === 'running' ? waitMs : ARMED_FOR);
      const done = await writeGateFile(root, { v: 1, session, state, at, until, wait: waitMs, pid: this.pid });
      if (!done.ok) this.log.warn(done.error.message);
      const there = this.written.get(session);
      // It was removed while it was written.
      if (this.stopped || there?.root !== root) removeGateFile(root, session, this.pid);
      // A hook must not wait by an older state, and the next one must be written.
      else if (!done.ok && there.state === state) this.remove(session);
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

  /** Removes the files of sessions that belong to another folder by now. */
  removeMoved(rootOf: (session: string) => string | undefined): void {
    for (const [session, { root }] of this.written) if (rootOf(session) !== root) this.remove(session);
  }

  removeAll(): void {
    for (const session of this.written.keys()) this.remove(session);
    for (const root of this.armed) this.disarm(root);
  }

  private disarm(root: string): void {
    this.armed.delete(root);
    disarmFolder(root, this.pid);
  }

  dispose(): void {
    this.stopped = true;
    this.removeAll();
  }
}
