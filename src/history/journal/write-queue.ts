import type { Disposable } from '../../base/util/disposable';
import { type StoreError, asStoreError, storeError } from '../errors';
import type { StoreRecord } from './records';

export interface WriteQueueOptions {
  /** Resolves when the records are on disk. Never called again while a call is under way. */
  readonly write: (records: readonly StoreRecord[]) => Promise<void>;
  readonly after: (milliseconds: number, run: () => void) => Disposable;
  /** Called after each write with its error, or null. */
  readonly onResult: (error: StoreError | null) => void;
}

export interface WriteQueue {
  /**
   * Resolves when the record is on disk. A later record with the same key replaces one that is still waiting.
   *
   * @param delayMs how long it may wait for others; 0 writes now
   */
  add(key: string, record: StoreRecord, delayMs: number): Promise<void>;
  /** Writes what waits, including what failed before. Rejects if it fails again. */
  flush(): Promise<void>;
  /** Runs between two writes. */
  exclusively<T>(run: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Retry interval of a failed write, unless the next record comes first. */
const RETRY_MS = 30_000;
/** Records that wait while the disk is full; beyond that number the oldest are dropped. */
const MOST_WAITING = 2_000;

interface Batch {
  readonly records: Map<string, StoreRecord>;
  readonly waiters: { resolve: () => void; reject: (error: StoreError) => void }[];
}

/** Turns many records into one write and one sync: records that arrive during a write are written together with the next. */
export function createWriteQueue(options: WriteQueueOptions): WriteQueue {
  let waiting: Batch = { records: new Map(), waiters: [] };
  const failed = new Map<string, StoreRecord>();
  let timer: { readonly due: number; readonly handle: Disposable } | null = null;
  let retry: Disposable | null = null;
  let chain: Promise<unknown> = Promise.resolve();
  let isFlushQueued = false;
  let isClosed = false;

  function exclusively<T>(run: () => Promise<T>): Promise<T> {
    const result = chain.then(run);
    chain = result.catch(() => {});
    return result;
  }

  async function writeWaiting(): Promise<void> {
    const batch = waiting;
    if (batch.records.size === 0 && failed.size === 0) return;
    waiting = { records: new Map(), waiters: [] };
    timer?.handle.dispose();
    timer = null;
    retry?.dispose();
    retry = null;
    // A newer record with the same key replaces a failed one.
    const records = new Map([...failed, ...batch.records]);
    try {
      await options.write([...records.values()]);
    } catch (cause) {
      const error = asStoreError(cause);
      for (const [key, record] of batch.records) {
        failed.delete(key);
        failed.set(key, record);
      }
      for (const key of failed.keys()) {
        if (failed.size <= MOST_WAITING) break;
        failed.delete(key);
      }
      if (!isClosed) retry = options.after(RETRY_MS, () => void flush().catch(() => {}));
      options.onResult(error);
      for (const waiter of batch.waiters) waiter.reject(error);
      throw error;
    }
    failed.clear();
    options.onResult(null);
    for (const waiter of batch.waiters) waiter.resolve();
  }

  function flush(): Promise<void> {
    return exclusively(writeWaiting);
  }

  /** One flush after the current one is enough for everything that arrives meanwhile. */
  function flushSoon(): void {
    if (isFlushQueued) return;
    isFlushQueued = true;
    void exclusively(() => {
      isFlushQueued = false;
      return writeWaiting();
    }).catch(() => {});
  }

  return {
    add(key, record, delayMs) {
      if (isClosed) return Promise.reject(storeError('closed'));
      const added = new Promise<void>((resolve, reject) => waiting.waiters.push({ resolve, reject }));
      waiting.records.set(key, record);
      if (delayMs <= 0) flushSoon();
      else if (!timer) timer = { due: delayMs, handle: options.after(delayMs, flushSoon) };
      else if (delayMs < timer.due) {
        timer.handle.dispose();
        timer = { due: delayMs, handle: options.after(delayMs, flushSoon) };
      }
      return added;
    },
    flush,
    exclusively,
    async close() {
      if (isClosed) return;
      isClosed = true;
      await flush();
    },
  };
}
