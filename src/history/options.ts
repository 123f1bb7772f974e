import type { Timers } from '../base/beat';
import type { Clock } from '../base/clock';
import type { Log } from '../base/util/log';
import type { OpenJournalFile } from './journal/journal-writer';
import type { ProcessTable } from './windows/process-id';

export interface StoreOptions {
  /** Belongs to the store alone. Created if it does not exist. */
  readonly folder: string;
  /** Path of `sql-wasm.wasm`; read when the history is first needed. */
  readonly wasm: string;
  readonly clock: Clock;
  /** Timers for mere checks whether something changed. Absent: those of the clock. */
  readonly beat?: Timers;
  /** Unique among the windows that use the folder. */
  readonly window: string;
  readonly log: Log;
  /** Days for which incidents are kept (`unstuck.history.days`). 90 by default. */
  readonly days?: () => number;
  /** False for a command that reads once and ends: no watching, no compaction on its own. */
  readonly stays?: boolean;
  /** Time for which compaction waits for other windows to read what it will delete. 3 seconds by default. */
  readonly settleMs?: number;
  readonly processes?: ProcessTable;
  readonly openFile?: OpenJournalFile;
}
