import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createThreadedReader } from '../../../../src/agents/sqlite/threaded';

const root = resolve(__dirname, '../../../..');
const folder = mkdtempSync(join(tmpdir(), 'unstuck-worker-'));
const script = join(folder, 'sqlite-worker.js');
const fixture = (ending: string) => readFileSync(join(__dirname, `fixtures/sqlite.db${ending}`));

beforeAll(async () => {
  await build({
    entryPoints: [join(root, 'src/agents/sqlite/sqlite-worker.ts')],
    outfile: script,
    bundle: true,
    platform: 'node',
    target: 'node20',
    logLevel: 'silent',
  });
  copyFileSync(join(root, 'node_modules/sql.js/dist/sql-wasm.wasm'), join(folder, 'sql-wasm.wasm'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the thread that reads databases', () => {
  it('returns the rows, and takes the bytes instead of copying them', async () => {
    const reader = createThreadedReader(script);
    const database = new Uint8Array(fixture(''));
    const opened = await reader.open(database, new Uint8Array(fixture('-wal')));
    if (!opened.ok) throw new Error(opened.error);
    expect(await opened.value.rows('SELECT count(*) FROM part WHERE id > ?', ['prt_0030'])).toEqual({
      ok: true,
      value: [[5]],
    });
    expect(database.length).toBe(0);
    await opened.value.close();
    expect(await opened.value.rows('SELECT 1')).toEqual({ ok: false, error: 'the database is not open' });
  });

  it('keeps images apart that are open at once', async () => {
    const reader = createThreadedReader(script);
    const [whole, old] = await Promise.all([
      reader.open(new Uint8Array(fixture('')), new Uint8Array(fixture('-wal'))),
      reader.open(new Uint8Array(fixture('')), null),
    ]);
    if (!whole.ok || !old.ok) throw new Error('not opened');
    const count = 'SELECT count(*) FROM part';
    expect(await Promise.all([whole.value.rows(count), old.value.rows(count)])).toEqual([
      { ok: true, value: [[35]] },
      { ok: true, value: [[30]] },
    ]);
  });

  it('reports when it cannot start or dies, and is restarted', async () => {
    const broken = join(folder, 'broken.js');
    writeFileSync(broken, 'throw new Error("no memory")');
    const reader = createThreadedReader(broken);
    expect(await reader.open(new Uint8Array(10), null)).toEqual({ ok: false, error: 'no memory' });
    writeFileSync(broken, readFileSync(script));
    expect((await reader.open(new Uint8Array(fixture('')), null)).ok).toBe(true);
    expect((await createThreadedReader(join(folder, 'absent.js')).open(new Uint8Array(10), null)).ok).toBe(false);
  });
});
