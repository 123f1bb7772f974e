import type * as vscode from 'vscode';
import { ask } from './ask';
import { Emitter } from '../../base/util/emitter';
import { cannotWatch } from '../../core/words';
import type { Services } from '../services';

const NOTIFIED_KEY = 'unstuck.toldCannotWatch';

/** Knows whether the system refuses to watch files, so that they are polled. Warns a person once a day: polling does no harm, but has a cost. */
export class WatchFailureNotice implements vscode.Disposable {
  private failed = false;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly subscription: { dispose(): void };

  constructor(
    private readonly services: Services,
    private readonly showLog: () => void,
  ) {
    this.subscription = services.engine.onDidFailWatching((failure) => {
      this.failed = failure !== null;
      if (failure)
        services.log.warn(`the watcher failed (${failure.code}); ${failure.polled} folders are checked every 2 s`);
      this.changed.fire();
      if (failure) void this.notify(failure.code);
    });
  }

  get isFailed(): boolean {
    return this.failed;
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private async notify(code: string): Promise<void> {
    const { globalState } = this.services.context;
    const today = new Date(this.services.now()).toDateString();
    if (globalState.get(NOTIFIED_KEY) === today) return;
    await globalState.update(NOTIFIED_KEY, today);
    const notice = cannotWatch(code);
    if ((await ask(notice)) === 'Show Log') this.showLog();
  }
}
