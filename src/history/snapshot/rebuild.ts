import { join } from 'node:path';
import { isActive } from '../../core/model';
import { type Breather, createBreather } from '../breathe';
import { type Contents, applyRecord, createContents } from '../contents/contents';
import { shownIncident } from '../contents/merge';
import { type JournalName, encodeRecord, journalFile } from '../journal/journal-format';
import { readJournal } from '../journal/journal-reader';
import { leastLines } from '../journal/line-count';
import { RECORD_VERSION, type StoreRecord } from '../journal/records';
import { type StorePaths, storePaths } from '../store-paths';
import { filterEvents } from '../queries/query';
import { type RetentionLimits, retain } from './retention';
import { buildSnapshot, readSnapshot } from './snapshot';
import type { SqlEngine } from './sql-engine';

const DAY = 24 * 60 * 60 * 1000;
/** Earlier incidents that a window needs before the database is loaded: active ones and those of the last days, at most `MOST_RECENT`. */
const RECENT_DAYS = 3;
const MOST_RECENT = 200;
/** The same for people's feedback on alarms: as many calls as are remembered (src/detect/incident/not-stuck.ts), given and withdrawn. */
const MOST_FEEDBACK = 400;
const LARGEST_FILE = 8 * 1000 * 1000;

/** Input of a rebuild: plain data, so that it can be passed to a thread. */
export interface RebuildJob {
  /** Folder of the store. */
  readonly folder: string;
  /** Journals that are taken into the snapshot. */
  readonly journals: readonly JournalName[];
  /** State of the snapshot, according to its header. */
  readonly kind: 'absent' | 'corrupt' | 'present';
  readonly limits: RetentionLimits;
  readonly window: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The new files before they are written. */
export interface Rebuilt {
  /** `incidents.sqlite` */
  readonly bytes: Uint8Array;
  /** `recent.jsonl` */
  readonly recent: Uint8Array;
  readonly found: HistoryReading;
  readonly used: readonly UsedJournal[];
  /** Number of records that retention removed. */
  readonly trimmed: number;
  readonly dropped: number;
  /** The longest uninterrupted work in the thread that did it, milliseconds. */
  readonly longestMs: number;
}

/** A journal that was taken into the snapshot. */
export interface UsedJournal {
  readonly path: string;
  /** Lines that are damaged, or were cut off. */
  readonly damaged: number;
}

export interface HistoryReading {
  readonly isDamaged: boolean;
  /** Incidents of the snapshot that were found. */
  readonly saved: number;
  /** Number of incidents that it had; null if that is not recorded. */
  readonly of: number | null;
}

/**
 * Rebuilds the snapshot from the old one and from journals. Changes no file. It is a lot of work, seconds with thousands of incidents: in an editor
 * the thread of the history does it.
 *
 * @param remembered records of the history that a window has read; null if they were not requested
 * @returns null if the old snapshot is damaged, so that the remembered records are needed
 */
export async function rebuild(
  job: RebuildJob,
  remembered: readonly StoreRecord[] | null,
  engine: SqlEngine,
): Promise<Rebuilt | null> {
  const places = storePaths(job.folder);
  const breather = createBreather();
  const contents = createContents();
  const add = (record: StoreRecord) => void applyRecord(contents, record);
  const found = await readHistory(places, job.kind, engine, remembered, add, breather);
  if (!found) return null;
  const used: UsedJournal[] = [];
  for (const journal of job.journals) {
    const path = join(places.journals, journalFile(journal.base, true));
    const reading = await readJournal(path, 0, add, breather);
    // A newer version's journal is left for that version.
    if (!reading || reading.newer) continue;
    const cutOff = Math.max(0, (await leastLines(places.counts, journal.base)) - reading.lines);
    used.push({ path, damaged: reading.damaged + cutOff });
  }
  const built = await buildWithinLimit(job, contents, engine, breather);
  const recent = await recentRecords(contents, job, breather);
  return { ...built, recent, found, used, longestMs: breather.longestMs };
}

/**
 * Reads the snapshot. If it is damaged or gone, the records of recent.jsonl are included, since that file is rewritten; if it is damaged, so are this
 * window's records.
 */
async function readHistory(
  places: StorePaths,
  kind: RebuildJob['kind'],
  engine: SqlEngine,
  remembered: readonly StoreRecord[] | null,
  add: (record: StoreRecord) => void,
  breather: Breather,
): Promise<HistoryReading | null> {
  const saved = new Set<string>();
  const take = (record: StoreRecord) => {
    if (record.k === 'incident') saved.add(record.incident.id);
    add(record);
  };
  const { damaged, incidents } = await readSnapshot(places.snapshot, engine, take, breather);
  const isDamaged = kind === 'corrupt' || damaged > 0;
  if (isDamaged || kind === 'absent') await readJournal(places.recent, 0, take, breather);
  if (isDamaged) {
    if (!remembered) return null;
    for (const record of remembered) {
      take(record);
      const pause = breather.breathe();
      if (pause) await pause;
    }
  }
  return { isDamaged, saved: saved.size, of: incidents };
}

/** Builds a snapshot below the limit in bytes. Retention counts characters, so text that is mostly not Latin takes a second round. */
async function buildWithinLimit(
  job: RebuildJob,
  contents: Contents,
  engine: SqlEngine,
  breather: Breather,
): Promise<Pick<Rebuilt, 'bytes' | 'trimmed' | 'dropped'>> {
  let { limits } = job;
  let [trimmed, dropped] = [0, 0];
  for (let round = 0; ; round++) {
    const retained = await retain(contents, limits, job.now, breather);
    trimmed += retained.trimmed;
    dropped += retained.dropped;
    const bytes = await buildSnapshot(contents, retained.rows, engine, breather);
    if (bytes.length <= LARGEST_FILE || round >= 3) return { bytes, trimmed, dropped };
    limits = { ...limits, characters: Math.floor(limits.characters * (LARGEST_FILE / bytes.length) * 0.9) };
  }
}

async function recentRecords(contents: Contents, { window, now }: RebuildJob, breather: Breather): Promise<Uint8Array> {
  breather.restart();
  const since = now - RECENT_DAYS * DAY;
  const recent = [...contents.incidents.values()]
    .filter((kept) => kept.incident.updatedAt >= since || isActive(shownIncident(kept).state))
    .sort((a, b) => b.incident.updatedAt - a.incident.updatedAt)
    .slice(0, MOST_RECENT);
  const lines = [encodeRecord({ k: 'journal', v: RECORD_VERSION, window, at: now })];
  for (const [id, removal] of contents.removed)
    if (removal.at >= since) lines.push(encodeRecord({ k: 'remove', id, ...removal }));
  for (const event of filterEvents(contents.events.values(), { type: 'Feedback', limit: MOST_FEEDBACK }))
    lines.push(encodeRecord({ k: 'event', event }));
  for (const kept of recent) {
    lines.push(encodeRecord({ k: 'incident', ...kept }));
    const pause = breather.breathe();
    if (pause) await pause;
  }
  // A separate buffer, because it is transferred from one thread to another.
  return new TextEncoder().encode(lines.join(''));
}
