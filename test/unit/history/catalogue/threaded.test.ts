import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createThreadedCatalogue } from '../../../../src/history/catalogue/threaded';
import * as rebuilding from '../../../../src/history/snapshot/rebuild';
import { createSqlEngine } from '../../../../src/history/snapshot/sql-engine';
import { T0, WASM, folder, incident, open, recovered } from '../support/make';

vi.mock('../../../../src/history/snapshot/rebuild', { spy: true });

const root = resolve(__dirname, '../../../..');
const work = mkdtempSync(join(tmpdir(), 'unstuck-history-'));
const thread = join(work, 'history-worker.js');

beforeAll(async () => {
  await build({
    entryPoints: [join(root, 'src/history/history-worker.ts')],
    outfile: thread,
    bundle: true,
    platform: 'node',
    target: 'node20',
    logLevel: 'silent',
  });
  copyFileSync(WASM, join(work, 'sql-wasm.wasm'));
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

describe('the history in a separate thread', () => {
  it('answers as in the window, even after a restart', async () => {
    const path = folder();
    const first = await open(path, { thread });
    const one = recovered();
    await first.store.save(one);
    expect((await first.store.recall('stuk pytest')).map(({ id }) => id)).toContain(one.id);
    await first.store.compact();
    await first.store.close();
    const { store } = await open(path, { window: 'two', thread });
    const other = incident();
    await store.save(other);
    expect((await store.incidents()).map(({ id }) => id).toSorted()).toEqual([one.id, other.id].toSorted());
    expect(await store.remove(one.id)).toBe(1);
    expect((await store.incidents()).map(({ id }) => id)).toEqual([other.id]);
  });

  it('gives the reason why it cannot answer, and continues', async () => {
    const catalogue = createThreadedCatalogue(thread, createSqlEngine(WASM));
    await expect(catalogue.incidents({})).rejects.toMatchObject({ code: 'engine_missing' });
    await catalogue.open(null);
    expect(await catalogue.incidents({})).toEqual([]);
    await catalogue.close();
    await expect(catalogue.incidents({})).rejects.toMatchObject({ code: 'closed' });
  });

  it('leaves what the window knows if it does not start, and reports that', async () => {
    const { store } = await open(folder(), { thread: join(work, 'absent.js') });
    const one = incident();
    await store.save(one);
    expect((await store.incidents()).map(({ id }) => id)).toEqual([one.id]);
    expect(store.status()).toMatchObject({ mode: 'journal_only', reason: 'engine_missing' });
  });

  it('rebuilds the snapshot there, and answers queries meanwhile', async () => {
    const path = folder();
    const first = await open(path, { thread });
    const many = Array.from({ length: 1_200 }, (_, n) =>
      recovered({ openedAt: T0 + n * 1_000, updatedAt: T0 + n * 1_000 }),
    );
    await Promise.all(many.map((one) => first.store.save(one)));
    vi.mocked(rebuilding.rebuild).mockClear();
    const compacting = first.store.compact();
    const answered = first.store.incidents({ limit: 5 });
    expect(await compacting).toMatchObject({ done: true });
    expect(await answered).toHaveLength(5);
    expect(rebuilding.rebuild).not.toHaveBeenCalled();
    await first.store.close();
    const { store } = await open(path, { window: 'two', thread, days: () => 90 });
    expect(await store.incidents({ limit: 2_000 })).toHaveLength(1_200);
  });

  it('includes what the window remembers if the file was damaged', async () => {
    const path = folder();
    const { store } = await open(path, { thread });
    const one = recovered();
    await store.save(one);
    await store.compact();
    expect(await store.incidents()).toHaveLength(1);
    writeFileSync(join(path, 'incidents.sqlite'), 'no database');
    writeFileSync(join(path, 'recent.jsonl'), '');
    expect(await store.compact()).toMatchObject({ done: true });
    await store.close();
    const again = await open(path, { window: 'two', thread });
    expect((await again.store.incidents()).map(({ id }) => id)).toEqual([one.id]);
  });

  it('is written by the window if the thread does not run, so that the journal does not grow forever', async () => {
    const path = folder();
    const { store } = await open(path, { thread: join(work, 'absent.js') });
    const one = recovered();
    await store.save(one);
    expect(await store.compact()).toMatchObject({ done: true });
    expect(rebuilding.rebuild).toHaveBeenCalled();
    await store.close();
    const again = await open(path, { window: 'two', thread });
    expect((await again.store.incidents()).map(({ id }) => id)).toEqual([one.id]);
  });
});
