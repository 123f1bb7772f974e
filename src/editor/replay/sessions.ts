import { Emitter } from '../../base/util/emitter';

/** The sessions of replays. They are never kept, are marked as replays, and leave all lists once their replay was stopped. */
export class Replays {
  /** Sessions, and whether each is still shown. */
  private readonly sessions = new Map<string, boolean>();
  private readonly stopped = new Emitter<void>();
  readonly onDidStop = this.stopped.event;

  add(session: string): void {
    this.sessions.set(session, true);
  }

  has(session: string): boolean {
    return this.sessions.has(session);
  }

  isStopped(session: string): boolean {
    return this.sessions.get(session) === false;
  }

  /** Returns the sessions that are still shown. */
  shown(): readonly string[] {
    return [...this.sessions].filter(([, isShown]) => isShown).map(([session]) => session);
  }

  /** Removes all sessions played so far from the lists. */
  stop(): void {
    const shown = this.shown();
    for (const session of shown) this.sessions.set(session, false);
    if (shown.length > 0) this.stopped.fire();
  }
}
