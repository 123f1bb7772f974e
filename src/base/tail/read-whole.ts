import { Budget, Priority } from './pace/budget';
import { monotonicClock } from './pace/clock';
import { LINE_PROBLEMS, TailError } from './errors';
import { systemFs } from './file-system';
import { ShrinkerPool } from './lines/framer';
import { type Lane, newLane } from './pace/lanes';
import { readDatabase } from './documents/read-database';
import { readDocument } from './documents/read-document';
import { frameFile, withFile } from './read-file';
import type { WholeFileOptions } from './types';

/**
 * Milliseconds of work in one turn of the event loop. A turn takes longer by the step that is running when they are used up, and by garbage
 * collection: with 3, 99 of 100 turns of a long catch-up stay below 6.5 ms with all detectors; on the same slow machine it was 8 ms with 4 (`npm run
 * bench -- scan`).
 */
export const SLICE_MS = 3;
export const DOCUMENT_LIMIT_BYTES = 64 * 1024 * 1024;
/** SQLite holds a database in memory twice while it is read, hence the limit. */
export const DATABASE_LIMIT_BYTES = 256 * 1024 * 1024;

/** Buffers of earlier calls: a scan reads many files, one after another. */
const spare: Lane[] = [];

/** Reads a file once from start to end, including a last line without a line break. Returns the number of bytes read; rejects with a `TailError`. */
export async function readWholeFile(path: string, options: WholeFileOptions): Promise<number> {
  const lane = spare.pop() ?? newLane();
  try {
    return await read(path, options, lane);
  } finally {
    if (spare.length === 0) spare.push(lane);
  }
}

function read(path: string, options: WholeFileOptions, lane: Lane): Promise<number> {
  const {
    markers,
    progress,
    isWanted,
    fs = systemFs,
    documentLimit: limit = options.unit === 'database' ? DATABASE_LIMIT_BYTES : DOCUMENT_LIMIT_BYTES,
  } = options;
  const budget = new Budget(monotonicClock, SLICE_MS);
  const reporting = progress && { progress };
  switch (options.unit) {
    case 'line':
      return frameFile(
        { fs, budget, shrinkers: new ShrinkerPool() },
        path,
        {
          line: (line, calls) => options.line?.(line, calls),
          problem: (code, line, offset) => options.problem?.({ code, line, offset, why: LINE_PROBLEMS[code] ?? code }),
        },
        markers,
        {
          lane,
          priority: Priority.live,
          from: 0,
          to: Number.POSITIVE_INFINITY,
          isWhole: true,
          ...reporting,
          ...(isWanted && { isWanted }),
        },
      );
    case 'document':
      return withFile(fs, path, async (descriptor) => {
        const document = await readDocument({ fs, budget }, descriptor, lane, { markers, limit, ...reporting });
        if (!document) throw new TailError('TOOLARGE', path);
        options.document?.(document.text, document.calls);
        return document.bytes;
      });
    case 'database':
      return withFile(fs, path, async (descriptor) => {
        const read = await readDatabase(fs, descriptor, path, limit);
        if (!read) throw new TailError('TOOLARGE', path);
        const bytes = read.database.length + (read.log?.length ?? 0);
        progress?.(bytes);
        await options.database?.(read.database, read.log);
        return bytes;
      });
  }
}
