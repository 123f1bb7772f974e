import { mkdir } from 'node:fs/promises';
import { ulid } from 'ulid';
import { DisposableStore } from '../base/util/disposable';
import { Emitter } from '../base/util/emitter';
import { createAnswers } from './queries/answers';
import type { CataloguePort } from './catalogue/port';
import { createClaims } from './windows/claims';
import { compact } from './snapshot/compaction';
import { allIncidents, clusterOf, findIncident, agentSessionKey } from './contents/contents';
import { forgetDamage, readDamage } from './damage';
import { asStoreError, historyGone, storeError } from './errors';
import type { Owner } from './windows/exclusive';
import { watchFolder } from './windows/folder-watch';
import { createHistory } from './snapshot/history';
import { startHousekeeping } from './snapshot/housekeeping';
import { createJournalFollower, readJournal } from './journal/journal-reader';
import { createJournalWriter } from './journal/journal-writer';
import { feedbackIn } from './queries/feedback';
import { learningOf } from './queries/learning';
import { createMemory } from './contents/memory';
import { createOwnViews } from './contents/own-view';
import type { StoreOptions } from './options';
import { storePaths } from './store-paths';
import { identityTime, prepareEvent, prepareIncident, prepareLearning, prepareSession, ulidTime } from './prepare';
import { systemProcessTable } from './windows/process-id';
import { filterIncidents } from './queries/query';
import type { StoreRecord } from './journal/records';
import { RETENTION } from './snapshot/retention';
import { readHeader } from './snapshot/header';
import { createSqlEngine, type SqlEngine } from './snapshot/sql-engine';
import { createStatusBoard } from './status';
import type { CompactionResult, IncidentStore, SessionSeen, StoreChange } from './types';
import { createWriteQueue } from './journal/write-queue';

const SETTLE_MS = 3_000;
const SESSION_DELAY_MS = 60_000;
/** A session that only continued is written again after this time, and at the end. */
const SESSION_STEP_MS = 5 * 60_000;
/** Deleted incidents leave the disk after this time. */
const DELETE_MS = 1_000;

/**
 * Opens the incidents of a folder that any number of windows may use at once. Always resolves: if the folder cannot be used, the store keeps
 * everything in memory, and `status()` says why. Does not load the database.
 *
 * @param catalogueOver makes the database that is queried
 */
export async function openStoreOver(
  options: StoreOptions,
  catalogueOver: (engine: SqlEngine) => CataloguePort,
): Promise<IncidentStore> {
  const { clock, beat = clock, log, window } = options;
  const places = storePaths(options.folder);
  const processes = options.processes ?? systemProcessTable();
  const owner: Owner = { processes, window, now: () => clock.now() };
  const uniqueId = () => ulid(ulidTime(clock.now()));
  const engine = createSqlEngine(options.wasm);
  const catalogue = catalogueOver(engine);
  const memory = createMemory();
  const { contents } = memory;
  const own = createOwnViews();
  const changed = new Emitter<StoreChange>((error) => log.error(`history: a listener failed: ${String(error)}`));
  const statusChanged = new Emitter<void>((error) => log.error(`history: a listener failed: ${String(error)}`));
  const status = createStatusBoard(log, () => statusChanged.fire());
  const disposables = new DisposableStore();
  const writtenSessions = new Map<string, SessionSeen>();
  let isClosed = false;
  let isLoaded = false;
  let hasSnapshot = false;
  let endWait: () => void = () => {};

  const writer = createJournalWriter({
    folder: places.journals,
    counts: places.counts,
    window,
    self: processes.self,
    now: () => clock.now(),
    uniqueId,
    ...(options.openFile && { openFile: options.openFile }),
  });
  const queue = createWriteQueue({
    write: (records) => writer.append(records),
    after: (milliseconds, run) => clock.after(milliseconds, run),
    onResult: (error) => {
      status.set('journal', error);
      if (!error) status.set('folder', null);
    },
  });
  const claims = createClaims(places, owner, (error) => log.warn(`history: ${asStoreError(error).message}`));

  const announce = (source: StoreChange['source']) => {
    const change = memory.changes(source);
    if (change) changed.fire(change);
  };
  const follower = createJournalFollower(places.journals, (base) => writer.isOwn(base));
  let following: Promise<void> = Promise.resolve();
  const readOthers = (): Promise<void> => {
    following = following
      .catch(() => {})
      .then(() => follower.read((record) => void memory.apply(record, 'other')))
      .then(() => announce('other'));
    return following;
  };

  /** Damage may have been found and mended by this window, by another one, or by a command. */
  const lookForDamage = async (): Promise<void> => status.setDamage(await readDamage(places, clock.now()));

  /** False if recent.jsonl could not be read completely. */
  const readRecent = async (): Promise<boolean> => {
    try {
      const read = await readJournal(places.recent, 0, (record) => void memory.apply(record, 'history'));
      return (read?.damaged ?? 0) === 0;
    } catch (error) {
      log.warn(`history: ${asStoreError(error).message}`);
      return false;
    }
  };

  let compacting: Promise<CompactionResult> | null = null;
  const compactNow = (isForced: boolean): Promise<CompactionResult> => {
    compacting ??= compact({
      places,
      rebuild: (job, remembered) => catalogue.rebuild(job, remembered),
      owner,
      limits: () => ({ ...RETENTION, days: options.days?.() ?? RETENTION.days }),
      log,
      uniqueId,
      remembered: async () => [...memory.history(), ...(isLoaded ? await catalogue.records().catch(() => []) : [])],
      isForced,
      sealOwn: () => queue.exclusively(() => writer.seal()),
      waitForReaders: () =>
        new Promise((resolve) => {
          const wait = options.settleMs ?? SETTLE_MS;
          if (wait <= 0 || isClosed) return resolve();
          const timer = clock.after(wait, resolve);
          endWait = () => {
            timer.dispose();
            resolve();
          };
        }),
    })
      .then(async (result) => {
        if (result.reason === 'newer_version') status.set('snapshot', storeError('newer_version'));
        else if (result.done) status.set('snapshot', null);
        hasSnapshot ||= result.done;
        if (result.done) await lookForDamage();
        return result;
      })
      .finally(() => {
        compacting = null;
      });
    return compacting;
  };

  const history = createHistory({
    places,
    engine,
    catalogue,
    readOthers,
    take: (record) => void memory.apply(record, 'history'),
    known: () => memory.all(),
    news: () => memory.news(),
    compact: () => compactNow(true),
    after: options.stays === false ? null : (ms, run) => void clock.after(ms, run),
    onLoaded: () => {
      // Earlier queries may have another answer now.
      const change = memory.changes('history');
      changed.fire(change ?? { source: 'history', incidents: [], removed: [], events: [], learnings: [] });
    },
    onProblem: (error) => status.set('snapshot', error),
  });
  const load = async (): Promise<boolean> => {
    if (isClosed) throw storeError('closed');
    isLoaded = await history.load();
    await lookForDamage();
    return isLoaded;
  };
  const housekeeping =
    options.stays === false
      ? null
      : startHousekeeping({
          places,
          processes,
          ownBytes: () => writer.bytes,
          now: () => clock.now(),
          after: (ms, run) => beat.after(ms, run),
          compact: async () => {
            await compacting?.catch(() => {});
            return isClosed ? { done: false, reason: 'closed' } : compactNow(false);
          },
        });
  if (housekeeping) disposables.add(housekeeping);

  /** Applies a record and writes it. */
  const put = (key: string, record: StoreRecord, delayMs: number): Promise<void> => {
    memory.apply(record, 'own');
    return queue.add(key, record, delayMs);
  };

  /** Writes the learning of a cycle that is over, and its event, if they are new. */
  const putLearning = (incidentId: string): Promise<void>[] => {
    const incident = findIncident(contents, incidentId);
    const learning = incident && learningOf(incident);
    const known = learning && contents.learnings.get(learning.id);
    if (!learning || known?.editedAt !== undefined || JSON.stringify(known) === JSON.stringify(learning)) return [];
    const event = prepareEvent({
      // One for each time that the incident ended.
      identity: {
        since: identityTime(incident),
        cycle: incident.reopened,
        place: 7,
        words: [learning.id, incident.reopened],
      },
      t: learning.at,
      type: 'Learning',
      session: learning.session,
      agent: learning.agent,
      incident: learning.id,
      data: {
        title: learning.title,
        ...(learning.cause !== undefined && { cause: learning.cause }),
        confidence: learning.confidence,
        state: learning.state,
        tried: learning.tried,
        tags: learning.tags,
        knownAt: incident.updatedAt,
      },
    });
    return [
      put(`learning:${learning.id}`, { k: 'learning', learning }, 0),
      put(`event:${event.id}`, { k: 'event', event }, 0),
    ];
  };

  const store: IncidentStore = {
    folder: options.folder,
    status: () => status.get(),
    onDidChangeStatus: statusChanged.event,
    async dismissDamage() {
      await forgetDamage(places);
      status.setDamage(null);
    },
    current: () => filterIncidents(allIncidents(contents)),
    isEmpty: () => !hasSnapshot && contents.incidents.size === 0,
    known: (id) => findIncident(contents, id),
    adopt(id) {
      const kept = contents.incidents.get(id);
      if (kept) own.adopt(kept);
      return findIncident(contents, id);
    },
    async save(incident) {
      if (isClosed) throw storeError('closed');
      const next = own.next(prepareIncident(incident));
      if ('written' in next) return next.written;
      const { kept, delayMs, isFirst } = next;
      const removal = contents.removed.get(incident.id);
      if (removal && kept.incident.reopened <= removal.reopened) return;
      const record: StoreRecord = { k: 'incident', ...kept };
      // Each window that reads an old transcript finds its incidents again: what is already on disk is not written once more.
      if (!memory.apply(record, 'own') && isFirst) return own.saved(kept, Promise.resolve());
      const written = queue.add(`incident:${incident.id}`, record, delayMs);
      own.saved(kept, written);
      const others = putLearning(incident.id);
      announce('own');
      await Promise.all([written, ...others]);
    },
    sawSession(seen) {
      if (isClosed) return;
      const session = prepareSession(seen);
      const key = agentSessionKey(session);
      if (!memory.apply({ k: 'session', session }, 'own')) return;
      const before = writtenSessions.get(key);
      const isNews = !before || before.model !== session.model || session.lastAt - before.lastAt >= SESSION_STEP_MS;
      if (!isNews) return;
      writtenSessions.set(key, session);
      queue.add(`session:${key}`, { k: 'session', session }, SESSION_DELAY_MS).catch(() => {});
    },
    async appendEvent(event) {
      if (isClosed) throw storeError('closed');
      const prepared = prepareEvent(event);
      const written = put(`event:${prepared.id}`, { k: 'event', event: prepared }, 0);
      announce('own');
      await written;
      return prepared;
    },
    feedback: () => feedbackIn(contents.events.values()),
    ...createAnswers({
      memory,
      catalogue,
      load,
      onProblem: (error) => log.error(`history: ${asStoreError(error).message}: ${String(error)}`),
      now: () => clock.now(),
    }),
    async changeLearning(id, change) {
      // From the history: this window may know an older version, and the incident may be gone.
      const known = (await store.learnings()).find((one) => one.id === id);
      if (!known) return false;
      // Of two changes the later one counts, even if the clock was set back between them.
      const editedAt = Math.max(clock.now(), (known.editedAt ?? 0) + 1);
      const learning = prepareLearning({ ...known, ...change, editedAt });
      const written = put(`learning:${id}`, { k: 'learning', learning }, 0);
      announce('own');
      await written;
      return true;
    },
    async remove(ids) {
      const isThere = await load();
      const written: Promise<void>[] = [];
      let count = 0;
      for (const id of typeof ids === 'string' ? [ids] : ids) {
        const file = isThere ? await catalogue.file(id) : null;
        const cluster = file ? { view: file.incident, ids: file.ids } : clusterOf(contents, id);
        if (!cluster) continue;
        count++;
        const { reopened } = cluster.view;
        for (const one of cluster.ids)
          written.push(put(`remove:${one}`, { k: 'remove', id: one, at: clock.now(), reopened }, 0));
      }
      announce('own');
      await Promise.all(written);
      if (count > 0) housekeeping?.soon(DELETE_MS);
      return count;
    },
    async claim(key, what) {
      if (isClosed) throw storeError('closed');
      return claims.claim(key, what);
    },
    onDidChange: changed.event,
    async compact() {
      if (isClosed) throw storeError('closed');
      return compactNow(false);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      disposables.dispose();
      endWait();
      for (const [key, session] of contents.sessions) {
        const before = writtenSessions.get(key);
        if (before && before.lastAt !== session.lastAt)
          queue.add(`session:${key}`, { k: 'session', session }, 0).catch(() => {});
      }
      await queue.close().catch((error: unknown) => log.warn(`history: ${asStoreError(error).message}`));
      await compacting?.catch(() => {});
      await following.catch(() => {});
      await claims.close();
      await catalogue.close();
      await queue
        .exclusively(() => writer.seal())
        .catch((error: unknown) => log.warn(`history: ${asStoreError(error).message}`));
      changed.dispose();
      statusChanged.dispose();
    },
  };

  try {
    for (const folder of [places.folder, places.journals, places.lock, places.claims])
      await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    status.set('folder', asStoreError(error));
  }
  await lookForDamage();
  try {
    const header = await readHeader(places.snapshot);
    hasSnapshot = header.kind !== 'absent';
    if (header.kind === 'newer') status.set('snapshot', storeError('newer_version'));
    if (!(await readRecent()) && !hasSnapshot) status.set('snapshot', historyGone(places.recent));
    await readOthers();
  } catch (error) {
    log.warn(`history: ${asStoreError(error).message}`);
  }
  if (options.stays !== false)
    disposables.add(watchFolder({ folder: places.journals, clock, beat, onChange: readOthers }));
  return store;
}
