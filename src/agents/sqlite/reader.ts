import type { Result } from '../../base/util/result';

export type SqlValue = string | number | null;
/** Values in the order of the columns. */
export type SqlRow = readonly SqlValue[];

/** A snapshot of one database. */
export interface SqlImage {
  /**
   * Returns the rows of a query. Strings over 16 KB are cut (util/cut), blobs read as null. Fails with SQLite's own message if the query cannot be
   * answered: a table is missing, or the image is damaged.
   */
  rows(sql: string, parameters?: readonly SqlValue[]): Promise<Result<readonly SqlRow[], string>>;
  close(): Promise<void>;
}

/** Opens databases while an agent writes into them, without touching the agent's files. */
export interface SqlReader {
  /** Opens the bytes of a database and of its write-ahead log. Both are transferred: the caller must not use them afterwards. Never rejects. */
  open(database: Uint8Array, log: Uint8Array | null): Promise<Result<SqlImage, string>>;
}

/**
 * Returns the records of one session of a database as text for a person, one per line: line n is the record that events call line n. An error is one
 * sentence.
 */
export type PrintSession = (
  sqlite: SqlReader,
  database: Uint8Array,
  log: Uint8Array | null,
  session: string,
) => Promise<Result<string, string>>;
