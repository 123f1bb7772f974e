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
  /** As of `ReadTranscript`. What the rules across sessions found is no part of the entry: with it the transcript is read again. */
  result(told?: Parameters<ReadTranscript['result']>[0]): ScannedFile | Promise<ScannedFile>;
}

/** What is known of a transcript. Texts are without secrets: it lies on the disk. */
interface Entry {
  /** The transcript and the files beside it, each by place, size, time and inode. */
  readonly inputs: string;
  /** Small files that were looked at beside it, with the hash of each; null: it was not there. */
  readonly small: readonly (readonly [path: string, hash: number | null])[];
  /** What was asked of the records of transcripts read before it, in order. */
  readonly asked: readonly Asked[];
  readonly lastAt: number;
  /** Notes in order, those of one session in a row together. */
  readonly notes: readonly NotesOf[];
  readonly scanned: ScannedFile;
}

/** In an entry the path of its transcript is left out of each source: it would be a quarter of all entries. */
interface NotesOf {
  readonly from: TakenNote['from'];
  readonly notes: TakenNote['note'][];
}

/** Questions for one session: whether another one wrote these records first. */
interface Asked {
  readonly session: string;
  /** 64-bit numbers, in base64. */
  readonly keys: string;
  /** Places in `keys` of those that another session wrote. */
  readonly others: readonly number[];
}

/** A file written within so long may change once more without another time: file systems count in ticks. */
const SETTLED_MS = 2_000;

/**
 * Reads a transcript, or takes what is known of it from the cache. An entry holds as long as everything is the same that its result depends on: the
 * transcript and the files beside it by place, size, time and inode, small files by content, the limits of the rules, the time zone, and which of
 * its records stand in transcripts read before.
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
    result: (told = []) =>
      told.length === 0 ? scanned : readTranscript(file, reading).then((again) => again.result(told)),
  });
  const entry = entryOf(await cache.read(key));
  if (entry && entry.inputs === inputs.files && smallHolds(entry, options) && replayed(entry.asked, known)) {
    options.onProgress?.(entry.scanned.bytes);
    return kept({ ...entry, notes: named(entry.notes, '', file) });
  }
  const small = new Map<string, number | null>();
  const asked = new AskedRecords(known);
  const read = await readTranscript(file, {
    ...reading,
    known: asked,
    readSmall: (path) => {
      const text = options.readSmall(path);
      small.set(path, text === undefined ? null : hashOf(text));
      return text;
    },
  });
  const { lastAt } = read;
  const notes = bySession(read.notes);
  const found = { lastAt, notes, scanned: read.result() };
  // Now, and not with the result: where transcripts overlap, that comes after the last of them.
  const isSettled = inputsOf(file, options).files === inputs.files && now() - changedAt(file) > SETTLED_MS;
  if (isSettled && options.isWanted?.() !== false) {
    const told = redactDeep({ notes: named(notes, file, ''), scanned: found.scanned }) as Pick<
      Entry,
      'notes' | 'scanned'
    >;
    const made: Entry = { inputs: inputs.files, small: [...small], asked: asked.all(), lastAt, ...told };
    await cache.write(key, JSON.stringify(made));
  }
  return kept(found);
}

/** Scans one transcript, or takes what is known of it from the cache. */
export async function scanFile(file: string, options: ScanOptions, cache?: FileCache): Promise<ScannedFile> {
  return (await readCached(file, options, cache)).result();
}

/** Databases change beside their file, and some sessions of one are not all; with a time of the caller's own the result is of that time. */
function canBeKept({ adapter, only, now }: ScanOptions): boolean {
  return adapter.unit !== 'database' && only === undefined && now === undefined;
}

/** What a result depends on: rules and clock, by which an entry is found, and the files as they are. */
export function inputsOf(
  file: string,
  { adapter, detectors }: Pick<ScanOptions, 'adapter' | 'detectors'>,
): { readonly rules: string; readonly files: string } {
  const { main, beside } = filesOfSession(adapter, file);
  const limits = JSON.stringify(detectors(adapter.id), limitOf);
  const files = [file, ...(main === file ? beside : [])].map(stampOf);
  return {
    rules: `${adapter.id} ${timeZone(process.env['TZ'] ?? '')} ${hashOf(limits)}`,
    files: JSON.stringify(files),
  };
}

/** Times without a zone are read in that of this process, which changes with `TZ` only. Asking for it takes a third of a millisecond. */
const timeZone = remembered(() => Intl.DateTimeFormat().resolvedOptions().timeZone, { most: 4, longest: 100 });

/** JSON has no infinity: a rule that never says *stuck* has it as its limit. */
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

/** The notes, with another name for the file of their sources. */
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
  // Only this program writes entries, and the sum of this one is right.
  return text === undefined ? undefined : (JSON.parse(text) as Entry);
}

function smallHolds({ small }: Entry, { readSmall }: ScanOptions): boolean {
  return small.every(([path, hash]) => {
    const text = readSmall(path);
    return (text === undefined ? null : hashOf(text)) === hash;
  });
}

/** Asks the same again: true where all answers are the same. What was nobody's is the session's own from now on, as if it had been read. */
function replayed(asked: readonly Asked[], known: RecordOwners): boolean {
  return asked.every(({ session, keys, others }) => {
    const elsewhere = new Set(others);
    return keysFrom(keys).every((key, at) => (known.ownerOf(key, session) !== session) === elsewhere.has(at));
  });
}

/** Notes what is asked. */
class AskedRecords implements RecordOwners {
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

  all(): Asked[] {
    return this.runs.map(({ session, keys, others }) => ({
      session,
      keys: bytesOf(keys),
      others,
    }));
  }
}
