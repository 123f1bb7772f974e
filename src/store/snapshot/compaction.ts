import { readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isActive } from '../../model';
import type { Log } from '../../util/log';
import { type Breather, createBreather } from '../breathe';
import { type Contents, applyRecord, createContents } from '../contents/contents';
import { encodeDamage } from '../damage';
import { asStoreError, isAbsent } from '../errors';
import { type Owner, acquire } from '../windows/exclusive';
import { encodeRecord, journalFile, type JournalName } from '../journal/journal-format';
import { listJournals, readJournal } from '../journal/journal-reader';
import { viewOf } from '../contents/merge';
import type { Places } from '../places';
import { filterEvents } from '../queries/query';
import { RECORD_VERSION, type StoreRecord } from '../journal/records';
import { type RetentionLimits, retain } from './retention';
import { readHeader } from './header';
import { makeWay, replaceFile, setAside } from './replace-file';
import { buildSnapshot, readSnapshot } from './snapshot';
import type { SqlEngine } from './sql-engine';
import type { CompactionResult, StoreDamage } from '../types';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;
/** A journal of another machine, whose process cannot be asked for, counts as given up after so long without a write. */
const STALE_ELSEWHERE_MS = DAY;
/** Claims are about incidents of today; a month is more than any of them lasts. */
const CLAIM_DAYS = 30;
/** What a window needs to know of earlier incidents before the database is loaded: those of the last days, at most so many. */
const RECENT_DAYS = 3;
const MOST_RECENT = 200;
/** The same of what people said of alarms: as many calls as are remembered (src/incident/feedback.ts), said and taken back. */
const MOST_FEEDBACK = 400;
const LARGEST_FILE = 8 * 1000 * 1000;

export interface CompactionParts {
  readonly places: Places;
  readonly engine: SqlEngine;
  readonly owner: Owner;
  readonly limits: () => RetentionLimits;
  readonly log: Log;
  /** Seals the own journal, so that it can be moved. */
  readonly sealOwn: () => Promise<void>;
  /** Gives other windows time to read the sealed journal to its end before it is deleted. */
  readonly waitForReaders: () => Promise<void>;
  readonly uniqueId: () => string;
  /** What this window has read of the history, for where the file was damaged since. */
  readonly remembered: () => Iterable<StoreRecord>;
  /** Also when no journal waits. */
  readonly isForced: boolean;
}

/**
 * Moves the own journal and those of ended processes into the snapshot. Journals of running windows stay. At every moment each record is in a
 * journal or in the snapshot, often in both; applying it twice does no harm.
 */
export async function compact(parts: CompactionParts): Promise<CompactionResult> {
  try {
    const hold = await acquire(parts.places.lock, parts.owner);
    if (!hold) return { done: false, reason: 'locked' };
    try {
      return await compactAlone(parts, () => hold.isMine());
    } finally {
      await hold.release().catch(() => {});
    }
  } catch (error) {
    const failure = asStoreError(error);
    parts.log.warn(`history: ${failure.message}`);
    return { done: false, reason: failure.code };
  }
}

async function compactAlone(parts: CompactionParts, isStillMine: () => Promise<boolean>): Promise<CompactionResult> {
  const header = await readHeader(parts.places.snapshot);
  if (header.kind === 'newer') return { done: false, reason: 'newer_version' };
  await parts.sealOwn();
  await parts.waitForReaders();
  const journals = await takeOver(parts);
  await tidy(parts);
  if (journals.length === 0 && header.kind !== 'corrupt' && !parts.isForced)
    return { done: false, reason: 'nothing_to_do' };
  return rebuild(parts, journals, header.kind, isStillMine);
}

async function rebuild(
  parts: CompactionParts,
  journals: readonly JournalName[],
  kind: 'absent' | 'corrupt' | 'present',
  isStillMine: () => Promise<boolean>,
): Promise<CompactionResult> {
  const { places, owner } = parts;
  const breather = createBreather();
  const contents = createContents();
  const add = (record: StoreRecord) => void applyRecord(contents, record);
  const found = await readHistory(parts, kind, add, breather);
  const used: UsedJournal[] = [];
  for (const journal of journals) {
    const path = join(places.journals, journalFile(journal.base, true));
    const reading = await readJournal(path, 0, add, breather);
    // A newer version's journal stays for that version to take in.
    if (reading && !reading.newer) used.push({ path, damaged: reading.damaged });
  }
  const bytes = await buildWithinLimit(parts, contents, breather);

  const at = owner.now();
  const damage = damageOf(places, found, used, at);
  const id = parts.uniqueId();
  const replace = async (path: string, data: Uint8Array) => {
    await makeWay(path, asideOf(path, at));
    return replaceFile(path, `${path}.${id}.tmp`, data, isStillMine);
  };
  // Write recent.jsonl before deleting journals, so that every record is always in one of the two; and what was damaged before it is set
  // aside, so that it is told even if this window ends now.
  if (!(await replace(places.recent, await recentRecords(contents, owner, breather)))) return LOST_LOCK;
  if (damage && !(await replace(places.damage, encodeDamage(places, damage)))) return LOST_LOCK;
  if (found.isDamaged) await setAside(places.snapshot, asideOf(places.snapshot, at));
  if (!(await replace(places.snapshot, bytes))) return LOST_LOCK;
  for (const { path, damaged } of used) {
    if (damaged === 0) await unlink(path).catch(ignoreAbsent);
    else await rename(path, asideOf(path, at)).catch(ignoreAbsent);
  }
  if (damage) logDamage(parts.log, damage);
  return { done: true, bytes: bytes.length, longestBlockMs: breather.longestMs };
}

const LOST_LOCK: CompactionResult = { done: false, reason: 'lost_lock' };

interface UsedJournal {
  readonly path: string;
  /** Lines. */
  readonly damaged: number;
}

interface HistoryReading {
  readonly isDamaged: boolean;
  /** Incidents of the snapshot that were found. */
  readonly saved: number;
  /** How many it had; null where it does not say. */
  readonly of: number | null;
}

/**
 * Reads the snapshot. Where it is damaged or gone, what recent.jsonl still has of it goes along, since that file is written anew; where it is
 * damaged, what this window remembers, too.
 */
async function readHistory(
  { places, engine, remembered }: CompactionParts,
  kind: 'absent' | 'corrupt' | 'present',
  add: (record: StoreRecord) => void,
  breather: Breather,
): Promise<HistoryReading> {
  const saved = new Set<string>();
  const take = (record: StoreRecord) => {
    if (record.k === 'incident') saved.add(record.incident.id);
    add(record);
  };
  const { damaged, incidents } = await readSnapshot(places.snapshot, engine, take, breather);
  const isDamaged = kind === 'corrupt' || damaged > 0;
  if (isDamaged || kind === 'absent') await readJournal(places.recent, 0, take, breather);
  if (isDamaged) {
    for (const record of remembered()) {
      take(record);
      const pause = breather.breathe();
      if (pause) await pause;
    }
  }
  return { isDamaged, saved: saved.size, of: incidents };
}

function damageOf(
  places: Places,
  { isDamaged, saved, of }: HistoryReading,
  used: readonly UsedJournal[],
  at: number,
): StoreDamage | null {
  const broken = used.filter(({ damaged }) => damaged > 0);
  if (!isDamaged && broken.length === 0) return null;
  const files = [...(isDamaged ? [places.snapshot] : []), ...broken.map(({ path }) => path)];
  return {
    at,
    saved: isDamaged ? saved : 0,
    lost: !isDamaged ? 0 : of === null ? null : Math.max(0, of - saved),
    lines: broken.reduce((sum, { damaged }) => sum + damaged, 0),
    files: files.map((path) => asideOf(path, at)),
  };
}

function logDamage(log: Log, { saved, lost, lines, files }: StoreDamage): void {
  const found = `${saved} incidents of the snapshot were saved, ${lost ?? 'an unknown number'} lost, and ${lines} lines of journals`;
  log.warn(`history: damage was found: ${found}; the damaged files are kept: ${files.join(', ')}`);
}

/** Retention counts characters, the limit is in bytes; text that is mostly not Latin takes a second round. */
async function buildWithinLimit(parts: CompactionParts, contents: Contents, breather: Breather): Promise<Uint8Array> {
  let limits = parts.limits();
  for (let round = 0; ; round++) {
    const { rows, trimmed, dropped } = await retain(contents, limits, parts.owner.now(), breather);
    if (trimmed + dropped > 0)
      parts.log.info(`history: evidence of ${trimmed} old incidents trimmed, ${dropped} dropped`);
    const bytes = await buildSnapshot(contents, rows, parts.engine, breather);
    if (bytes.length <= LARGEST_FILE || round >= 3) return bytes;
    limits = { ...limits, characters: Math.floor(limits.characters * (LARGEST_FILE / bytes.length) * 0.9) };
  }
}

/** Sealed journals, after sealing those whose process has ended. Renamed before they are read: a writer that lives notices and moves on. */
async function takeOver({ places, owner }: CompactionParts): Promise<JournalName[]> {
  const taken: JournalName[] = [];
  for (const journal of await listJournals(places.journals)) {
    if (!journal.sealed) {
      const path = join(places.journals, journalFile(journal.base, false));
      const liveness = owner.processes.liveness(journal.writer);
      if (liveness === 'alive') continue;
      if (liveness === 'unknown' && (await ageOf(path, owner)) < STALE_ELSEWHERE_MS) continue;
      try {
        await rename(path, join(places.journals, journalFile(journal.base, true)));
      } catch (error) {
        if (isAbsent(error)) continue;
        throw error;
      }
    }
    taken.push({ ...journal, sealed: true });
  }
  return taken;
}

async function recentRecords(contents: Contents, owner: Owner, breather: Breather): Promise<Buffer> {
  breather.restart();
  const since = owner.now() - RECENT_DAYS * DAY;
  const recent = [...contents.incidents.values()]
    .filter((kept) => kept.incident.updatedAt >= since || isActive(viewOf(kept).state))
    .sort((a, b) => b.incident.updatedAt - a.incident.updatedAt)
    .slice(0, MOST_RECENT);
  const lines = [encodeRecord({ k: 'journal', v: RECORD_VERSION, window: owner.window, at: owner.now() })];
  for (const [id, removal] of contents.removed)
    if (removal.at >= since) lines.push(encodeRecord({ k: 'remove', id, ...removal }));
  for (const event of filterEvents(contents.events.values(), { type: 'Feedback', limit: MOST_FEEDBACK }))
    lines.push(encodeRecord({ k: 'event', event }));
  for (const kept of recent) {
    lines.push(encodeRecord({ k: 'incident', ...kept }));
    const pause = breather.breathe();
    if (pause) await pause;
  }
  return Buffer.from(lines.join(''), 'utf8');
}

/** What crashed compactions and old claims left behind. */
async function tidy({ places, owner }: CompactionParts): Promise<void> {
  for (const file of await readdir(places.folder)) {
    if (/^(?:incidents\.sqlite|recent\.jsonl|damage\.json)\.\w+\.tmp$/.test(file))
      await unlink(join(places.folder, file)).catch(ignoreAbsent);
  }
  for (const file of await readdir(places.lock)) {
    // Only this process has the lock; another one that is about to ask for it is done with its file in a moment.
    if (file.endsWith('.tmp') && (await ageOf(join(places.lock, file), owner)) > MINUTE) {
      await unlink(join(places.lock, file)).catch(ignoreAbsent);
    }
  }
  const claims = await readdir(places.claims).catch(() => []);
  for (const claim of claims) {
    const path = join(places.claims, claim);
    if ((await ageOf(path, owner)) > CLAIM_DAYS * DAY) await rm(path, { recursive: true, force: true });
  }
}

/** Milliseconds since a file was last written; 0 where it is gone. */
async function ageOf(path: string, owner: Owner): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => owner.now() - mtimeMs,
    () => 0,
  );
}

/** Where a damaged file is kept: `…corrupt-2026-11-20T18-53-50-123Z`, a time that any file system takes. */
function asideOf(path: string, at: number): string {
  return `${path}.corrupt-${new Date(at).toISOString().replace(/[:.]/g, '-')}`;
}

function ignoreAbsent(error: unknown): void {
  if (!isAbsent(error)) throw error;
}
