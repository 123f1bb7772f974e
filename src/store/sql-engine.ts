import { readFile } from 'node:fs/promises';
import type { SqlJsStatic } from 'sql.js';
import { storeError } from './errors';

/** Loads SQLite at the first call: neither its script nor its WebAssembly is touched before. */
export type SqlEngine = () => Promise<SqlJsStatic>;

/** @param wasm path of `sql-wasm.wasm` */
export function createSqlEngine(wasm: string): SqlEngine {
  let engine: Promise<SqlJsStatic> | null = null;
  const load = async (): Promise<SqlJsStatic> => {
    try {
      const [{ default: initialise }, bytes] = await Promise.all([import('sql.js'), readFile(wasm)]);
      return await initialise({
        wasmBinary: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
      });
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
