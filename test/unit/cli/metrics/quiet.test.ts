import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, type Metafile, build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PATIENCE } from '../../../support/patience';
import { homeFolder } from '../../engine/support';

const root = join(__dirname, '../../../..');
/** Maximum bytes of a bundle that is loaded only on request. */
const LARGEST = 400_000;

let dist = '';
/** The files that were built, by name. */
const outputs = new Map<string, Metafile['outputs'][string]>();

beforeAll(async () => {
  const { bundles } = (await import(pathToFileURL(join(root, 'scripts/bundles.mjs')).href)) as {
    bundles: () => BuildOptions[];
  };
  dist = mkdtempSync(join(tmpdir(), 'unstuck-bundles-'));
  for (const options of bundles()) {
    const { outfile = '', outdir } = options;
    if (outdir === undefined && !/\/(cli|counting)\.js$/.test(outfile)) continue;
    const place = outdir === undefined ? { outfile: join(dist, basename(outfile)) } : { outdir: dist };
    const { metafile } = await build({ ...options, ...place, metafile: true });
    for (const [path, output] of Object.entries(metafile.outputs)) outputs.set(basename(path), output);
  }
});

/** Without `net` and `dgram`, which come with Node's own child_process. */
const NETWORK = /^(?:http|https|http2|tls|_http_.*|_tls_.*)$/;

afterAll(() => rmSync(dist, { recursive: true }));

interface Watcher {
  /** Open sockets, of any kind. */
  readonly sockets: () => number;
  /** Ends it, and returns what it had loaded by then: files of ours, and network modules of Node. */
  readonly loaded: () => Promise<{ readonly bundles: string[]; readonly network: string[] }>;
}

/** `unstuck watch` that has seen an agent, with only files as its streams: pipes would be sockets. */
async function watching(options: readonly string[]): Promise<Watcher> {
  const home = homeFolder();
  const workspace = join(home, 'work');
  mkdirSync(workspace);
  const [out, err, spy, report] = ['out', 'err', 'spy.cjs', 'loaded.json'].map((name) => join(home, name)) as [
    string,
    string,
    string,
    string,
  ];
  const says = `{ files: Object.keys(require.cache), built: process.moduleLoadList.map((name) => name.replace('NativeModule ', '')) }`;
  // Under another name first, so that an existing file is complete.
  writeFileSync(
    spy,
    `const fs = require('fs'); const name = ${JSON.stringify(report)};
    process.on('exit', () => { fs.writeFileSync(name + '.part', JSON.stringify(${says})); fs.renameSync(name + '.part', name); });`,
  );
  const streams = [out, err].map((path) => openSync(path, 'w'));
  const child = spawn(process.execPath, ['-r', spy, join(dist, 'cli.js'), 'watch', workspace, ...options], {
    env: { PATH: process.env['PATH'], HOME: home },
    stdio: ['ignore', ...streams],
  });
  for (const stream of streams) closeSync(stream);
  onTestFinished(() => void child.kill('SIGKILL'));
  const t = Date.now();
  const records = [
    { type: 'user', text: 'Mend the parser' },
    { type: 'tool_call', id: '1', name: 'Read', args: { file: 'a.ts' } },
    { type: 'tool_result', id: '1', output: 'export {}' },
  ].map((record) => `${JSON.stringify({ v: 1, t, session: 's', ...record })}\n`);
  writeFileSync(join(workspace, 'run.agent.jsonl'), records.join(''));
  await vi.waitFor(() => expect(readFileSync(out, 'utf8')).toContain('working'), PATIENCE);
  return {
    sockets() {
      const folder = `/proc/${child.pid}/fd`;
      return readdirSync(folder).filter((fd) => pointsTo(join(folder, fd)).startsWith('socket:')).length;
    },
    async loaded() {
      child.kill('SIGTERM');
      await vi.waitFor(() => expect(existsSync(report)).toBe(true), PATIENCE);
      const { files, built } = JSON.parse(readFileSync(report, 'utf8')) as Record<'files' | 'built', string[]>;
      return {
        bundles: files.filter((file) => file !== spy).map((file) => basename(file)),
        network: built.filter((name) => NETWORK.test(name)),
      };
    },
  };
}

/** A file and what it imports before it runs. */
function loadedWith(name: string, found = new Set<string>()): readonly string[] {
  if (found.has(name)) return [];
  found.add(name);
  for (const { path, kind } of outputs.get(name)?.imports ?? [])
    if (kind === 'import-statement' && outputs.has(basename(path))) loadedWith(basename(path), found);
  return [...found];
}

function pointsTo(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    // Closed meanwhile.
    return '';
  }
}

describe('the bundles', () => {
  it('that are always loaded contain nothing that counts or connects', () => {
    const window = [...outputs.keys()].find((name) => name.startsWith('window-')) ?? '';
    for (const name of [...loadedWith('extension.mjs'), ...loadedWith(window), 'cli.js']) {
      const names = Object.keys(outputs.get(name)?.inputs ?? {});
      expect(names.filter((path) => /@opentelemetry|@nats-io/.test(path))).toEqual([]);
      expect(readFileSync(join(dist, name), 'utf8')).not.toMatch(
        /(?:\brequire\(|\bfrom ?|\bimport ?)"(?:node:)?(?:http|https|http2|net|tls|dgram)"/,
      );
    }
    expect(loadedWith(window)).not.toEqual([window]);
    expect([...outputs.keys()].filter((name) => name.startsWith('connect-fleet-'))).toHaveLength(1);
  });

  it('for counting are small, and contain no part of the program twice', () => {
    expect(statSync(join(dist, 'counting.js')).size).toBeLessThan(LARGEST);
    const own = Object.keys(outputs.get('counting.js')?.inputs ?? {}).filter((path) => path.startsWith('src/'));
    expect(own.filter((path) => !/^src\/(?:cli\/metrics|core\/model|base\/util)\b/.test(path))).toEqual([]);
  });

  it('are in the package, except those that only the command line loads', () => {
    const files = readFileSync(join(root, 'test/package-files.txt'), 'utf8');
    expect(files).toContain('dist/extension.mjs');
    expect(files).not.toMatch(/dist\/(cli|counting|fleet)\.js/);
  });
});

describe.runIf(process.platform === 'linux')('unstuck watch', () => {
  it('opens no socket and loads no further module, unless metrics are requested', async () => {
    const watcher = await watching([]);
    expect(watcher.sockets()).toBe(0);
    expect(await watcher.loaded()).toEqual({ bundles: ['cli.js'], network: [] });
  });

  it('opens one socket for --metrics, and loads one bundle', async () => {
    const watcher = await watching(['--metrics', '127.0.0.1:0']);
    expect(watcher.sockets()).toBe(1);
    const { bundles, network } = await watcher.loaded();
    expect(bundles).toEqual(['cli.js', 'counting.js']);
    expect(network).toContain('http');
  });
});
