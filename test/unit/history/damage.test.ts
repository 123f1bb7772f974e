import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { InitSqlJsStatic } from 'sql.js';
import { describe, expect, it, vi } from 'vitest';
import { encodeRecord, journalBase, journalFile } from '../../../src/history/journal/journal-format';
import { readHeader } from '../../../src/history/snapshot/header';
import { SNAPSHOT_VERSION } from '../../../src/history/snapshot/schema';
import { DAY, MINUTE, T0, WASM, folder, incident, open, processes } from './support/make';

const NOW = T0 + 20 * MINUTE;
const snapshot = (path: string) => join(path, 'incidents.sqlite');
const inFolder = (path: string, name: string) => readdirSync(path).filter((file) => file.includes(name));
const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);

/** A history of incidents that are too old for recent.jsonl, so that only the snapshot has them. */
async function history(count = 40, age = 30 * DAY): Promise<{ path: string; known: string[] }> {
  const path = folder();
  const { store } = await open(path);
  const old = Array.from({ length: count }, (_, number) => {
    const at = T0 - age + number;
    return incident({ openedAt: at, updatedAt: at, state: 'ended', resolvedAt: at, why: 'why '.repeat(200) });
  });
  await Promise.all(old.map((one) => store.save(one)));
  expect(await store.compact()).toMatchObject({ done: true });
  await store.close();
  return { path, known: ids(old) };
}

describe('damage of the history', () => {
  it('is repaired with the first query: what is intact is saved, the rest counted, and the file kept', async () => {
    const { path, known } = await history(120);
    const bytes = readFileSync(snapshot(path));
    const cut = Math.floor(bytes.length * 0.5);
    truncateSync(snapshot(path), cut);
    const { store } = await open(path, { window: 'two' });
    expect(store.status()).toEqual({ mode: 'ready' });
    const found = await store.incidents();
    expect(found.length).toBeGreaterThan(30);
    expect(found.length).toBeLessThan(known.length);
    const [aside] = inFolder(path, '.sqlite.corrupt-');
    expect(store.status()).toEqual({
      mode: 'ready',
      damage: {
        at: NOW,
        saved: found.length,
        lost: known.length - found.length,
        lines: 0,
        files: [join(path, aside ?? '')],
      },
    });
    expect(readFileSync(join(path, aside ?? '')).equals(bytes.subarray(0, cut))).toBe(true);
    expect(await readHeader(snapshot(path))).toMatchObject({ kind: 'present' });
    await store.close();
    const again = await open(path, { window: 'three' });
    expect(ids(await again.store.incidents()).sort()).toEqual(ids(found).sort());
  });

  it('is shown to everyone who opens the history later, until a person dismisses it, and for a week at most', async () => {
    const { path, known } = await history();
    writeFileSync(snapshot(path), '');
    const first = await open(path, { window: 'one' });
    const changes = vi.fn();
    first.store.onDidChangeStatus(changes);
    await first.store.incidents();
    expect(first.store.status().damage).toMatchObject({ saved: 0, lost: null, lines: 0 });
    expect(changes).toHaveBeenCalled();

    const second = await open(path, { window: 'two' });
    expect(second.store.status().damage).toEqual(first.store.status().damage);
    second.clock.pass(7 * DAY + 1);
    await second.store.incidents();
    expect(second.store.status()).toEqual({ mode: 'ready' });

    await first.store.dismissDamage();
    expect(first.store.status()).toEqual({ mode: 'ready' });
    await first.store.dismissDamage();
    const third = await open(path, { window: 'three' });
    expect(third.store.status()).toEqual({ mode: 'ready' });
    expect(known.length).toBe(40);
    expect(inFolder(path, '.corrupt-')).toHaveLength(1);
  });

  it('does not affect what a window has read before it', async () => {
    const { path, known } = await history();
    const { store } = await open(path, { window: 'two' });
    expect(await store.incidents()).toHaveLength(known.length);
    writeFileSync(snapshot(path), 'this is not a database');
    await store.save(incident());
    expect(await store.compact()).toMatchObject({ done: true });
    expect(store.status().damage).toMatchObject({ saved: known.length, lost: null });
    await store.close();
    const again = await open(path, { window: 'three' });
    expect(ids(await again.store.incidents())).toEqual(expect.arrayContaining(known));
  });

  it('does not affect what recent.jsonl still has, even if the snapshot is gone', async () => {
    for (const harm of [(path: string) => rmSync(path), (path: string) => writeFileSync(path, '')]) {
      const { path, known } = await history(10, DAY);
      harm(snapshot(path));
      const { store } = await open(path, { window: 'two' });
      await store.save(incident());
      expect(await store.compact()).toMatchObject({ done: true });
      await store.close();
      const again = await open(path, { window: 'three', processes: processes(1) });
      expect(ids(await again.store.incidents())).toEqual(expect.arrayContaining(known));
      rmSync(path, { recursive: true });
    }
  });

  it('may be a folder in the place of a file: it is set aside, and the history starts from scratch', async () => {
    const { path } = await history(3, DAY);
    for (const name of ['incidents.sqlite', 'recent.jsonl']) {
      rmSync(join(path, name));
      mkdirSync(join(path, name));
      writeFileSync(join(path, name, 'theirs'), 'x');
    }
    mkdirSync(
      join(path, 'journal', journalFile(journalBase('X', { host: 'aa', boot: 'bb', pid: 9, start: '1' }), true)),
    );
    const { store } = await open(path, { window: 'two', processes: processes(1) });
    const one = incident();
    await store.save(one);
    expect(ids(await store.incidents())).toEqual([one.id]);
    expect(store.status()).toMatchObject({ mode: 'ready', damage: { saved: 0, lost: null, lines: 1 } });
    for (const file of [...inFolder(path, '.sqlite.corrupt-'), ...inFolder(path, '.jsonl.corrupt-')])
      expect(readFileSync(join(path, file, 'theirs'), 'utf8')).toBe('x');
    await store.close();
    const again = await open(path, { window: 'three' });
    expect(ids(await again.store.incidents())).toEqual([one.id]);
  });

  it('of a journal affects the damaged lines, which are counted, and its file is named', async () => {
    const path = folder();
    mkdirSync(join(path, 'journal'));
    const line = (one = incident()) => encodeRecord({ k: 'incident', incident: one, stateAt: T0, mute: null });
    const file = journalFile(journalBase('X', { host: 'aa', boot: 'bb', pid: 9, start: '1' }), true);
    const garbage = 'x'.repeat(5_500_000);
    writeFileSync(
      join(path, 'journal', file),
      `${line()}${garbage}\n${line()}${line().slice(1)}${line()}${line().slice(0, 99)}`,
    );
    const { store } = await open(path, { processes: processes(1) });
    expect(await store.compact()).toMatchObject({ done: true });
    expect(await store.incidents()).toHaveLength(3);
    const [aside] = inFolder(join(path, 'journal'), '.corrupt-');
    expect(store.status().damage).toEqual({
      at: NOW,
      saved: 0,
      lost: 0,
      lines: 2,
      files: [join(path, 'journal', aside ?? '')],
    });
    await store.close();
    // Moved with its folder, as a backup is.
    const moved = folder();
    rmSync(moved, { recursive: true });
    renameSync(path, moved);
    const again = await open(moved, { window: 'two' });
    expect(again.store.status().damage?.files).toEqual([join(moved, 'journal', aside ?? '')]);
  });

  it.each([
    ['exactly behind a line', (lines: readonly string[]) => lines.slice(0, -2).join('\n').length + 1, 1],
    ['within a line', (lines: readonly string[]) => lines.slice(0, -2).join('\n').length + 99, 1],
    ['behind its head', (lines: readonly string[]) => (lines[0] ?? '').length + 1, 3],
    ['to nothing', () => 0, 4],
  ])('of a journal that was cut off %s is counted, including what is missing', async (_, lengthOf, lost) => {
    const path = folder();
    const before = await open(path, { window: 'one' });
    for (let number = 0; number < 3; number++) await before.store.save(incident({ openedAt: T0 + number }));
    await before.store.close();
    const [journal = ''] = readdirSync(join(path, 'journal'));
    const file = join(path, 'journal', journal);
    truncateSync(file, lengthOf(readFileSync(file, 'utf8').split('\n')));
    const { store } = await open(path, { window: 'two' });
    expect(await store.compact()).toMatchObject({ done: true });
    expect(await store.incidents()).toHaveLength(Math.max(0, 3 - lost));
    expect(store.status().damage).toMatchObject({ saved: 0, lost: 0, lines: lost });
    expect(inFolder(join(path, 'journal'), '.corrupt-')).toHaveLength(1);
    // The next compaction reports nothing any more, and nothing is left behind.
    await store.dismissDamage();
    await store.save(incident({ openedAt: T0 + 9 }));
    expect(await store.compact()).toMatchObject({ done: true });
    expect(store.status().damage).toBeUndefined();
  });

  it('does not occur if a window was killed while it wrote: what was acknowledged is there', async () => {
    const path = folder();
    const before = await open(path, { window: 'one' });
    await before.store.save(incident({ openedAt: T0 }));
    const journal = readdirSync(join(path, 'journal'))[0] ?? '';
    const file = join(path, 'journal', journal);
    // Half of a line that was never acknowledged.
    writeFileSync(file, `${readFileSync(file, 'utf8')}0123456789abcdef {"k":"inc`);
    await before.store.close();
    const { store } = await open(path, { window: 'two' });
    expect(await store.compact()).toMatchObject({ done: true });
    expect(store.status().damage).toBeUndefined();
    expect(await store.incidents()).toHaveLength(1);
  });

  it('keeps no count of a journal that is gone', async () => {
    const path = folder();
    const { store } = await open(path);
    await store.save(incident());
    expect(readdirSync(join(path, 'counts'))).toHaveLength(1);
    expect(await store.compact()).toMatchObject({ done: true });
    expect(await store.compact()).toEqual({ done: false, reason: 'nothing_to_do' });
    expect(readdirSync(join(path, 'counts'))).toEqual([]);
  });

  it.each([
    '',
    'x',
    '{}',
    '{"v":2}',
    '{"v":1,"at":1}',
    '[]',
    '{"v":1,"at":9e99,"saved":-1,"lost":null,"lines":0,"files":["x"]}',
  ])('in a damaged damage.json (%s) is not shown', async (text) => {
    const path = folder();
    writeFileSync(join(path, 'damage.json'), text);
    const { store } = await open(path);
    expect(store.status()).toEqual({ mode: 'ready' });
  });

  it('that damage.json places elsewhere is searched for in the folder of the history', async () => {
    const path = folder();
    const told = { v: 1, at: NOW, saved: 1, lost: 2, lines: 0, files: ['../../etc/passwd', 'journal/../../x'] };
    writeFileSync(join(path, 'damage.json'), JSON.stringify(told));
    const { store } = await open(path);
    expect(store.status().damage?.files).toEqual([join(path, 'passwd'), join(path, 'journal', 'x')]);
  });

  it('does not include what a newer version wrote: that is read as far as possible and not touched', async () => {
    const { path, known } = await history(5);
    const bytes = readFileSync(snapshot(path));
    bytes.writeUInt32BE(SNAPSHOT_VERSION + 1, 60);
    bytes.fill(0, bytes.length - 100);
    writeFileSync(snapshot(path), bytes);
    const { store } = await open(path, { window: 'two' });
    expect(known).toEqual(expect.arrayContaining(ids(await store.incidents())));
    expect(await store.compact()).toEqual({ done: false, reason: 'newer_version' });
    expect(store.status()).toMatchObject({ mode: 'journal_only', reason: 'newer_version' });
    expect(store.status().damage).toBeUndefined();
    expect(readFileSync(snapshot(path)).equals(bytes)).toBe(true);
  });
});

/** Layouts of Unstuck 0.1.0 and the version after it. A change of the layout adds the one that it replaces. */
describe.each([1, 2])('the layout %i', (version) => {
  const initialise = createRequire(WASM)('sql.js') as InitSqlJsStatic;
  /** Two incidents, one recovered and one deleted, with their events, learning and session. */
  const before = () => gunzipSync(readFileSync(join(__dirname, `fixtures/layout-${version}.sqlite.gz`)));

  it('is read, and rewritten with a checksum in each row', async () => {
    const path = folder();
    writeFileSync(snapshot(path), before());
    expect(await readHeader(snapshot(path))).toMatchObject({ kind: 'present', version });
    const { store } = await open(path);
    const there = await store.incidents();
    expect(there.map(({ title }) => title)).toEqual(['ü 🙂 "\\', 'Fix the failing test of the calculator']);
    expect(await store.events({ type: 'Observation' })).toMatchObject([{ data: { n: 1 } }]);
    expect(await store.learnings()).toHaveLength(1);
    await store.save({
      ...incident(),
      id: '01JD0000000000000000000003',
      key: 'repeating_action:01JD0000000000000000000003',
    });
    // A deleted one stays deleted.
    expect(await store.incidents()).toEqual(there);
    const later = incident({ openedAt: T0 });
    await store.save(later);
    expect(await store.compact()).toMatchObject({ done: true });
    expect(store.status()).toEqual({ mode: 'ready' });
    await store.close();
    expect(await readHeader(snapshot(path))).toMatchObject({ kind: 'present', version: SNAPSHOT_VERSION });
    const { Database } = await initialise({ wasmBinary: new Uint8Array(readFileSync(WASM)).buffer });
    const database = new Database(readFileSync(snapshot(path)));
    const sums = ['incidents', 'events', 'learnings', 'sessions', 'removed', 'counts'].flatMap(
      (table) => database.exec(`SELECT sum FROM ${table}`)[0]?.values.flat() ?? [],
    );
    database.close();
    expect(sums.length).toBeGreaterThan(10);
    for (const sum of sums) expect(sum).toMatch(/^[0-9a-f]{16}$/);
    const again = await open(path, { window: 'two' });
    expect(await again.store.incidents()).toEqual([...there, later]);
  });

  it('that is damaged is saved row by row', async () => {
    const path = folder();
    const bytes = before();
    bytes.fill(0, 0, 4096);
    writeFileSync(snapshot(path), bytes);
    const { store } = await open(path);
    expect(await store.incidents()).toHaveLength(2);
    expect(store.status().damage).toMatchObject(version === 1 ? { saved: 2, lost: null } : { saved: 2, lost: 0 });
    expect(store.status().damage?.files.map((file) => basename(file))).toEqual(inFolder(path, '.corrupt-'));
    expect(await store.learnings()).toHaveLength(1);
  });
});
