import { createLocalCatalogue } from './catalogue/local';
import { createThreadedCatalogue } from './catalogue/threaded';
import type { StoreOptions } from './options';
import { openStoreOver } from './store';
import type { IncidentStore } from './types';

/** Opens the incidents of a folder for a command, which has nothing else to do while the history is queried. */
export function openStore(options: StoreOptions): Promise<IncidentStore> {
  return openStoreOver(options, createLocalCatalogue);
}

/**
 * Opens the incidents of a folder for a window: the history is queried in a thread of its own.
 *
 * @param worker path of `history-worker.js`
 */
export function openThreadedStore(options: StoreOptions, worker: string): Promise<IncidentStore> {
  return openStoreOver(options, (engine) => createThreadedCatalogue(worker, engine));
}
