import { Worker } from 'node:worker_threads';
import { fail, ok, type Result } from '../../base/util/result';
import type { ThreadAnswer, ThreadQuestion } from './thread-messages';
import type { SqlImage, SqlReader, SqlRow } from './reader';

/** Idle time in milliseconds after which the thread is ended: it holds the memory of the databases it has seen. */
const IDLE_MS = 120_000;

type Settle = (result: ThreadAnswer['result']) => void;
type WithoutNumber = ThreadQuestion extends infer Q ? (Q extends ThreadQuestion ? Omit<Q, 'request'> : never) : never;

/**
 * Reads databases in a separate thread, which is started at the first query, and again after it died (a database too large for the memory).
 *
 * @param script path of `sqlite-worker.js`, which must be next to `sql-wasm.wasm`.
 */
export function createThreadedReader(script: string): SqlReader {
  let thread: Worker | null = null;
  let requests = 0;
  let images = 0;
  let idle: NodeJS.Timeout | null = null;
  const waiting = new Map<number, Settle>();

  const ended = (worker: Worker, why: string): void => {
    if (thread !== worker) return;
    thread = null;
    const left = [...waiting.values()];
    waiting.clear();
    for (const settle of left) settle(fail(why));
  };

  const start = (): Worker => {
    const worker = new Worker(script);
    worker.on('message', ({ request, result }: ThreadAnswer) => {
      const settle = waiting.get(request);
      waiting.delete(request);
      if (waiting.size === 0) rest(worker);
      settle?.(result);
    });
    worker.on('error', (error) => ended(worker, error.message.slice(0, 200)));
    worker.on('exit', () => ended(worker, 'the reader of databases ended'));
    return worker;
  };

  /** Lets the process end while no request is open, and ends the idle thread. */
  const rest = (worker: Worker): void => {
    worker.unref();
    if (idle) clearTimeout(idle);
    idle = setTimeout(() => {
      if (thread !== worker || waiting.size > 0) return;
      thread = null;
      void worker.terminate();
    }, IDLE_MS);
    idle.unref();
  };

  const query = (
    question: WithoutNumber,
    given: readonly ArrayBuffer[] = [],
  ): Promise<Result<readonly SqlRow[], string>> =>
    new Promise((settle) => {
      try {
        thread ??= start();
        const number = ++requests;
        waiting.set(number, settle);
        thread.ref();
        thread.postMessage({ ...question, request: number } satisfies ThreadQuestion, [...given]);
      } catch (error) {
        settle(fail(error instanceof Error ? error.message.slice(0, 200) : 'the reader of databases did not start'));
      }
    });

  return {
    async open(database, log) {
      const image = ++images;
      const opened = await query({ type: 'open', image, database, log }, buffersOf(database, log));
      if (!opened.ok) return opened;
      const of = thread;
      const open: SqlImage = {
        // After a crash, the new thread does not know this image.
        rows: (sql, parameters = []) =>
          thread === of
            ? query({ type: 'rows', image, sql, parameters })
            : Promise.resolve(fail('the database was closed')),
        close: async () => void (thread === of && (await query({ type: 'close', image }))),
      };
      return ok(open);
    },
  };
}

/** Returns memory that can be transferred instead of copied: buffers that contain nothing but these bytes. */
function buffersOf(database: Uint8Array, log: Uint8Array | null): readonly ArrayBuffer[] {
  return [database, log].flatMap((bytes) => {
    const buffer = bytes?.buffer;
    return buffer instanceof ArrayBuffer && bytes !== null && bytes.byteLength >= buffer.byteLength - 64
      ? [buffer]
      : [];
  });
}
