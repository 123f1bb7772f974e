import { rebuild } from '../snapshot/rebuild';
import type { SqlEngine } from '../snapshot/sql-engine';
import { type Catalogue, createCatalogue } from './catalogue';
import { type CataloguePort, callCatalogue, portOf } from './port';

/** A catalogue in this very thread: for a command, which has nothing else to do meanwhile. */
export function createLocalCatalogue(engine: SqlEngine): CataloguePort {
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
