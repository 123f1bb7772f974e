import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FileCache } from '../base/files';
import { hashOf } from '../base/util/hash';
import { remembered } from '../base/util/remembered';
import { redactDeep } from '../base/util/redact';
import type { AcrossNote } from '../detect/session/across-note';
import type { Source } from '../core/model';
import type { TakenNote } from './across';
import { bytesOf, keysFrom, KnownRecords, type RecordOwners } from './follow/copies';
import { filesOfSession } from './follow/session-files';
import { type ReadTranscript, type ScanOptions, type ScannedFile, readTranscript } from './scan';

/** A transcript as it was read, now or earlier. */
export interface CachedRead extends Pick<ReadTranscript, 'lastAt' | 'notes'> {
  /**
   * Returns the same as `ReadTranscript`. The findings of the rules across sessions are not part of the entry: with them the transcript is read
   * again.
   */
  result(acrossResults?: Parameters<ReadTranscript['result']>[0]): ScannedFile | Promise<ScannedFile>;
}

/** Knowledge of a transcript. Texts are without secrets, because the entry is on disk. */
interface Entry {
  /** The transcript and its companion files, each by place, size, time and inode. */
  readonly inputs: string;
  /** Small files that were read with it, with the hash of each; null: it did not exist. */
  readonly small: readonly (readonly [path: string, hash: number | null])[];
  /** Queries about the records of transcripts read before it, in order. */
  readonly asked: readonly OwnerQueries[];
  readonly lastAt: number;
  /** Notes in order; consecutive notes of one session are grouped. */
  readonly notes: readonly NotesOf[];
  readonly scanned: ScannedFile;
}

/** Notes of one session. In an entry the path of its transcript is left out of each source: it would be a quarter of all entries. */
interface NotesOf {
  readonly from: TakenNote['from'];
  readonly notes: TakenNote['note'][];
}

/** Queries of one session: whether another one wrote these records first. */
interface OwnerQueries {
  readonly session: string;
  /** 64-bit numbers, in base64. */
  readonly keys: string;
  /** Places in `keys` of the records that another session wrote. */
  readonly others: readonly number[];
}

/** A file written this recently may change once more without getting another time: file systems count in ticks. */
const SETTLED_MS = 2_000;

/**
 * Reads a transcript, or takes what is known of it from the cache. An entry is valid as long as nothing has changed that its result depends on: the
 * transcript and its companion files by place, size, time and inode, small files by content, the limits of the rules, the time zone, and which of its
 * records are in transcripts read before.
 */
export async function readCached(
  file: string,
  options: ScanOptions,
  cache: FileCache | undefined,
): Promise<CachedRead> {
  if (!cache || !canBeKept(options)) return readTranscript(file, options);
  const { known = new KnownRecords(), clock: now = Date.now } = options;
  const inputs = inputsOf(file, options);
  const reading = { ...options, known, across: true };
  const key = `${inputs.rules}\n${file}`;
  const kept = ({ lastAt, notes, scanned }: Pick<Entry, 'lastAt' | 'notes' | 'scanned'>): CachedRead => ({
    lastAt,
    notes: notes.flatMap(({ from, notes: all }) => all.map((note) => ({ from, note }))),
    result: (acrossResults = []) =>
      acrossResults.length === 0 ? scanned : readTranscript(file, reading).then((again) => again.result(acrossResults)),
  });
  const entry = entryOf(await cache.read(key));
  if (entry && entry.inputs === inputs.files && smallHolds(entry, options) && replayed(entry.asked, known)) {
    options.onProgress?.(entry.scanned.bytes);
    return kept({ ...entry, notes: named(entry.notes, '', file) });
  }
  const small = new Map<string, number | null>();
  const queries = new RecordedQueries(known);
  const read = await readTranscript(file, {
    ...reading,
    known: queries,
    readSmall: (path) => {
      const text = options.readSmall(path);
      small.set(path, text === undefined ? null : hashOf(text));
      return text;
    },
  });
  const { lastAt } = read;
  const notes = bySession(read.notes);
  const found = { lastAt, notes, scanned: read.result() };
  // Checked now and not with the result, which comes after the last of overlapping transcripts.
  const isSettled = inputsOf(file, options).files === inputs.files && now() - changedAt(file) > SETTLED_MS;
  if (isSettled && options.isWanted?.() !== false) {
    const redacted = redactDeep({ notes: named(notes, file, ''), scanned: found.scanned }) as Pick<
      Entry,
      'notes' | 'scanned'
    >;
    const made: Entry = { inputs: inputs.files, small: [...small], asked: queries.all(), lastAt, ...redacted };
    await cache.write(key, JSON.stringify(made));
  }
  return kept(found);
}

/** Scans one transcript, or takes what is known of it from the cache. */
export async function scanFile(file: string, options: ScanOptions, cache?: FileCache): Promise<ScannedFile> {
  return (await readCached(file, options, cache)).result();
}

/**
 * True if the result can be cached. Databases change in files next to their own, a selection of sessions is not the whole, and a result for a time
 * set by the caller is of that time only.
 */
function canBeKept({ adapter, only, now }: ScanOptions): boolean {
  return adapter.unit !== 'database' && only === undefined && now === undefined;
}

/** Returns what a result depends on: rules and clock, by which an entry is found, and the files as they are. */
export function inputsOf(
  file: string,
  { adapter, detectors }: Pick<ScanOptions, 'adapter' | 'detectors'>,
): { readonly rules: string; readonly files: string } {
  const { main, companions } = filesOfSession(adapter, file);
  const limits = JSON.stringify(detectors(adapter.id), limitOf);
  const files = [file, ...(main === file ? companions : [])].map(stampOf);
  return {
    rules: `${adapter.id} ${timeZone(process.env['TZ'] ?? '')} ${hashOf(limits)}`,
    files: JSON.stringify(files),
  };
}

/**
 * Returns the time zone of this process, in which times without a zone are read. It changes only with `TZ`, and finding it takes a third of a
 * millisecond.
 */
const timeZone = remembered(() => Intl.DateTimeFormat().resolvedOptions().timeZone, { most: 4, longest: 100 });

/** Replaces infinity, the limit of a rule that never reports *stuck*: JSON does not have it. */
function limitOf(_name: string, value: unknown): unknown {
  return value === Number.POSITIVE_INFINITY ? 'never' : value;
}

function bySession(taken: readonly TakenNote[]): NotesOf[] {
  const runs: NotesOf[] = [];
  for (const { from, note } of taken) {
    if (runs.at(-1)?.from !== from) runs.push({ from, notes: [] });
    runs.at(-1)?.notes.push(note);
  }
  return runs;
}

/** Returns the notes with another name for the file of their sources. */
function named(notes: readonly NotesOf[], from: string, to: string): NotesOf[] {
  const of = <One extends Source | null>(source: One): One =>
    source?.file === from ? { ...source, file: to } : source;
  const one = (note: AcrossNote): AcrossNote =>
    note.type === 'step'
      ? { ...note, source: of(note.source), end: of(note.end) }
      : ({ ...note, source: of(note.source) } as AcrossNote);
  return notes.map((run) => ({ from: run.from, notes: run.notes.map(one) }));
}

function stampOf(file: string): readonly unknown[] {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found ? [resolve(file), String(found.size), String(found.mtimeNs), String(found.ino)] : [resolve(file)];
}

function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
}

function entryOf(text: string | undefined): Entry | undefined {
  // Only this program writes entries, and the checksum of this one was right.
  return text === undefined ? undefined : (JSON.parse(text) as Entry);
}

function smallHolds({ small }: Entry, { readSmall }: ScanOptions): boolean {
  return small.every(([path, hash]) => {
    const text = readSmall(path);
    return (text === undefined ? null : hashOf(text)) === hash;
  });
}

/** Repeats the queries: true if all answers are the same. Records without an owner belong to the session from now on, as if it had been read. */
function replayed(queries: readonly OwnerQueries[], known: RecordOwners): boolean {
  return queries.every(({ session, keys, others }) => {
    const elsewhere = new Set(others);
    return keysFrom(keys).every((key, at) => (known.ownerOf(key, session) !== session) === elsewhere.has(at));
  });
}

/** Notes the queries and their answers. */
class RecordedQueries implements RecordOwners {
  private readonly runs: { readonly session: string; readonly keys: number[]; readonly others: number[] }[] = [];

  constructor(private readonly known: RecordOwners) {}

  ownerOf(key: number, session: string): string {
    let run = this.runs.at(-1);
    if (run?.session !== session) this.runs.push((run = { session, keys: [], others: [] }));
    const owner = this.known.ownerOf(key, session);
    if (owner !== session) run.others.push(run.keys.length);
    run.keys.push(key);
    return owner;
  }

  all(): OwnerQueries[] {
    return this.runs.map(({ session, keys, others }) => ({
      session,
      keys: bytesOf(keys),
      others,
    }));
  }
}
