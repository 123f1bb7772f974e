import { readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../base/util/log';
import { encodeDamage } from '../damage';
import { asStoreError, isAbsent } from '../errors';
import { type Owner, acquire } from '../windows/exclusive';
import type { JournalName } from '../journal/journal-format';
import { listJournals } from '../journal/journal-reader';
import { sealJournal } from '../journal/journal-writer';
import { forgetLineCounts } from '../journal/line-count';
import type { StoreRecord } from '../journal/records';
import type { StorePaths } from '../store-paths';
import type { CompactionResult, StoreDamage } from '../types';
import { readHeader } from './header';
import { leftJournals } from './left-journals';
import type { HistoryReading, RebuildJob, Rebuilt, UsedJournal } from './rebuild';
import { makeWay, replaceWhole, setAside } from './replace-file';
import type { RetentionLimits } from './retention';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;
/** Claims are about recent incidents; none of them lasts a month. */
const CLAIM_DAYS = 30;

export interface CompactionParts {
  readonly places: StorePaths;
  /** Makes the new snapshot; null if the old one is damaged and `remembered` was not passed. */
  readonly rebuild: (job: RebuildJob, remembered: readonly StoreRecord[] | null) => Promise<Rebuilt | null>;
  readonly owner: Owner;
  readonly limits: () => RetentionLimits;
  readonly log: Log;
  /** Seals this window's own journal, so that it can be moved. */
  readonly sealOwn: () => Promise<void>;
  /** Waits for other windows to read the sealed journal to its end before it is deleted. */
  readonly waitForReaders: () => Promise<void>;
  readonly uniqueId: () => string;
  /** Returns the records that this window has read, in case the file was damaged since. */
  readonly remembered: () => Promise<Iterable<StoreRecord>>;
  /** Compact even if no journal waits. */
  readonly isForced: boolean;
}

/**
 * Moves this window's own journal and those of ended processes into the snapshot. Journals of running windows stay. At every moment each record is in
 * a journal or in the snapshot, often in both; applying it twice does no harm.
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
  return rebuildSnapshot(parts, journals, header.kind, isStillMine);
}

async function rebuildSnapshot(
  parts: CompactionParts,
  journals: readonly JournalName[],
  kind: 'absent' | 'corrupt' | 'present',
  isStillMine: () => Promise<boolean>,
): Promise<CompactionResult> {
  const { places, owner, log } = parts;
  const at = owner.now();
  const job = { folder: places.folder, journals, kind, limits: parts.limits(), window: owner.window, now: at };
  // The records of this window are requested only if the file was damaged: there are many.
  const rebuilt = (await parts.rebuild(job, null)) ?? (await parts.rebuild(job, [...(await parts.remembered())]));
  if (!rebuilt) throw new Error('A history without what is remembered of it');
  const { bytes, recent, found, used, trimmed, dropped, longestMs } = rebuilt;
  if (trimmed + dropped > 0) log.info(`history: evidence of ${trimmed} old incidents trimmed, ${dropped} dropped`);

  const damage = damageOf(places, found, used, at);
  const id = parts.uniqueId();
  const replace = async (path: string, data: Uint8Array) => {
    await makeWay(path, asideOf(path, at));
    return replaceWhole(path, `${path}.${id}.tmp`, data, isStillMine);
  };
  // Write recent.jsonl before deleting journals, so that every record is always in one of the two. Set damaged files aside after it, so that the
  // damage is reported even if this window ends now.
  if (!(await replace(places.recent, recent))) return LOST_LOCK;
  if (damage && !(await replace(places.damage, encodeDamage(places, damage)))) return LOST_LOCK;
  if (found.isDamaged) await setAside(places.snapshot, asideOf(places.snapshot, at));
  if (!(await replace(places.snapshot, bytes))) return LOST_LOCK;
  for (const { path, damaged } of used) {
    if (damaged === 0) await unlink(path).catch(ignoreAbsent);
    else await rename(path, asideOf(path, at)).catch(ignoreAbsent);
  }
  if (damage) logDamage(log, damage);
  return { done: true, bytes: bytes.length, longestBlockMs: longestMs };
}

const LOST_LOCK: CompactionResult = { done: false, reason: 'lost_lock' };

function damageOf(
  places: StorePaths,
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

/**
 * Returns the sealed journals, after sealing those whose process has ended. They are renamed before they are read: a writer that is still alive
 * notices and moves on.
 */
async function takeOver({ places, owner }: CompactionParts): Promise<JournalName[]> {
  const taken: JournalName[] = [];
  for (const { name } of await leftJournals(places.journals, owner.processes, owner.now())) {
    if (name.sealed || (await sealJournal(places.journals, name.base))) taken.push({ ...name, sealed: true });
  }
  return taken;
}

/** Removes leftovers of crashed compactions and old claims. */
async function tidy({ places, owner }: CompactionParts): Promise<void> {
  await forgetLineCounts(places.counts, async () => (await listJournals(places.journals)).map(({ base }) => base));
  for (const file of await readdir(places.folder)) {
    if (/^(?:incidents\.sqlite|recent\.jsonl|damage\.json|search\.index)\.\w+\.tmp$/.test(file))
      await unlink(join(places.folder, file)).catch(ignoreAbsent);
  }
  for (const file of await readdir(places.lock)) {
    // Only this process has the lock; another one that is about to request it needs its file only for a moment.
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

/** Returns the milliseconds since a file was last written; 0 if it is gone. */
async function ageOf(path: string, owner: Owner): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => owner.now() - mtimeMs,
    () => 0,
  );
}

/** Returns the path for a damaged file: `…corrupt-2026-11-20T18-53-50-123Z`, with a time in a form that any file system accepts. */
function asideOf(path: string, at: number): string {
  return `${path}.corrupt-${new Date(at).toISOString().replace(/[:.]/g, '-')}`;
}

function ignoreAbsent(error: unknown): void {
  if (!isAbsent(error)) throw error;
}
