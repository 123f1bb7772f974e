import type { Result } from '../../base/util/result';
import type { SqlRow, SqlValue } from './reader';

/** Request to the thread that holds the databases. `request` is the number of the answer, `image` that of the database. */
export type ThreadQuestion =
  | {
      readonly request: number;
      readonly type: 'open';
      readonly image: number;
      readonly database: Uint8Array;
      readonly log: Uint8Array | null;
    }
  | {
      readonly request: number;
      readonly type: 'rows';
      readonly image: number;
      readonly sql: string;
      readonly parameters: readonly SqlValue[];
    }
  | { readonly request: number; readonly type: 'close'; readonly image: number };

export interface ThreadAnswer {
  readonly request: number;
  readonly result: Result<readonly SqlRow[], string>;
}
