import type { Database, SqlJsStatic, SqlValue as AnyValue } from 'sql.js';
import { readBytes } from '../../base/files';
import { Shrinker } from '../../base/tail/lines/shrink';
import { CUT_OVER_BYTES } from '../../base/util/cut';
import { fail, ok, type Result } from '../../base/util/result';
import { overlay } from './overlay';
import type { SqlImage, SqlReader, SqlRow, SqlValue } from './reader';

/** Size limit of the SQLite engine in bytes, many times its real size. */
const LARGEST_ENGINE = 64 * 1024 * 1024;

/** Reads databases in the calling thread, which a large one blocks: for the worker and for tests. `wasm`: path of `sql-wasm.wasm`. */
export function createLocalReader(wasm: string): SqlReader {
  let engine: Promise<SqlJsStatic> | null = null;
  const load = async (): Promise<SqlJsStatic> => {
    const [{ default: initialise }, read] = await Promise.all([
      import('sql.js'),
      readBytes(wasm, { limit: LARGEST_ENGINE }),
    ]);
    if (!read.ok) throw new Error(`${read.error.path}: ${read.error.code}`);
    const { bytes } = read.value;
    return initialise({ wasmBinary: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) });
  };
  return {
    async open(database, log) {
      try {
        const laid = overlay(database, log);
        if (!laid.ok) return laid;
        engine ??= load();
        const { Database } = await engine;
        return ok(imageOf(new Database(laid.value.image)));
      } catch (error) {
        return fail(wordsOf(error));
      }
    },
  };
}

function imageOf(database: Database): SqlImage {
  return {
    rows: (sql, parameters = []) => Promise.resolve(rowsOf(database, sql, parameters)),
    close() {
      try {
        database.close();
      } catch {
        // A damaged image: its memory is freed anyway.
      }
      return Promise.resolve();
    },
  };
}

function rowsOf(database: Database, sql: string, parameters: readonly SqlValue[]): Result<readonly SqlRow[], string> {
  try {
    const statement = database.prepare(sql);
    try {
      statement.bind([...parameters]);
      const rows: SqlRow[] = [];
      while (statement.step()) rows.push(statement.get().map(valueOf));
      return ok(rows);
    } finally {
      statement.free();
    }
  } catch (error) {
    return fail(wordsOf(error));
  }
}

function valueOf(value: AnyValue): SqlValue {
  if (typeof value === 'string') return value.length * 3 > CUT_OVER_BYTES ? shrunk(value) : value;
  return typeof value === 'number' ? value : null;
}

/** Cuts a text in the same way as a line of a file, so that equal texts stay equal everywhere. */
function shrunk(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= CUT_OVER_BYTES) return text;
  const shrinker = new Shrinker();
  shrinker.feed(bytes, 0, bytes.length);
  return shrinker.finish().text;
}

function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 200);
}
