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
  /** Takes over a record of a snapshot that cannot be queried as it is. */
  readonly take: (record: StoreRecord) => void;
  /** Returns everything that this window knows. */
  readonly known: () => Iterable<StoreRecord>;
  /** Returns the changes of this window since the last call. */
  readonly news: () => readonly StoreRecord[];
  /** Rebuilds a damaged snapshot. */
  readonly compact: () => Promise<CompactionResult>;
  readonly onLoaded: () => void;
  /** Schedules work that can wait; null for a command that queries once. */
  readonly after: ((milliseconds: number, run: () => void) => void) | null;
  readonly onProblem: (error: StoreError | null) => void;
}

/** The snapshot in the catalogue: opened when first needed, and again after another window has written a new one. */
export interface History {
  /**
   * Resolves to true when everything that can be read is in the catalogue, to false if it cannot be queried. Never rejects: problems go to
   * `onProblem`.
   */
  load(): Promise<boolean>;
}

/** Number of records sent to the catalogue at a time: a message is copied in one piece. */
const BATCH = 50;
/** Delay before the search is prepared, milliseconds: queries are answered in order, so those that wait go first. */
const PREPARE_MS = 500;

export function createHistory(parts: HistoryParts): History {
  const { catalogue, places } = parts;
  let loading: Promise<void> | null = null;
  /** Stamp of the snapshot in the catalogue; `none` if there was no snapshot. */
  let loaded: string | null = null;
  let isOpen = false;
  catalogue.onDidEnd(() => {
    loaded = null;
    isOpen = false;
  });

  async function load(): Promise<void> {
    // Journals first: records that are moved into the snapshot meanwhile are found there.
    await parts.readOthers();
    let header = await readHeader(places.snapshot);
    if (header.kind === 'corrupt') {
      await mend(storeError('corrupt'));
      header = await readHeader(places.snapshot);
    }
    if (header.kind === 'absent') return isOpen ? undefined : openEmpty('none');
    const stamp = header.kind === 'corrupt' ? null : header.stamp;
    if (isOpen && stamp !== null && stamp === loaded) return;
    if (
      header.kind === 'present' &&
      header.version === SNAPSHOT_VERSION &&
      (await catalogue.open(places.snapshot, places.searchIndex))
    ) {
      await fill();
      loaded = stamp;
      parts.onLoaded();
      // It was mended by another window, or the engine could be loaded after all.
      return parts.onProblem(null);
    }
    // The snapshot has another layout, or is damaged: its records are taken one by one.
    const { damaged } = await readSnapshot(places.snapshot, parts.engine, parts.take, createBreather());
    // A damaged snapshot is read again until it is mended; one from a newer version must not be mended here.
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

  /** Sends everything that this window knows to the catalogue. */
  async function fill(): Promise<void> {
    isOpen = true;
    // Everything is sent now, so pending changes are dropped.
    parts.news();
    await send([...parts.known()]);
  }

  async function send(records: readonly StoreRecord[]): Promise<void> {
    try {
      for (let at = 0; at < records.length; at += BATCH) await catalogue.apply(records.slice(at, at + BATCH));
    } catch (error) {
      // Changes that were not sent are sent when everything is read again.
      loaded = null;
      isOpen = false;
      throw error;
    }
  }

  let isPreparing = false;
  /** Prepares the search one part at a time, so that queries can come in between. Otherwise the first search makes all of it. */
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

  /** Repairs the snapshot. If another window is doing so, or the disk is full, the next query tries again. */
  async function mend(problem: StoreError): Promise<void> {
    parts.onProblem(problem);
    if ((await parts.compact()).done) parts.onProblem(null);
  }

  const report = (error: unknown): void => parts.onProblem(asStoreError(error));

  return {
    async load() {
      loading ??= load()
        .catch(report)
        .finally(() => {
          loading = null;
        });
      await loading;
      // For each query: it may have joined a load that began before something was saved.
      if (isOpen) await send(parts.news()).catch(report);
      if (isOpen) prepareSearch();
      return isOpen;
    },
  };
}
