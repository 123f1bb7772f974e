// The history of a window, kept on disk, and what it says about an incident, as in the extension.
import { join } from 'node:path';

/** @returns {Promise<{ store: object, before: { of: (incident: object) => object | undefined }, close: () => Promise<void> }>} */
export async function keepHistory({ parts, folder, watcher, sandbox }) {
  const log = {
    debug() {},
    info() {},
    warn: (text) => watcher.notes.push(text),
    error: (text) => watcher.notes.push(text),
  };
  const store = await parts.openStore({
    folder: join(sandbox.root, 'storage/incidents'),
    wasm: join(folder, 'sql-wasm.wasm'),
    clock: parts.systemClock,
    window: 'one',
    log,
  });
  const keeping = parts.keepHistory({ engine: watcher.engine, store, log });
  const before = new parts.BeforeCache({ store, now: Date.now, log });
  return {
    store,
    before,
    close: async () => {
      keeping.dispose();
      before.dispose();
      await store.close();
    },
  };
}
