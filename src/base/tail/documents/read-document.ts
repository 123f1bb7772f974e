import { type Budget, Priority } from '../pace/budget';
import { Digest } from '../lines/digest';
import type { TailFs } from '../file-system';
import type { Lane } from '../pace/lanes';
import { MarkerCounter } from '../lines/markers';
import { eachChunk } from '../read-file';
import { Shrinker } from '../lines/shrink';

const LINE_FEED = 0x0a;

export interface DocumentText {
  /** Strings over 16 KB inside are cut down, as in lines. */
  readonly text: string;
  /** Hash of the bytes of the file. */
  readonly digest: string;
  readonly calls: number;
  readonly bytes: number;
  /** False for a JSON text that does not end with the bracket matching its first one, most likely because it is being written. */
  readonly complete: boolean;
}

/** Reads a whole file as text, in slices. Undefined where it is over the limit. */
export async function readDocument(
  parts: { readonly fs: TailFs; readonly budget: Budget },
  descriptor: number,
  lane: Lane,
  options: { readonly markers: readonly string[]; readonly limit: number; readonly progress?: (bytes: number) => void },
): Promise<DocumentText | undefined> {
  const digest = new Digest();
  const markers = new MarkerCounter(options.markers);
  const shrinker = new Shrinker(Number.POSITIVE_INFINITY);
  let calls = 0;
  let first = 0;
  let last = 0;
  let start = true;
  markers.beginPieces();
  const range = {
    lane,
    priority: Priority.seed,
    from: 0,
    to: options.limit + 1,
    ...(options.progress && { progress: options.progress }),
  };
  const bytes = await eachChunk(parts.fs, descriptor, range, async (chunk) => {
    while (!parts.budget.begin()) await parts.budget.turn(Priority.seed);
    digest.update(chunk, 0, chunk.length);
    markers.newChunk();
    calls += markers.countPiece(chunk, 0, chunk.length);
    const from = start && hasMark(chunk) ? 3 : 0;
    start = false;
    if (first === 0) first = firstByte(chunk, from);
    last = lastByte(chunk) || last;
    shrinker.feed(chunk, from, chunk.length);
  });
  if (bytes > options.limit) return undefined;
  while (!parts.budget.begin()) await parts.budget.turn(Priority.seed);
  const { text } = shrinker.finish();
  const closing = CLOSING.get(first);
  return { text, digest: digest.end(), calls, bytes, complete: closing === undefined || closing === last };
}

const CLOSING: ReadonlyMap<number, number> = new Map([
  [0x7b, 0x7d],
  [0x5b, 0x5d],
]);

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === LINE_FEED || byte === 0x0d || byte === 0x09;
}

/** Returns the first byte that is not white space; 0 where there is none. */
function firstByte(chunk: Buffer, start: number): number {
  for (let at = start; at < chunk.length; at++) {
    const byte = chunk[at] as number;
    if (!isSpace(byte)) return byte;
  }
  return 0;
}

function lastByte(chunk: Buffer): number {
  for (let at = chunk.length - 1; at >= 0; at--) {
    const byte = chunk[at] as number;
    if (!isSpace(byte)) return byte;
  }
  return 0;
}

function hasMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
