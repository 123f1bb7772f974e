import { type Budget, Priority } from './pace/budget';
import { TailError, codeOf } from './errors';
import type { FileStatus, TailFs } from './file-system';
import { Framer, type FramerSink, type ShrinkerPool } from './lines/framer';
import type { Lane } from './pace/lanes';

const LINE_FEED = 0x0a;

/** Opens a regular file for one use. Never opens pipes and devices. Rejects with a `TailError`. */
export async function withFile<T>(
  fs: TailFs,
  path: string,
  use: (descriptor: number, status: FileStatus) => Promise<T>,
): Promise<T> {
  let descriptor = -1;
  try {
    if ((await fs.status(path)).kind !== 'file') throw new TailError('NOTFILE', path);
    descriptor = await fs.open(path);
    const status = await fs.statusOf(descriptor);
    if (status.kind !== 'file') throw new TailError('NOTFILE', path);
    return await use(descriptor, status);
  } catch (error) {
    throw error instanceof TailError ? error : new TailError(codeOf(error), path);
  } finally {
    if (descriptor !== -1) void fs.close(descriptor);
  }
}

export interface Range {
  readonly lane: Lane;
  readonly priority: Priority;
  readonly from: number;
  /** Offset at which to stop, or the end of the file if that comes first. */
  readonly to: number;
  /** False if the consumer wants no more. */
  readonly isWanted?: () => boolean;
  readonly progress?: (bytes: number) => void;
}

/** Calls `take` with one chunk after another, in slices. The bytes are valid until the promise of `take` is settled. */
export async function eachChunk(
  fs: TailFs,
  descriptor: number,
  range: Range,
  take: (bytes: Buffer) => Promise<void> | void,
): Promise<number> {
  const { lane, from, to } = range;
  let at = from;
  while (at < to) {
    if (range.isWanted && !range.isWanted()) break;
    const read = await fs.read(descriptor, lane.chunk, 0, Math.min(lane.chunk.length, to - at), at);
    if (read === 0) break;
    await take(lane.chunk.subarray(0, read));
    at += read;
    range.progress?.(at - from);
  }
  return at - from;
}

/** Frames a file once from one offset to another, in slices. Returns the number of bytes read. Rejects with a `TailError`. */
export function frameFile(
  parts: { readonly fs: TailFs; readonly budget: Budget; readonly shrinkers: ShrinkerPool },
  path: string,
  sink: FramerSink,
  markers: readonly string[],
  range: Range & { readonly isWhole?: boolean; readonly inode?: number; readonly linesBefore?: number },
): Promise<number> {
  const { fs, budget } = parts;
  const { priority, isWanted } = range;
  return withFile(fs, path, async (descriptor, status) => {
    if (range.inode !== undefined && range.inode !== status.inode) return 0;
    const framer = new Framer(sink, markers, parts.shrinkers);
    const pause = (milliseconds: number): boolean => budget.spent(milliseconds);
    framer.begin(range.from, range.from === 0 ? 0 : (range.linesBefore ?? -1));
    const read = await eachChunk(fs, descriptor, range, async (bytes) => {
      for (let at = 0; ; ) {
        while (!budget.begin()) await budget.turn(priority);
        if (isWanted && !isWanted()) return;
        at = framer.feed(bytes, at, pause);
        if (at === bytes.length) return;
        await budget.turn(priority);
      }
    });
    if (range.isWhole) framer.finish();
    framer.release();
    return read;
  });
}

/** Returns the first bytes as text, cut at a line break where there is one. Rejects with a `TailError`. */
export async function readHead(fs: TailFs, budget: Budget, path: string, bytes: number, lane: Lane): Promise<string> {
  const read = await withFile(fs, path, (descriptor) =>
    fs.read(descriptor, lane.chunk, 0, Math.min(bytes, lane.chunk.length), 0),
  );
  while (!budget.begin()) await budget.turn(Priority.live);
  const head = lane.chunk.subarray(0, read);
  const last = read < bytes ? -1 : head.lastIndexOf(LINE_FEED);
  const text = head.toString('utf8', 0, last === -1 ? read : last + 1);
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Counts the line feeds in the first `to` bytes. */
export async function countLineFeeds(fs: TailFs, budget: Budget, path: string, range: Range): Promise<number> {
  let lines = 0;
  await withFile(fs, path, (descriptor) =>
    eachChunk(fs, descriptor, range, async (bytes) => {
      while (!budget.begin()) await budget.turn(range.priority);
      // Byte by byte: a native search costs as much as a hundred bytes, and a chunk may consist of line feeds only.
      for (let at = 0; at < bytes.length; at++) if (bytes[at] === LINE_FEED) lines++;
    }),
  );
  return lines;
}

/** Returns the start of the line in which the byte at `offset` is, or ends. */
export async function lineStart(fs: TailFs, descriptor: number, offset: number, chunk: Buffer): Promise<number> {
  for (let end = offset; end > 0; ) {
    const start = Math.max(0, end - chunk.length);
    const read = await fs.read(descriptor, chunk, 0, end - start, start);
    const before = chunk.subarray(0, read).lastIndexOf(LINE_FEED);
    if (before !== -1) return start + before + 1;
    end = start;
  }
  return 0;
}
