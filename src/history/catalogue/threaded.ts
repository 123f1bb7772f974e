import { Worker } from 'node:worker_threads';
import { asStoreError, storeError } from '../errors';
import { type Rebuilt, rebuild } from '../snapshot/rebuild';
import type { SqlEngine } from '../snapshot/sql-engine';
import { type CatalogueAnswer, type CataloguePort, type CatalogueQuestion, portOf } from './port';

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs a catalogue in a worker thread: a search or the figures of a year block nothing else. Started with the first query, and again after it died.
 * If it does not run, the snapshot is rebuilt in this thread.
 *
 * @param script path of `history-worker.js`, which has `sql-wasm.wasm` next to it
 */
export function createThreadedCatalogue(script: string, engine: SqlEngine): CataloguePort {
  let thread: Worker | null = null;
  let requests = 0;
  let isClosed = false;
  let onEnd: () => void = () => {};
  const waiting = new Map<number, Pending>();

  const ended = (worker: Worker, why: unknown): void => {
    if (thread !== worker) return;
    thread = null;
    const left = [...waiting.values()];
    waiting.clear();
    onEnd();
    for (const { reject } of left) reject(storeError('engine_missing', why));
  };

  const start = (): Worker => {
    const worker = new Worker(script);
    worker.on('message', ({ request, value, failed, reason }: CatalogueAnswer) => {
      const pending = waiting.get(request);
      waiting.delete(request);
      // The process may end while no query is open.
      if (waiting.size === 0) worker.unref();
      if (failed === undefined) pending?.resolve(value);
      else pending?.reject(storeError(reason ?? 'engine_missing', failed));
    });
    worker.on('error', (error) => ended(worker, error));
    worker.on('exit', (code) => ended(worker, `the thread of the history ended with ${code}`));
    return worker;
  };

  const query = (what: CatalogueQuestion['what'], values: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(storeError('closed'));
      try {
        thread ??= start();
        const request = ++requests;
        waiting.set(request, { resolve, reject });
        thread.ref();
        thread.postMessage({ request, what, values } satisfies CatalogueQuestion);
      } catch (error) {
        reject(storeError('engine_missing', error));
      }
    });

  return portOf(query, {
    rebuild: (job, remembered) =>
      (query('rebuild', [job, remembered]) as Promise<Rebuilt | null>).catch((error: unknown) => {
        if (asStoreError(error).code !== 'engine_missing') throw error;
        return rebuild(job, remembered, engine);
      }),
    onDidEnd: (listener) => {
      onEnd = listener;
    },
    close: async () => {
      isClosed = true;
      await thread?.terminate();
    },
  });
}
