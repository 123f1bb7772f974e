import type { AgentAdapter } from '../agents/adapter';
import { readPartNow } from '../files';
import { HEAD_BYTES } from '../tail';
import { AcrossNotes } from './across';
import { type ReadTranscript, type ScanOptions, type ScannedFile, readTranscript } from './scan';

/** A transcript to be scanned. */
export interface Scannable {
  readonly file: string;
  readonly size: number;
  readonly adapter: AgentAdapter;
}

/** A transcript that was scanned, or why it could not be. */
export type Scanned<One extends Scannable> =
  | { readonly one: One; readonly scanned: ScannedFile }
  | { readonly one: One; readonly why: string };

export interface ScanAllOptions {
  readonly detectors: ScanOptions['detectors'];
  readonly context: (one: Scannable) => Omit<ScanOptions, 'adapter' | 'detectors' | 'onProgress' | 'across' | 'now'>;
  readonly now?: number;
  /** Bytes read so far, of all transcripts. */
  readonly onProgress?: (bytes: number) => void;
}

/** Errors that agents have within so long of each other may be one (detect/outage.ts). */
const AT_ONCE_MS = 2 * 60_000;

/**
 * Scans transcripts in the order in which they begin. Those whose times overlap are reported together, once the last of them was read: the
 * rules across sessions look at all of them at once.
 */
export async function* scanAll<One extends Scannable>(
  all: readonly One[],
  options: ScanAllOptions,
): AsyncGenerator<Scanned<One>> {
  const ordered = all
    .map((one) => ({ one, from: beginning(one) }))
    .sort((a, b) => a.from - b.from || (a.one.file < b.one.file ? -1 : 1));
  const across = new AcrossNotes();
  let group: ({ one: One; transcript: ReadTranscript } | { one: One; why: string })[] = [];
  let until = Number.NEGATIVE_INFINITY;
  let bytes = 0;

  function* results(): Generator<Scanned<One>> {
    across.report(options.detectors);
    for (const entry of group) yield 'why' in entry ? entry : { one: entry.one, scanned: entry.transcript.result() };
    group = [];
  }

  for (const { one, from } of ordered) {
    if (from > until + AT_ONCE_MS) yield* results();
    try {
      const transcript = await readTranscript(one.file, {
        ...options.context(one),
        adapter: one.adapter,
        detectors: options.detectors,
        ...(all.length > 1 && { across }),
        ...(options.now !== undefined && { now: options.now }),
        onProgress: (done) => options.onProgress?.(bytes + done),
      });
      group.push({ one, transcript });
      until = Math.max(until, transcript.lastAt);
    } catch (error) {
      group.push({ one, why: error instanceof Error ? error.message : String(error) });
    }
    bytes += one.size;
    options.onProgress?.(bytes);
  }
  yield* results();
}

/** The first time that stands in a transcript, milliseconds since the epoch; 0 where none is found, so that it is read first. */
function beginning({ file, size }: Scannable): number {
  if (size === 0) return 0;
  const read = readPartNow(file, { from: 0, length: Math.min(size, HEAD_BYTES) });
  return read.ok ? firstTime(read.value.bytes.toString('utf8')) : 0;
}

const TIME = /\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?|[:\s](1[5-9]\d{11})\b/;

function firstTime(head: string): number {
  const found = TIME.exec(head);
  if (!found) return 0;
  const time = found[1] === undefined ? Date.parse(found[0]) : Number(found[1]);
  return Number.isFinite(time) ? time : 0;
}
