import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent } from '../errors';
import { type JournalName, journalFile } from '../journal/journal-format';
import { listJournals } from '../journal/journal-reader';
import type { ProcessTable } from '../windows/process-id';

/** Time without a write after which a journal of another machine, whose process cannot be checked, counts as given up. */
const STALE_ELSEWHERE_MS = 24 * 60 * 60_000;

/** A journal that is no longer written. */
export interface LeftJournal {
  readonly name: JournalName;
  readonly bytes: number;
  /** Time of the last write, in epoch milliseconds. */
  readonly at: number;
}

/** Returns the journals that compaction may take: sealed ones, and those whose process has ended. */
export async function leftJournals(
  folder: string,
  processes: ProcessTable,
  now: number,
): Promise<readonly LeftJournal[]> {
  const left: LeftJournal[] = [];
  for (const name of await listJournals(folder)) {
    const liveness = name.sealed ? 'dead' : processes.liveness(name.writer);
    if (liveness === 'alive') continue;
    let found;
    try {
      found = await stat(join(folder, journalFile(name.base, name.sealed)));
    } catch (error) {
      if (isAbsent(error)) continue;
      throw error;
    }
    if (liveness === 'unknown' && now - found.mtimeMs < STALE_ELSEWHERE_MS) continue;
    left.push({ name, bytes: found.size, at: found.mtimeMs });
  }
  return left;
}
