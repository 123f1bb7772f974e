import type { Log } from '../util/log';
import type { StoreError } from './errors';
import type { StoreStatus } from './types';

/** What stands in the way of the store, by where it was met. */
export interface StatusBoard {
  get(): StoreStatus;
  /** A problem of one place, or null when it is gone. */
  set(where: 'folder' | 'journal' | 'snapshot', problem: StoreError | null): void;
}

export function createStatusBoard(log: Log): StatusBoard {
  const problems: Record<'folder' | 'journal' | 'snapshot', StoreError | null> = {
    folder: null,
    journal: null,
    snapshot: null,
  };
  let status: StoreStatus = { mode: 'ready' };
  return {
    get: () => status,
    set(where, problem) {
      problems[where] = problem;
      const cannotWrite = problems.journal ?? problems.folder;
      const first = cannotWrite ?? problems.snapshot;
      const next: StoreStatus = first
        ? { mode: cannotWrite ? 'memory_only' : 'journal_only', reason: first.code, message: first.message }
        : { mode: 'ready' };
      if (next.mode === status.mode && next.reason === status.reason) return;
      status = next;
      if (first) log.warn(`history: ${first.message}`);
      else log.info('history: works again');
    },
  };
}
