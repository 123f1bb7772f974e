import { createReadStream, createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fail, ok, type Result } from '../util/result';
import { type FileProblem, problemOf, problemOfError } from './problem';

/**
 * Writes the content of a pipe, until its other end closes it, to a new file that only this user may read. It waits for as long as the other end
 * does, so only a command that a person has started may call it. Never throws.
 *
 * @param from the pipe: a stream, or the path of a named one
 * @param limit bytes; a longer pipe is a problem (`too_large`), and the file is cut there
 */
export async function spool(from: Readable | string, into: string, limit: number): Promise<Result<null, FileProblem>> {
  const name = typeof from === 'string' ? from : into;
  const source = typeof from === 'string' ? createReadStream(from) : from;
  let left = limit;
  async function* bounded(pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      left -= piece.length;
      if (left < 0) return;
      yield piece;
    }
  }
  try {
    await pipeline(source, bounded, createWriteStream(into, { flags: 'wx', mode: 0o600 }));
    return left < 0 ? fail(problemOf('TOOLARGE', name)) : ok(null);
  } catch (error) {
    return fail(problemOfError(error, name));
  }
}
