import { stat } from 'node:fs/promises';
import type { Disposable } from '../../base/util/disposable';
import type { StorePaths } from '../store-paths';
import type { CompactionResult } from '../types';
import type { ProcessTable } from '../windows/process-id';
import { readHeader } from './header';
import { leftJournals } from './left-journals';

const FIRST_MS = 60_000;
const EVERY_MS = 10 * 60_000;
/** Delay of a requested compaction while another window compacts. */
const AGAIN_MS = 5_000;
/**
 * Making the database again takes about 270 ms of processor time and 40 MB, reading 512 KB of journals at a start 30 ms. So a few small journals stay
 * as they are, but for a day at most, since they may still contain what was deleted.
 */
const OWN_BYTES = 512 * 1024;
const LEFT_BYTES = 512 * 1024;
const LEFT_FILES = 16;
const LEFT_MS = 24 * 60 * 60_000;

export interface HousekeepingParts {
  readonly places: StorePaths;
  readonly processes: ProcessTable;
  readonly ownBytes: () => number;
  readonly now: () => number;
  readonly after: (milliseconds: number, run: () => void) => Disposable;
  /** Begins a compaction, after the one that is under way: that one may have read what a request is about. */
  readonly compact: () => Promise<Pick<CompactionResult, 'reason'>>;
}

/** Compacts a minute after opening and every ten minutes, when there is enough to move. */
export function startHousekeeping(parts: HousekeepingParts): Disposable & { soon(milliseconds: number): void } {
  let timer: Disposable | null = null;
  let isEnded = false;
  let isRequested = false;

  const plan = (milliseconds: number) => {
    timer?.dispose();
    if (!isEnded) timer = parts.after(milliseconds, () => void turn());
  };
  const turn = async () => {
    try {
      if (isRequested || (await isWorthIt(parts))) {
        const wasRequested = isRequested;
        isRequested = false;
        const { reason } = await parts.compact();
        if (wasRequested && (reason === 'locked' || reason === 'lost_lock')) soon(AGAIN_MS);
      }
    } finally {
      // A request that came meanwhile has its own time.
      if (!isRequested) plan(EVERY_MS);
    }
  };
  const soon = (milliseconds: number) => {
    isRequested = true;
    plan(milliseconds);
  };
  plan(FIRST_MS);
  return {
    soon,
    dispose() {
      isEnded = true;
      timer?.dispose();
    },
  };
}

async function isWorthIt({ places, processes, ownBytes, now }: HousekeepingParts): Promise<boolean> {
  try {
    if (ownBytes() >= OWN_BYTES) return true;
    if ((await readHeader(places.snapshot)).kind === 'corrupt') return true;
    const left = await leftJournals(places.journals, processes, now());
    if (left.length === 0) return false;
    if (left.length >= LEFT_FILES || left.reduce((sum, { bytes }) => sum + bytes, 0) >= LEFT_BYTES) return true;
    const before = await stat(places.snapshot).catch(() => undefined);
    return now() - (before?.mtimeMs ?? Math.min(...left.map(({ at }) => at))) >= LEFT_MS;
  } catch {
    return false;
  }
}
