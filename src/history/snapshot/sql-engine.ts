import { readFile } from 'node:fs/promises';
import type { SqlJsStatic } from 'sql.js';
import { nextTurn } from '../breathe';
import { storeError } from '../errors';

/** Loads SQLite at the first call: neither its script nor its WebAssembly is touched before. */
export type SqlEngine = () => Promise<SqlJsStatic>;

/** @param wasm path of `sql-wasm.wasm` */
export function createSqlEngine(wasm: string): SqlEngine {
  let engine: Promise<SqlJsStatic> | null = null;
  const load = async (): Promise<SqlJsStatic> => {
    try {
      const [{ default: initialise }, bytes] = await Promise.all([import('sql.js'), readFile(wasm)]);
      const loaded = await initialise({
        wasmBinary: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
      });
      await warmUp(loaded);
      return loaded;
    } catch (error) {
      throw storeError('engine_missing', error);
    }
  };
  return () => {
    engine ??= load().catch((error: unknown) => {
      engine = null;
      throw error;
    });
    return engine;
  };
}

/** Each of these reaches parts of SQLite that the ones before did not. */
const FIRST_STEPS = [
  'PRAGMA page_size = 16384',
  'SELECT 1',
  'SELECT count(*) FROM sqlite_master',
  'CREATE TABLE a (x TEXT)',
  'CREATE TABLE b (id TEXT PRIMARY KEY, x TEXT)',
  "INSERT INTO b VALUES ('1', '2')",
];

/**
 * Warms up the engine. WebAssembly is compiled function by function at the first call. All at once, in the middle of something else, that would hold
 * the event loop for 25 ms; step by step, it takes 5 ms each.
 */
async function warmUp({ Database }: SqlJsStatic): Promise<void> {
  await nextTurn();
  const database = new Database();
  try {
    for (const step of FIRST_STEPS) {
      await nextTurn();
      database.run(step);
    }
    await nextTurn();
    database.export();
  } finally {
    database.close();
  }
}
