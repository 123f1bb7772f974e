import type { Log } from '../base/util/log';
import type { StoreError } from './errors';
import type { StoreDamage, StoreStatus } from './types';

/** Status of the store: its problems, by place, and repaired damage. */
export interface StatusBoard {
  get(): StoreStatus;
  /** Sets the problem of one place, or null when it is gone. */
  set(where: 'folder' | 'journal' | 'snapshot', problem: StoreError | null): void;
  /** Sets the repaired damage; null when it no longer needs to be reported. */
  setDamage(damage: StoreDamage | null): void;
}

export function createStatusBoard(log: Log, onChange: () => void): StatusBoard {
  const problems: Record<'folder' | 'journal' | 'snapshot', StoreError | null> = {
    folder: null,
    journal: null,
    snapshot: null,
  };
  let damage: StoreDamage | null = null;
  let status: Omit<StoreStatus, 'damage'> = { mode: 'ready' };
  return {
    get: () => (damage ? { ...status, damage } : status),
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
      onChange();
    },
    setDamage(next) {
      if (next?.at === damage?.at) return;
      damage = next;
      onChange();
    },
  };
}
