import type { Log } from '../base/util/log';
import type { Disposable } from '../base/util/disposable';
import type { Clock } from '../base/clock';
import type { Mail } from './ports';

/** Time after the start, when the live transcripts have been read. */
const FIRST_MS = 60_000;
const EVERY_MS = 24 * 60 * 60_000;

export interface InboxCleaningParts {
  readonly mail: Pick<Mail, 'clean'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly folders: () => readonly string[];
}

/** Cleans the inboxes of all open folders a minute after the start, a minute after the folders change, and once a day. */
export class InboxCleaning implements Disposable {
  private timer: Disposable | null = null;
  private stopped = false;

  constructor(private readonly parts: InboxCleaningParts) {}

  /** Plans the next run. A run that is already planned is postponed, so that a burst of changes causes one run. */
  plan(): void {
    this.planIn(FIRST_MS);
  }

  dispose(): void {
    this.stopped = true;
    this.timer?.dispose();
  }

  private planIn(milliseconds: number): void {
    this.timer?.dispose();
    if (!this.stopped) this.timer = this.parts.clock.after(milliseconds, () => void this.run());
  }

  private async run(): Promise<void> {
    this.planIn(EVERY_MS);
    for (const folder of this.parts.folders()) {
      try {
        await this.parts.mail.clean(folder);
      } catch (error) {
        this.parts.log.warn(`the inboxes of ${folder} could not be cleaned: ${String(error)}`);
      }
    }
  }
}
