import { createBreather } from '../breathe';
import { type StoreError, asStoreError, storeError } from '../errors';
import type { Places } from '../places';
import type { StoreRecord } from '../journal/records';
import { readHeader } from './header';
import { readSnapshot } from './snapshot';
import type { SqlEngine } from './sql-engine';
import type { CompactionResult } from '../types';

export interface HistoryParts {
  readonly places: Places;
  readonly engine: SqlEngine;
  /** Reads the journals of the other windows to their ends. */
  readonly readOthers: () => Promise<void>;
  readonly take: (record: StoreRecord) => void;
  /** Makes a damaged snapshot anew. */
  readonly compact: () => Promise<CompactionResult>;
  readonly onLoaded: () => void;
  readonly onProblem: (error: StoreError | null) => void;
}

/** The snapshot in memory: loaded when first asked for, and again after another window has written a new one. */
export interface History {
  /** Resolves when all that can be read is known. Never rejects: what stands in the way goes to `onProblem`. */
  load(): Promise<void>;
}

export function createHistory(parts: HistoryParts): History {
  let loading: Promise<void> | null = null;
  let loaded: string | null = null;

  async function load(): Promise<void> {
    // Journals first: what is moved into the snapshot meanwhile is found there.
    await parts.readOthers();
    let header = await readHeader(parts.places.snapshot);
    if (header.kind === 'corrupt') {
      await mend(storeError('corrupt'));
      header = await readHeader(parts.places.snapshot);
    }
    if (header.kind === 'absent' || (header.kind !== 'corrupt' && header.stamp === loaded)) return;
    const { damaged } = await readSnapshot(parts.places.snapshot, parts.engine, parts.take, createBreather());
    // A damaged one is read again until it is mended; what a newer version wrote is not ours to mend.
    loaded = header.kind === 'newer' || (header.kind === 'present' && damaged === 0) ? header.stamp : null;
    parts.onLoaded();
    if (header.kind !== 'present') return;
    if (damaged > 0) await mend(storeError('corrupt'));
    // Mended by another window, or the engine could be loaded after all.
    else parts.onProblem(null);
  }

  /** Where another window is at it, or the disk is full, it is tried again with the next question. */
  async function mend(problem: StoreError): Promise<void> {
    parts.onProblem(problem);
    if ((await parts.compact()).done) parts.onProblem(null);
  }

  return {
    load() {
      loading ??= load()
        .catch((error: unknown) => parts.onProblem(asStoreError(error)))
        .finally(() => {
          loading = null;
        });
      return loading;
    },
  };
}
