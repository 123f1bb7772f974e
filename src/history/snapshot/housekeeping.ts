import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disposable } from '../../base/util/disposable';
import { journalFile } from '../journal/journal-format';
import { listJournals } from '../journal/journal-reader';
import type { StorePaths } from '../store-paths';
import type { ProcessTable } from '../windows/process-id';
import { readHeader } from './header';

const FIRST_MS = 60_000;
const EVERY_MS = 10 * 60_000;
/** Loading the database costs memory and some 100 ms in slices; a few small journals are cheaper to read as they are. */
const OWN_BYTES = 512 * 1024;
const LEFT_BYTES = 128 * 1024;
const LEFT_FILES = 4;

export interface HousekeepingParts {
  readonly places: StorePaths;
  readonly processes: ProcessTable;
  readonly ownBytes: () => number;
  readonly after: (milliseconds: number, run: () => void) => Disposable;
  readonly compact: () => Promise<unknown>;
}

/** Compacts a minute after opening and every ten minutes, when there is enough to move. */
export function startHousekeeping(parts: HousekeepingParts): Disposable & { soon(milliseconds: number): void } {
  let timer: Disposable | null = null;
  let isEnded = false;
  let isAsked = false;

  const plan = (milliseconds: number) => {
    timer?.dispose();
    if (!isEnded) timer = parts.after(milliseconds, () => void turn());
  };
  const turn = async () => {
    try {
      if (isAsked || (await isWorthIt(parts))) {
        isAsked = false;
        await parts.compact();
      }
    } finally {
      plan(EVERY_MS);
    }
  };
  plan(FIRST_MS);
  return {
    soon(milliseconds) {
      isAsked = true;
      plan(milliseconds);
    },
    dispose() {
      isEnded = true;
      timer?.dispose();
    },
  };
}

async function isWorthIt({ places, processes, ownBytes }: HousekeepingParts): Promise<boolean> {
  try {
    if (ownBytes() >= OWN_BYTES) return true;
    if ((await readHeader(places.snapshot)).kind === 'corrupt') return true;
    let files = 0;
    let bytes = 0;
    for (const journal of await listJournals(places.journals)) {
      if (!journal.sealed && processes.liveness(journal.writer) === 'alive') continue;
      files++;
      bytes += await stat(join(places.journals, journalFile(journal.base, journal.sealed))).then(
        ({ size }) => size,
        () => 0,
      );
    }
    return files >= LEFT_FILES || bytes >= LEFT_BYTES;
  } catch {
    return false;
  }
}
