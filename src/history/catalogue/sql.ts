import type { Database, SqlValue, Statement } from 'sql.js';

/** Values for `?`, or by name for `:name`. */
export type SqlValues = readonly SqlValue[] | Readonly<Record<`:${string}`, SqlValue>>;

/** Statements of one database, prepared once each. */
export interface Sql {
  /** Yields row after row. */
  rows(sql: string, values?: SqlValues): Generator<SqlValue[]>;
  /** Returns the first column of the first row; null if there is none. */
  value(sql: string, values?: readonly SqlValue[]): SqlValue;
  run(sql: string, values?: SqlValues): void;
  close(): void;
}

export function createSql(database: Database): Sql {
  const prepared = new Map<string, Statement>();
  const statementOf = (sql: string): Statement => {
    let statement = prepared.get(sql);
    if (!statement) prepared.set(sql, (statement = database.prepare(sql)));
    return statement;
  };
  function* rows(sql: string, values: SqlValues = []): Generator<SqlValue[]> {
    const statement = statementOf(sql);
    try {
      statement.bind(bound(values));
      while (statement.step()) yield statement.get();
    } finally {
      statement.reset();
    }
  }
  return {
    rows,
    value(sql, values) {
      for (const [value] of rows(sql, values)) return value ?? null;
      return null;
    },
    run(sql, values = []) {
      statementOf(sql).run(bound(values));
    },
    close() {
      for (const statement of prepared.values()) statement.free();
      prepared.clear();
      database.close();
    },
  };
}

function bound(values: SqlValues): SqlValue[] | Record<string, SqlValue> {
  return isList(values) ? [...values] : { ...values };
}

function isList(values: SqlValues): values is readonly SqlValue[] {
  return Array.isArray(values);
}
