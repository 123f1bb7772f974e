import { createThreadedCatalogue } from './catalogue/threaded';
import type { StoreOptions } from './options';
import { openStoreOver } from './store';
import type { IncidentStore } from './types';
import { rebuild } from './snapshot/rebuild';
import type { SqlEngine } from './snapshot/sql-engine';
import { type Catalogue, createCatalogue } from './catalogue/catalogue';
import { type CataloguePort, callCatalogue, portOf } from './catalogue/port';

/** Opens the incidents of a folder for a command, which has nothing else to do while the history is queried. */
export function openStore(options: StoreOptions): Promise<IncidentStore> {
  return openStoreOver(options, createLocalCatalogue);
}

/**
 * Opens the incidents of a folder for a window: the history is queried in a separate thread.
 *
 * @param worker path of `history-worker.js`
 */
export function openThreadedStore(options: StoreOptions, worker: string): Promise<IncidentStore> {
  return openStoreOver(options, (engine) => createThreadedCatalogue(worker, engine));
}

/** Creates a catalogue in this thread, for a command, which has nothing else to do meanwhile. */
function createLocalCatalogue(engine: SqlEngine): CataloguePort {
  let catalogue: Catalogue | null = null;
  return portOf(
    async (what, values) => {
      catalogue ??= createCatalogue(await engine());
      return callCatalogue(catalogue, what, values);
    },
    {
      rebuild: (job, remembered) => rebuild(job, remembered, engine),
      onDidEnd: () => {},
      close: async () => {
        catalogue?.close();
        catalogue = null;
      },
    },
  );
}
