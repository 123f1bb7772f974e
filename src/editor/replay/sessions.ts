import { Emitter } from '../../base/util/emitter';

/** The sessions of replays: never kept, marked as what they are, and out of all lists once their replay was stopped. */
export class Replays {
  /** Session → is it still shown? */
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

  /** Those that are still shown. */
  shown(): readonly string[] {
    return [...this.sessions].filter(([, isShown]) => isShown).map(([session]) => session);
  }

  /** All that were played so far go out of the lists. */
  stop(): void {
    const shown = this.shown();
    for (const session of shown) this.sessions.set(session, false);
    if (shown.length > 0) this.stopped.fire();
  }
}
