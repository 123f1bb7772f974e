import { type FSWatcher, watch } from 'node:fs';
import type { Timers } from '../../base/beat';
import type { Disposable } from '../../base/util/disposable';

export interface FolderWatchOptions {
  readonly folder: string;
  readonly clock: Timers;
  /** Timers of checks without a report. */
  readonly beat: Timers;
  /** Awaited before it is called again. */
  readonly onChange: () => Promise<void>;
}

/** Interval at which journals of other windows are read even if the system reports nothing: no watcher reports everything. */
const SWEEP_MS = 2_000;
/** The interval grows up to this while the watcher works and reports nothing. */
const SLOWEST_MS = 60_000;
/** Changes that are closer together than this are handled in one check. */
const SETTLE_MS = 25;

/** Calls `onChange` when something in a folder changes, and at an interval of two seconds to a minute. */
export function watchFolder(options: FolderWatchOptions): Disposable {
  let watcher: FSWatcher | null = null;
  let soon: Disposable | null = null;
  let sweep: Disposable | null = null;
  let intervalMs = SWEEP_MS;
  const state = { ended: false, busy: false, wanted: false };

  const arm = () => {
    if (watcher) return;
    try {
      watcher = watch(options.folder, { persistent: false }, () => {
        intervalMs = SWEEP_MS;
        soon ??= options.clock.after(SETTLE_MS, () => {
          soon = null;
          look();
        });
      });
      // A deleted folder, or too many watches: the sweep continues and arms the watcher again.
      watcher.on('error', disarm);
    } catch {
      watcher = null;
    }
  };
  const disarm = () => {
    watcher?.close();
    watcher = null;
    intervalMs = SWEEP_MS;
  };
  const look = () => {
    state.wanted = true;
    if (state.busy || state.ended) return;
    state.busy = true;
    void lookUntilQuiet();
  };
  const lookUntilQuiet = async () => {
    while (state.wanted && !state.ended) {
      state.wanted = false;
      await options.onChange().catch(disarm);
    }
    state.busy = false;
  };
  const sweepOnce = () => {
    intervalMs = watcher ? Math.min(2 * intervalMs, SLOWEST_MS) : SWEEP_MS;
    arm();
    look();
    if (!state.ended) sweep = options.beat.after(intervalMs, sweepOnce);
  };

  arm();
  sweep = options.beat.after(SWEEP_MS, sweepOnce);
  return {
    dispose() {
      state.ended = true;
      soon?.dispose();
      sweep?.dispose();
      disarm();
    },
  };
}
