import type { Log } from '../util/log';
import type { Budget } from './pace/budget';
import type { TailClock } from './pace/clock';
import type { Descriptors } from './descriptors';
import type { TailFs } from './file-system';
import type { ShrinkerPool } from './lines/framer';
import type { Lanes } from './pace/lanes';

/** Parts that all readers of one tail share. */
export interface ReaderParts {
  readonly fs: TailFs;
  readonly clock: TailClock;
  readonly log: Log;
  readonly budget: Budget;
  readonly lanes: Lanes;
  readonly shrinkers: ShrinkerPool;
  readonly descriptors: Descriptors;
  readonly documentLimit: number;
  readonly databaseLimit: number;
}
