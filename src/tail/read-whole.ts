import type { WholeFileOptions } from './types';

/** Reads a file once from start to end, a last line without a line break included. Returns the bytes read; rejects with a `TailError`. */
export async function readWholeFile(_path: string, _options: WholeFileOptions): Promise<number> {
  throw new Error('being built');
}
