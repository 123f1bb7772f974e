import type { AgentAdapter } from '../agents/adapter';
import { type FileCache, readPartNow } from '../base/files';
import { HEAD_BYTES } from '../base/tail';
import { compareNotes } from './across';
import { KnownRecords } from './follow/copies';
import { type ScanOptions, type ScannedFile } from './scan';
import { type CachedRead, readCached } from './scan-cache';

/** A transcript to be scanned. */
export interface Scannable {
  readonly file: string;
  readonly size: number;
  readonly adapter: AgentAdapter;
}

/** A transcript that was scanned, or the reason why it could not be. */
export type Scanned<One extends Scannable> =
  | { readonly one: One; readonly scanned: ScannedFile }
  | { readonly one: One; readonly why: string };

type Read = CachedRead | { readonly why: string };

export interface ScanAllOptions {
  readonly detectors: ScanOptions['detectors'];
  readonly context: (one: Scannable) => Pick<ScanOptions, 'readSmall' | 'sqlite' | 'only'>;
  readonly now?: number;
  /** Keeps what is known of transcripts that were read before. */
  readonly cache?: FileCache;
  /** Once aborted, nothing more is read. */
  readonly signal?: AbortSignal;
  /** Called with the bytes read so far, of all transcripts. */
  readonly onProgress?: (bytes: number) => void;
}

/** Errors of different agents within this time of each other may be one outage (detect/rules/outage.ts). */
const AT_ONCE_MS = 2 * 60_000;

/**
 * Scans transcripts in the order in which they begin. Those whose times overlap are reported together, once the last of them was read: the rules
 * across sessions judge all of them at once.
 */
export async function* scanAll<One extends Scannable>(
  all: readonly One[],
  options: ScanAllOptions,
): AsyncGenerator<Scanned<One>> {
  const ordered = all
    .map((one) => ({ one, from: beginning(one) }))
    .sort((a, b) => a.from - b.from || (a.one.file < b.one.file ? -1 : 1));
  const across = all.length > 1;
  const known = new KnownRecords();
  let bytes = 0;
  let group: { readonly one: One; readonly got: Read }[] = [];
  let until = Number.NEGATIVE_INFINITY;

  async function* results(): AsyncGenerator<Scanned<One>> {
    const acrossResults = compareNotes(
      group.map(({ got }) => ('why' in got ? [] : got.notes)),
      options.detectors,
    );
    for (const [at, { one, got }] of group.entries())
      yield 'why' in got ? { one, why: got.why } : await resultOf(one, got, acrossResults[at] ?? []);
    group = [];
  }

  for (const { one, from } of ordered) {
    if (from > until + AT_ONCE_MS) yield* results();
    const got = await read(one, { across, known }, options, (now) => options.onProgress?.(bytes + now));
    bytes += one.size;
    options.onProgress?.(bytes);
    if (options.signal?.aborted) return;
    group.push({ one, got });
    if (!('why' in got)) until = Math.max(until, got.lastAt);
  }
  yield* results();
}

/**
 * Reads one transcript; one that cannot be read causes no rejection.
 *
 * @param shared options that connect it with the other transcripts
 * @param onProgress is called with the bytes of this transcript read so far
 */
async function read(
  one: Scannable,
  shared: Pick<ScanOptions, 'across' | 'known'>,
  options: ScanAllOptions,
  onProgress: (bytes: number) => void,
): Promise<Read> {
  try {
    const reading = {
      ...options.context(one),
      adapter: one.adapter,
      detectors: options.detectors,
      ...shared,
      ...(options.now !== undefined && { now: options.now }),
      ...(options.signal && { isWanted: () => options.signal?.aborted !== true }),
      onProgress,
    };
    return await readCached(one.file, reading, options.cache);
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns the result of one transcript, which may be read once more for this and may be gone by then. */
async function resultOf<One extends Scannable>(
  one: One,
  read: CachedRead,
  acrossResults: Parameters<CachedRead['result']>[0],
): Promise<Scanned<One>> {
  try {
    return { one, scanned: await read.result(acrossResults) };
  } catch (error) {
    return { one, why: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns the first time in a transcript, milliseconds since the epoch; 0 if none is found, so that it is read first. */
function beginning({ file, size }: Scannable): number {
  // It is usually in the first line: reading all heads whole takes an eighth of a scan of 2 GB that is unchanged.
  for (const length of [4 * 1024, HEAD_BYTES]) {
    const read = readPartNow(file, { from: 0, length: Math.min(size, length) });
    // A time is ASCII, and nothing else is searched for yet.
    const time = read.ok ? firstTime(read.value.bytes.toString('latin1')) : 0;
    if (time !== 0 || size <= length) return time;
  }
  return 0;
}

const TIME = /\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?|[:\s](1[5-9]\d{11})\b/;

function firstTime(head: string): number {
  const found = TIME.exec(head);
  // A time that ends with what was read may be cut off.
  if (!found || found.index + found[0].length === head.length) return 0;
  const time = found[1] === undefined ? Date.parse(found[0]) : Number(found[1]);
  return Number.isFinite(time) ? time : 0;
}
