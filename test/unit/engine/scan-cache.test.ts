import {
  appendFileSync,
  cpSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { claudeCode } from '../../../src/agents/claude-code/adapter';
import { gemini } from '../../../src/agents/gemini/adapter';
import { generic } from '../../../src/agents/generic/adapter';
import { FileCache } from '../../../src/base/files';
import type { Source } from '../../../src/core/model';
import { resolveOptions } from '../../../src/detect/session/options';
import { readSmall } from '../../../src/engine/follow/probe';
import { readSmallNearby } from '../../../src/engine/scan';
import { scanFile } from '../../../src/engine/scan-cache';
import { type Scannable, type Scanned, scanAll } from '../../../src/engine/scan-all';
import { folder } from '../support/folder';

const FIXTURES = resolve(__dirname, '../../golden/fixtures/claude-code');
const LOOP = 'a-same-command-same-error.jsonl';
const balanced = () => resolveOptions({ preset: 'balanced', detectors: {} });
const cacheIn = (path: string) => new FileCache({ folder: path, version: 'test', limit: 50_000_000, now: Date.now });

/** A loop of Claude Code that ended an hour ago, and how often it was read. */
function stage() {
  const path = folder();
  const file = join(path, LOOP);
  cpSync(join(FIXTURES, LOOP), file);
  aged(file);
  let readings = 0;
  // Requested once for each reading.
  const adapter = Object.defineProperty({ ...claudeCode }, 'callMarkers', {
    get: () => {
      readings++;
      return claudeCode.callMarkers;
    },
  });
  const store = folder();
  const scan = async (more: { detectors?: typeof balanced; small?: (path: string) => string | undefined } = {}) => {
    const before = readings;
    const options = { adapter, detectors: more.detectors ?? balanced, readSmall: more.small ?? (() => undefined) };
    const scanned = await scanFile(file, options, cacheIn(store));
    return { scanned, isRead: readings > before };
  };
  return { file, store, scan };
}

function aged(file: string, seconds = 3_600): void {
  const at = Date.now() / 1000 - seconds;
  utimesSync(file, at, at);
}

describe('a transcript that was read before', () => {
  const zone = process.env['TZ'];
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  it('is not read again, and returns the same', async () => {
    const { file, scan } = stage();
    const first = await scan();
    const second = await scan();
    expect([first.isRead, second.isRead]).toEqual([true, false]);
    const plain = await scanFile(file, { adapter: claudeCode, detectors: balanced, readSmall: () => undefined });
    expect(plain.sessions[0]?.incidents.length).toBeGreaterThan(0);
    for (const { scanned } of [first, second]) expect(JSON.stringify(scanned)).toBe(JSON.stringify(plain));
  });

  it.each<[string, (file: string) => void]>([
    ['it has grown', (file) => appendFileSync(file, '{"type":"summary"}\n')],
    [
      'a byte of it is another',
      (file) => writeFileSync(file, readFileSync(file, 'latin1').replace('npm', 'npx'), 'latin1'),
    ],
    ['its time is another', (file) => aged(file, 1_800)],
    [
      'another file took its place',
      (file) => {
        cpSync(file, `${file}.new`);
        const { atimeMs, mtimeMs } = statSync(file);
        utimesSync(`${file}.new`, atimeMs / 1000, mtimeMs / 1000);
        renameSync(`${file}.new`, file);
      },
    ],
  ])('is read again when %s', async (_what, change) => {
    const { file, scan } = stage();
    await scan();
    change(file);
    expect((await scan()).isRead).toBe(true);
  });

  it('is read again with other limits, and both results are kept', async () => {
    const { scan } = stage();
    const patient = () => resolveOptions({ preset: 'patient', detectors: {} });
    await scan();
    expect((await scan({ detectors: patient })).isRead).toBe(true);
    expect([(await scan()).isRead, (await scan({ detectors: patient })).isRead]).toEqual([false, false]);
  });

  it('is read again in another time zone: some agents write local times', async () => {
    const { scan } = stage();
    process.env['TZ'] = 'UTC';
    await scan();
    process.env['TZ'] = 'Asia/Tokyo';
    expect((await scan()).isRead).toBe(true);
  });

  it('is read again when a small file next to it has changed', async () => {
    const file = join(folder(), 'session.jsonl');
    const recorded = readFileSync(resolve(__dirname, '../../golden/fixtures/gemini/b_edit_test.jsonl'), 'utf8');
    // If the transcript itself does not say in which folder it worked.
    writeFileSync(file, recorded.replaceAll('Workspace Directories', 'Directories'));
    aged(file);
    const store = folder();
    const folderBy = async (root: string | undefined) => {
      const options = { adapter: gemini, detectors: balanced, readSmall: () => root };
      return (await scanFile(file, options, cacheIn(store))).sessions[0]?.whole.folder;
    };
    expect([await folderBy('/w/one'), await folderBy('/w/two'), await folderBy('/w/two')]).toEqual([
      '/w/one',
      '/w/two',
      '/w/two',
    ]);
    expect(await folderBy(undefined)).not.toBe('/w/two');
  });

  it('is not cached within two seconds of its last change: file systems count in ticks', async () => {
    const { file, scan } = stage();
    aged(file, 1);
    await scan();
    expect((await scan()).isRead).toBe(true);
    aged(file, 10);
    await scan();
    expect((await scan()).isRead).toBe(false);
  });

  it('is on the disk without its secrets', async () => {
    const { file, store, scan } = stage();
    const secret = `ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}`;
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('python3 tools', `GITHUB_TOKEN=${secret} python3 tools`));
    aged(file);
    const { scanned } = await scan();
    expect(JSON.stringify(scanned)).toContain(secret);
    const kept = readdirSync(join(store, 'test')).map((name) => readFileSync(join(store, 'test', name), 'utf8'));
    expect(kept).toHaveLength(1);
    expect(kept[0]).not.toContain(secret);
    expect(kept[0]).toContain('[redacted]');
  });
});

describe('a scan of many transcripts', () => {
  async function all(files: readonly Scannable[], cache?: FileCache) {
    const found: Scanned<Scannable>[] = [];
    const context = ({ file }: Scannable) => ({ readSmall: readSmallNearby(file, readSmall) });
    for await (const one of scanAll(files, { detectors: balanced, context, ...(cache && { cache }) })) found.push(one);
    return found.map((one) => ('why' in one ? one.why : JSON.stringify(one.scanned)));
  }
  const found = (file: string, adapter: Scannable['adapter']): Scannable => ({
    file,
    size: statSync(file).size,
    adapter,
  });

  it('returns the same with the cache, the first and the second time, for every recorded session of Claude Code', async () => {
    const files = readdirSync(FIXTURES)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => found(join(FIXTURES, name), claudeCode));
    expect(files.length).toBeGreaterThan(15);
    const plain = await all(files);
    const store = folder();
    expect(await all(files, cacheIn(store))).toEqual(plain);
    expect(readdirSync(join(store, 'test')).length).toBeGreaterThan(15);
    expect(await all(files, cacheIn(store))).toEqual(plain);
  });

  it('recognises a fork as a copy of its parent, and alone as a separate session', async () => {
    const path = folder();
    const at = (second: number) => new Date(Date.parse('2026-11-10T09:00:00Z') + second * 1000).toISOString();
    const calls = [2, 4, 6, 8, 10].flatMap((second) => {
      const id = `call_61b05b89${second}`;
      return [
        { v: 1, t: at(second), type: 'tool_call', id, name: 'bash', args: { command: 'npm test' } },
        { v: 1, t: at(second + 1), type: 'tool_result', id, output: '1 failed', ok: false },
      ];
    });
    const [parent, fork] = ['parent', 'fork'].map((session, place) => {
      const file = join(path, `${session}.agent.jsonl`);
      const start = { v: 1, t: at(place), type: 'session_start', session, cwd: '/w' };
      writeFileSync(file, [start, ...calls].map((line) => `${JSON.stringify(line)}\n`).join(''));
      aged(file);
      return found(file, generic);
    }) as [Scannable, Scannable];
    const store = folder();
    const [together, alone] = [await all([parent, fork]), await all([fork])];
    expect(together).not.toContain(alone[0]);
    for (let round = 0; round < 2; round++) {
      expect(await all([fork], cacheIn(store))).toEqual(alone);
      expect(await all([parent, fork], cacheIn(store))).toEqual(together);
    }
  });

  it('finds two agents that undo each other even if it has read both before', async () => {
    const path = folder();
    const begin = Date.parse('2026-11-20T12:00:00Z');
    const lines: [string[], string[]] = [[], []];
    for (const own of lines)
      own.push(`{"v":1,"t":"${new Date(begin).toISOString()}","type":"session_start","cwd":"/w"}`);
    for (let round = 0; round < 8; round++) {
      const t = new Date(begin + round * 10_000).toISOString();
      const [before, after] = round % 2 === 0 ? ['price', 'qty'] : ['qty', 'price'];
      const args = { file_path: '/w/price.ts', old_string: before, new_string: after };
      lines[round % 2]?.push(
        JSON.stringify({ v: 1, t, type: 'tool_call', id: `c${round}`, name: 'edit', args }),
        JSON.stringify({ v: 1, t, type: 'tool_result', id: `c${round}`, output: 'edited' }),
      );
    }
    const files = lines.map((own, at) => {
      const file = join(path, `${at}.agent.jsonl`);
      writeFileSync(file, own.map((line) => `${line}\n`).join(''));
      aged(file);
      return found(file, generic);
    });
    const plain = await all(files);
    expect(plain.join()).toContain('"rule":"peers"');
    const store = folder();
    // Alone, nothing is found in either: these results are in the cache.
    for (const one of files) await all([one], cacheIn(store));
    expect(await all(files, cacheIn(store))).toEqual(plain);
    const [entry = ''] = readdirSync(join(store, 'test')).map((name) =>
      readFileSync(join(store, 'test', name), 'utf8'),
    );
    const { notes } = JSON.parse(entry.slice(entry.indexOf('\n'))) as {
      notes: { notes: { source: Source; end: Source }[] }[];
    };
    // A path in each would take up a quarter of all entries.
    expect(notes.flatMap((run) => run.notes).flatMap(({ source, end }) => [source.file, end.file])).toEqual(
      Array(8).fill(''),
    );
  });
});
