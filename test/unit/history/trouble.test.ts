import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { InitSqlJsStatic } from 'sql.js';
import { describe, expect, it } from 'vitest';
import { encodeRecord, journalBase, journalFile } from '../../../src/history/journal/journal-format';
import { type JournalFile, openJournalFile } from '../../../src/history/journal/journal-writer';
import type { StoreRecord } from '../../../src/history/journal/records';
import { SNAPSHOT_VERSION } from '../../../src/history/snapshot/schema';
import { T0, WASM, folder, incident, open, processes, recordingLog } from './support/make';

const initialise = createRequire(WASM)('sql.js') as InitSqlJsStatic;
const engine = () => initialise({ wasmBinary: new Uint8Array(readFileSync(WASM)).buffer });
const snapshot = (path: string) => join(path, 'incidents.sqlite');
const asides = (path: string) => readdirSync(path).filter((name) => name.includes('.corrupt-'));

/** A disk that can fail with a code. */
function disk() {
  const state: { code: string | null } = { code: null };
  const openFile = async (file: string): Promise<JournalFile> => {
    if (state.code) throw Object.assign(new Error(state.code), { code: state.code });
    const real = await openJournalFile(file);
    return {
      ...real,
      append: (data) =>
        state.code ? Promise.reject(Object.assign(new Error(state.code), { code: state.code })) : real.append(data),
    };
  };
  return { state, openFile };
}

async function withSnapshot(count = 2): Promise<{ path: string; ids: string[] }> {
  const path = folder();
  const { store } = await open(path);
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const one = incident({ openedAt: T0 + i });
    ids.push(one.id);
    await store.save(one);
  }
  expect(await store.compact()).toMatchObject({ done: true });
  await store.close();
  return { path, ids };
}

describe('a full disk', () => {
  it('is reported with its reason, loses nothing that is in memory, and is made up for once there is room again', async () => {
    const path = folder();
    const { state, openFile } = disk();
    const { store, clock } = await open(path, { openFile });
    const [a, b, c] = [
      incident({ openedAt: T0 + 3 }),
      incident({ openedAt: T0 + 2 }),
      incident({ openedAt: T0 + 1 }),
    ] as const;
    await store.save(a);
    state.code = 'ENOSPC';
    await expect(store.save(b)).rejects.toMatchObject({
      code: 'disk_full',
      message: 'The disk is full, so the history is not saved: ENOSPC.',
    });
    await expect(store.save(c)).rejects.toMatchObject({ code: 'disk_full' });
    expect(store.status()).toMatchObject({ mode: 'memory_only', reason: 'disk_full' });
    expect(store.current().map(({ id }) => id)).toEqual([a.id, b.id, c.id]);
    state.code = null;
    clock.pass(30_000);
    // The retry runs after whatever is queued: a save awaits it.
    await store.save(incident());
    expect(store.status()).toEqual({ mode: 'ready' });
    await store.close();
    const again = await open(path, { window: 'two' });
    expect(again.store.current().map(({ id }) => id)).toEqual(expect.arrayContaining([a.id, b.id, c.id]));
  });

  it('is made good by saving the same again', async () => {
    const path = folder();
    const { state, openFile } = disk();
    const { store } = await open(path, { openFile });
    const one = incident();
    state.code = 'ENOSPC';
    await expect(store.save(one)).rejects.toMatchObject({ code: 'disk_full' });
    state.code = null;
    await store.save(one);
    expect(readdirSync(join(path, 'journal'))).toHaveLength(1);
  });
});

describe('a folder that cannot be used', () => {
  it.each([
    ['EROFS', 'read_only'],
    ['EACCES', 'read_only'],
    ['EIO', 'io'],
  ])('%s: keeps what it is given in memory and reports %s', async (code, reason) => {
    const { state, openFile } = disk();
    const { store } = await open(folder(), { openFile });
    state.code = code;
    const one = incident();
    await expect(store.save(one)).rejects.toMatchObject({ code: reason });
    expect(await store.incidents()).toEqual([one]);
    expect(store.status().mode).toBe('memory_only');
    expect(store.status().message).toMatch(/^The /);
  });

  it('lies behind a file: opens nevertheless, answers, and still lets one window claim once', async () => {
    const file = join(folder(), 'file');
    writeFileSync(file, '');
    const { store } = await open(join(file, 'store'));
    expect(store.status()).toMatchObject({ mode: 'memory_only', reason: 'folder_missing' });
    const one = incident();
    await expect(store.save(one)).rejects.toMatchObject({ code: 'folder_missing' });
    expect(await store.incidents()).toEqual([one]);
    expect(await store.recall('pytest')).toHaveLength(1);
    expect(await store.compact()).toMatchObject({ done: false, reason: 'folder_missing' });
    const claim = await store.claim(one, 'toast');
    expect(claim).not.toBeNull();
    expect(await store.claim(one, 'toast')).toBeNull();
    await claim?.release();
    expect(await store.claim(one, 'toast')).not.toBeNull();
  });
});

describe('a damaged snapshot', () => {
  it('that is no database is set aside, never deleted, and rebuilt from the journals', async () => {
    const { path } = await withSnapshot();
    writeFileSync(snapshot(path), 'this is not a database');
    const log = recordingLog();
    const { store } = await open(path, { window: 'two', log });
    const one = incident();
    await store.save(one);
    expect((await store.incidents()).map(({ id }) => id)).toContain(one.id);
    expect(asides(path)).toHaveLength(1);
    expect(readFileSync(join(path, asides(path)[0] ?? ''), 'utf8')).toBe('this is not a database');
    expect(store.status()).toMatchObject({ mode: 'ready', damage: { lost: null } });
    expect(log.lines.some((line) => line.includes('.corrupt-'))).toBe(true);
    await store.close();
    const again = await open(path, { window: 'three' });
    expect((await again.store.incidents()).map(({ id }) => id)).toContain(one.id);
  });

  it('that was cut short is set aside', async () => {
    const { path } = await withSnapshot();
    truncateSync(snapshot(path), 16_384);
    const { store } = await open(path, { window: 'two' });
    await store.incidents();
    expect(asides(path)).toHaveLength(1);
    await store.save(incident());
    expect(await store.compact()).toMatchObject({ done: true });
  });

  it.each([
    ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length - 16_384)],
    ['no database any more', () => Buffer.from('this is not a database')],
    ['damaged in its pages', (bytes: Buffer) => bytes.fill(0xff, 16_384)],
  ])('that is %s loses nothing of the last days, now or after later compactions', async (_, damage) => {
    const { path, ids } = await withSnapshot(40);
    writeFileSync(snapshot(path), damage(readFileSync(snapshot(path))));
    for (const window of ['two', 'three']) {
      const { store } = await open(path, { window });
      await store.save(incident());
      expect(await store.compact()).toMatchObject({ done: true });
      expect((await store.incidents()).map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
      await store.close();
    }
    expect(asides(path)).toHaveLength(1);
  });

  it('gives up only the rows that cannot be read', async () => {
    const { path, ids } = await withSnapshot(3);
    const { Database } = await engine();
    const database = new Database(readFileSync(snapshot(path)));
    database.run('UPDATE incidents SET data = ? WHERE id = ?', ['{"stateAt": 1, "incident": {', ids[1] ?? '']);
    writeFileSync(snapshot(path), database.export());
    database.close();
    // The digest of the last days still has it; a window that also lost the digest has the others.
    writeFileSync(join(path, 'recent.jsonl'), '');
    const { store } = await open(path, { window: 'two' });
    expect(new Set((await store.incidents()).map(({ id }) => id))).toEqual(new Set([ids[0], ids[2]]));
    expect(asides(path)).toHaveLength(1);
    expect((await store.incidents()).length).toBe(2);
    expect(store.status()).toMatchObject({ mode: 'ready', damage: { saved: 2, lost: 1 } });
  });

  it('with damaged pages in the middle never throws', async () => {
    const { path } = await withSnapshot(40);
    const bytes = readFileSync(snapshot(path));
    bytes.fill(0xff, 16_384, 16_384 * 2);
    writeFileSync(snapshot(path), bytes);
    const { store } = await open(path, { window: 'two' });
    expect(Array.isArray(await store.incidents())).toBe(true);
    expect(asides(path)).toHaveLength(1);
  });

  it('does not spread: a journal line lost by the disk costs that line only, and its journal is kept', async () => {
    const path = folder();
    mkdirSync(join(path, 'journal'));
    const [a, b] = [incident(), incident()];
    const line = (one: typeof a) => encodeRecord({ k: 'incident', incident: one, stateAt: T0, mute: null });
    const file = journalFile(journalBase('X', { host: 'aa', boot: 'bb', pid: 9, start: '1' }), true);
    writeFileSync(join(path, 'journal', file), `${line(a)}0000 garbage\n${line(b)}`);
    const { store } = await open(path, { processes: processes(1) });
    expect((await store.incidents()).length).toBe(2);
    expect(await store.compact()).toMatchObject({ done: true });
    expect(readdirSync(join(path, 'journal')).some((name) => name.includes('.corrupt-'))).toBe(true);
    await store.close();
    const again = await open(path, { window: 'two' });
    expect((await again.store.incidents()).length).toBe(2);
  });
});

describe('a snapshot of a newer version', () => {
  it('is read if possible, and never written; what is new stays in the journal', async () => {
    const { path, ids } = await withSnapshot();
    const { Database } = await engine();
    const database = new Database(readFileSync(snapshot(path)));
    database.run(`PRAGMA user_version = ${SNAPSHOT_VERSION + 1}`);
    database.run('ALTER TABLE incidents ADD COLUMN later TEXT');
    writeFileSync(snapshot(path), database.export());
    database.close();
    const before = readFileSync(snapshot(path));
    const { store } = await open(path, { window: 'two' });
    expect(store.status()).toMatchObject({
      mode: 'journal_only',
      reason: 'newer_version',
      message: expect.stringContaining('newer version') as string,
    });
    const one = incident({ openedAt: T0 + 9 });
    await store.save(one);
    expect((await store.incidents()).map(({ id }) => id)).toEqual([one.id, ids[1], ids[0]]);
    expect(await store.compact()).toEqual({ done: false, reason: 'newer_version' });
    expect(readFileSync(snapshot(path)).equals(before)).toBe(true);
    await store.close();
    expect(readdirSync(join(path, 'journal'))).toHaveLength(1);
  });

  it('has journals that are not touched either', async () => {
    const path = folder();
    mkdirSync(join(path, 'journal'));
    const file = join(
      path,
      'journal',
      journalFile(journalBase('X', { host: 'aa', boot: 'bb', pid: 9, start: '1' }), true),
    );
    writeFileSync(
      file,
      encodeRecord({ k: 'journal', v: 2, window: 'w', at: 1 }) + encodeRecord({ k: 'later' } as unknown as StoreRecord),
    );
    const { store } = await open(path, { processes: processes(1) });
    await store.save(incident());
    expect(await store.compact()).toMatchObject({ done: true });
    expect(existsSync(file)).toBe(true);
  });
});

describe('a snapshot', () => {
  it('that another tool left empty delays nothing', async () => {
    const path = folder();
    const { Database } = await engine();
    const database = new Database();
    database.run('CREATE TABLE other (x)');
    writeFileSync(snapshot(path), database.export());
    database.close();
    copyFileSync(snapshot(path), join(path, 'copy'));
    const { store } = await open(path);
    await store.save(incident());
    expect(await store.compact()).toMatchObject({ done: true });
    expect((await store.incidents()).length).toBe(1);
  });
});

describe('a history that is gone, with a recent.jsonl', () => {
  it.each([
    ['of noise', (path: string) => writeFileSync(path, 'noise\n'.repeat(9))],
    ['that is a folder', (path: string) => mkdirSync(path)],
    ['that is a pipe', (path: string) => execFileSync('mkfifo', [path])],
  ])('%s says so, with what to do', async (_, make) => {
    const { path } = await withSnapshot();
    rmSync(snapshot(path));
    rmSync(join(path, 'recent.jsonl'));
    make(join(path, 'recent.jsonl'));
    const { store } = await open(path, { window: 'two' });
    expect(store.current()).toEqual([]);
    const { message } = store.status();
    expect(message).toMatch(/incidents\.sqlite is gone, and .*recent\.jsonl.* cannot be read completely\. Put .* back/);
    await store.close();
  });

  it('that is intact reports nothing, nor does a new one', async () => {
    const { path, ids } = await withSnapshot();
    rmSync(snapshot(path));
    const { store } = await open(path, { window: 'two' });
    expect(store.current()).toHaveLength(ids.length);
    expect(store.status()).toEqual({ mode: 'ready' });
    await store.close();
    const fresh = await open(folder());
    expect(fresh.store.status()).toEqual({ mode: 'ready' });
  });
});
