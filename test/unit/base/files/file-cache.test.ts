import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cacheFolder, FileCache } from '../../../../src/base/files';
import { folder } from '../../support/folder';

const NOW = Date.parse('2026-11-27T10:00:00Z');
const opened = (path: string, version = 'one', limit = 1_000_000, blocks = false) =>
  new FileCache({ folder: path, version, limit, now: () => NOW, blocks });
const entriesOf = (path: string, version = 'one') =>
  readdirSync(join(path, version)).map((name) => join(path, version, name));

async function withOne({ text = '{"steps":12}', blocks = false } = {}) {
  const path = folder();
  const cache = opened(path, 'one', 1_000_000, blocks);
  await cache.write('/w/a.jsonl', text);
  const [file = ''] = entriesOf(path);
  return { path, cache, file };
}

describe.each([{ blocks: false }, { blocks: true }])('an entry of the cache (%j)', (how) => {
  it('is what was written last, for every process, and only its owner may read it', async () => {
    const { path, cache, file } = await withOne(how);
    await cache.write('/w/a.jsonl', '{"steps":13}');
    expect([await opened(path).read('/w/a.jsonl'), await cache.read('/w/b.jsonl')]).toEqual([
      '{"steps":13}',
      undefined,
    ]);
    expect([statSync(file).mode & 0o777, statSync(join(path, 'one')).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it('counts as absent if any one of its bits is flipped', async () => {
    const { cache, file } = await withOne(how);
    const bytes = readFileSync(file);
    for (let at = 0; at < bytes.length; at++) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      writeFileSync(file, flipped);
      expect(await cache.read('/w/a.jsonl'), `byte ${at}`).toBeUndefined();
    }
    writeFileSync(file, bytes);
    expect(await cache.read('/w/a.jsonl')).toBe('{"steps":12}');
  });

  it('is absent if a crash truncated it', async () => {
    const { cache, file } = await withOne(how);
    const bytes = readFileSync(file);
    for (let kept = 0; kept < bytes.length; kept++) {
      writeFileSync(file, bytes.subarray(0, kept));
      expect(await cache.read('/w/a.jsonl'), `${kept} bytes`).toBeUndefined();
    }
  });

  it('keeps every character', async () => {
    const { cache } = await withOne({ ...how, text: '{"task":"café ☕ 👋"}' });
    expect(await cache.read('/w/a.jsonl')).toBe('{"task":"café ☕ 👋"}');
  });

  it('belongs to one build alone', async () => {
    const { path } = await withOne(how);
    expect(await opened(path, 'two').read('/w/a.jsonl')).toBeUndefined();
  });
});

describe('the cache', () => {
  it('removes what another build kept, once that build has written nothing for a day', async () => {
    const { path } = await withOne();
    await opened(path, 'two').write('/w/a.jsonl', 'x');
    expect(readdirSync(path).sort()).toEqual(['one', 'two']);
    utimesSync(join(path, 'one'), NOW / 1000 - 90_000, NOW / 1000 - 90_000);
    await opened(path, 'three').write('/w/a.jsonl', 'x');
    expect(readdirSync(path).sort()).toEqual(['three', 'two']);
  });

  //   two windows begin after an update │ both list what the build before kept │ one of them removes it first
  it('keeps its entries although another window removes old ones at the same moment', async () => {
    const path = folder();
    symlinkSync(join(path, 'gone'), join(path, 'removed-meanwhile'));
    const cache = opened(path);
    await cache.write('/w/a.jsonl', 'x');
    expect(await cache.read('/w/a.jsonl')).toBe('x');
  });

  it('stays within its bytes: the oldest entries are removed', async () => {
    const path = folder();
    const cache = opened(path, 'one', 1_000);
    for (let at = 0; at < 30; at++) {
      await cache.write(`/w/${at}.jsonl`, String(at).padEnd(100));
      const size = entriesOf(path).reduce((sum, file) => sum + statSync(file).size, 0);
      expect(size).toBeLessThanOrEqual(1_400);
      for (const [age, file] of entriesOf(path).entries()) utimesSync(file, NOW / 1000 - age, NOW / 1000 - age);
    }
    expect(await cache.read('/w/29.jsonl')).toBe('29'.padEnd(100));
  });

  it('is empty, and reports nothing, if its folder is a file or may not be written', async () => {
    const path = join(folder(), 'taken');
    writeFileSync(path, '');
    const cache = opened(path);
    await cache.write('/w/a.jsonl', 'x');
    expect(await cache.read('/w/a.jsonl')).toBeUndefined();
  });

  it('does not read a folder in place of an entry', async () => {
    const { path, cache, file } = await withOne();
    mkdirSync(join(path, 'one', 'x'));
    await cache.write('/w/b.jsonl', 'x');
    expect([await cache.read('/w/a.jsonl'), file]).toEqual(['{"steps":12}', file]);
  });
});

it.each([
  ['linux', {}, '/home/ada/.cache/unstuck'],
  ['linux', { XDG_CACHE_HOME: '/fast' }, '/fast/unstuck'],
  ['linux', { XDG_CACHE_HOME: '' }, '/home/ada/.cache/unstuck'],
  ['linux', { XDG_CACHE_HOME: 'cache' }, '/home/ada/.cache/unstuck'],
  ['darwin', {}, '/home/ada/Library/Caches/unstuck'],
] as const)('on %s with %j the cache is in %s', (platform, env, path) => {
  expect(cacheFolder(env, platform, '/home/ada')).toBe(path);
});
