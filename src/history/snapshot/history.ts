import { createBreather } from '../breathe';
import type { CataloguePort } from '../catalogue/port';
import { type StoreError, asStoreError, storeError } from '../errors';
import type { StoreRecord } from '../journal/records';
import type { StorePaths } from '../store-paths';
import type { CompactionResult } from '../types';
import { readHeader } from './header';
import { SNAPSHOT_VERSION } from './schema';
import { readSnapshot } from './snapshot';
import type { SqlEngine } from './sql-engine';

export interface HistoryParts {
  readonly places: StorePaths;
  readonly engine: SqlEngine;
  readonly catalogue: CataloguePort;
  /** Reads the journals of the other windows to their ends. */
  readonly readOthers: () => Promise<void>;
  /** Takes in a record of a snapshot that cannot be queried as it is. */
  readonly take: (record: StoreRecord) => void;
  /** All that this window knows. */
  readonly known: () => Iterable<StoreRecord>;
  /** Returns the changes of this window since the last call. */
  readonly news: () => readonly StoreRecord[];
  /** Rebuilds a damaged snapshot. */
  readonly compact: () => Promise<CompactionResult>;
  readonly onLoaded: () => void;
  /** Runs what can wait; null for a command that asks once. */
  readonly after: ((milliseconds: number, run: () => void) => void) | null;
  readonly onProblem: (error: StoreError | null) => void;
}

/** The snapshot in the catalogue: opened when first needed, and again after another window has written a new one. */
export interface History {
  /**
   * Resolves to true when all that can be read is in the catalogue, to false where it cannot be queried. Never rejects:
   * problems go to `onProblem`.
   */
  load(): Promise<boolean>;
}

/** Number of records that go to the catalogue at a time: a message is copied in one piece. */
const BATCH = 50;
/** Queries are answered in their order. */
const PREPARE_MS = 500;

export function createHistory(parts: HistoryParts): History {
  const { catalogue, places } = parts;
  let loading: Promise<boolean> | null = null;
  /** The snapshot that is in the catalogue; `none` where none was there. */
  let loaded: string | null = null;
  let isOpen = false;
  catalogue.onDidEnd(() => {
    loaded = null;
    isOpen = false;
  });

  async function load(): Promise<void> {
    // Journals first: what is moved into the snapshot meanwhile is found there.
    await parts.readOthers();
    let header = await readHeader(places.snapshot);
    if (header.kind === 'corrupt') {
      await mend(storeError('corrupt'));
      header = await readHeader(places.snapshot);
    }
    if (header.kind === 'absent') return isOpen ? tellNews() : openEmpty('none');
    const stamp = header.kind === 'corrupt' ? null : header.stamp;
    if (isOpen && stamp !== null && stamp === loaded) return tellNews();
    if (
      header.kind === 'present' &&
      header.version === SNAPSHOT_VERSION &&
      (await catalogue.open(places.snapshot, places.searchIndex))
    ) {
      await fill();
      loaded = stamp;
      parts.onLoaded();
      // Mended by another window, or the engine could be loaded after all.
      return parts.onProblem(null);
    }
    // A snapshot of another layout, or damaged: its records are taken one by one.
    const { damaged } = await readSnapshot(places.snapshot, parts.engine, parts.take, createBreather());
    // A damaged one is read again until it is mended; what a newer version wrote is not ours to mend.
    const isRead = header.kind === 'newer' || (header.kind === 'present' && damaged === 0);
    await openEmpty(isRead ? stamp : null);
    parts.onLoaded();
    if (header.kind !== 'present') return;
    if (damaged > 0) await mend(storeError('corrupt'));
    else parts.onProblem(null);
  }

  async function openEmpty(stamp: string | null): Promise<void> {
    isOpen = false;
    await catalogue.open(null, places.searchIndex);
    await fill();
    loaded = stamp;
  }

  /** Takes in all that this window knows. */
  async function fill(): Promise<void> {
    isOpen = true;
    // All of it comes now.
    parts.news();
    await tell([...parts.known()]);
    await tellNews();
  }

  async function tellNews(): Promise<void> {
    await tell(parts.news());
  }

  async function tell(records: readonly StoreRecord[]): Promise<void> {
    try {
      for (let at = 0; at < records.length; at += BATCH) await catalogue.apply(records.slice(at, at + BATCH));
    } catch (error) {
      // Changes that were not reported are reported when all is read again.
      loaded = null;
      isOpen = false;
      throw error;
    }
  }

  let isPreparing = false;
  /** A part at a time, so that questions come in between. Without it the first search makes all of it. */
  function prepareSearch(): void {
    if (isPreparing || !parts.after) return;
    isPreparing = true;
    parts.after(PREPARE_MS, () => {
      const prepare = async () => {
        while (!(await catalogue.prepareSearch()));
      };
      prepare()
        .catch(() => {})
        .finally(() => {
          isPreparing = false;
        });
    });
  }

  /** Repairs the snapshot. Where another window does so, or the disk is full, it is tried again with the next query. */
  async function mend(problem: StoreError): Promise<void> {
    parts.onProblem(problem);
    if ((await parts.compact()).done) parts.onProblem(null);
  }

  return {
    load() {
      loading ??= load()
        .catch((error: unknown) => parts.onProblem(asStoreError(error)))
        .then(() => {
          if (isOpen) prepareSearch();
          return isOpen;
        })
        .finally(() => {
          loading = null;
        });
      return loading;
    },
  };
}
