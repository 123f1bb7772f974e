import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { InitSqlJsStatic } from 'sql.js';
import { openStore } from '../../../../src/history';
import { silentLog } from '../../../../src/base/util/log';

export interface CrashOptions {
  /** Root of the project. */
  readonly root: string;
  /** Minimum number of processes to kill. */
  readonly kills: number;
  /** Windows at a time on one folder. */
  readonly windows: number;
  /** Generations of windows on one folder before it is checked. */
  readonly generations: number;
  /** A window is killed after this time at most, milliseconds. */
  readonly longestLife: number;
  /** A program with its arguments that starts every second window: one that gives it separate process ids, as a container does. */
  readonly under?: readonly string[];
  readonly random: () => number;
  readonly onRound?: (result: CrashResult) => void;
}

export interface CrashResult {
  readonly kills: number;
  readonly acknowledged: number;
  /** Acknowledged, but missing or older than acknowledged. */
  readonly lost: readonly string[];
  /** Problems with files. */
  readonly corrupt: readonly string[];
}

/** Kills windows at random moments while they save and compact, and looks for every acknowledged incident. */
export async function crashTest(options: CrashOptions): Promise<CrashResult> {
  const { root } = options;
  const wasm = createRequire(join(root, 'package.json')).resolve('sql.js/dist/sql-wasm.wasm');
  const work = mkdtempSync(join(tmpdir(), 'unstuck-crash-'));
  let total: CrashResult = { kills: 0, acknowledged: 0, lost: [], corrupt: [] };
  try {
    const child = join(work, 'child.cjs');
    const entryPoints = [join(root, 'test/unit/history/support/crash-child.ts')];
    await build({
      entryPoints,
      outfile: child,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      logLevel: 'error',
    });
    for (let round = 0; total.kills < options.kills; round++) {
      const folder = join(work, `round-${round}`);
      mkdirSync(folder);
      const acknowledged = new Map<string, number>();
      let kills = 0;
      for (let generation = 0; generation < options.generations; generation++) {
        const windows = Array.from({ length: options.windows }, (_, i) => `w${round}x${generation}x${i}x`);
        await Promise.all(
          windows.map((window, i) => {
            const program = [...(i % 2 === 1 ? (options.under ?? []) : []), process.execPath, child];
            return liveAndDie([...program, folder, wasm, window], options, acknowledged);
          }),
        );
        kills += windows.length;
      }
      const { lost, corrupt } = await inspect(folder, wasm, acknowledged);
      total = {
        kills: total.kills + kills,
        acknowledged: total.acknowledged + acknowledged.size,
        lost: [...total.lost, ...lost],
        corrupt: [...total.corrupt, ...corrupt],
      };
      options.onRound?.(total);
      rmSync(folder, { recursive: true });
    }
    return total;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function liveAndDie(
  [program = '', ...args]: readonly string[],
  options: CrashOptions,
  acknowledged: Map<string, number>,
): Promise<void> {
  const process_: ChildProcess = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  let isAlive = false;
  const ended = new Promise<{ code: number | null }>((resolve) => process_.on('close', (code) => resolve({ code })));
  const begun = new Promise<void>((resolve) => {
    process_.stdout?.on('data', (data: Buffer) => {
      output += data.toString('utf8');
      isAlive = true;
      resolve();
    });
  });
  process_.stderr?.on('data', (data: Buffer) => (errors += data.toString('utf8')));
  await Promise.race([begun, ended]);
  if (isAlive) await new Promise((resolve) => setTimeout(resolve, options.random() * options.longestLife));
  process_.kill('SIGKILL');
  const { code } = await ended;
  if (code !== null) throw new Error(`A window ended by itself with code ${code}: ${errors}`);
  // The last line may be torn; then it acknowledged nothing.
  for (const line of output.split('\n').slice(0, -1)) {
    const [id = '', count = ''] = line.split(' ');
    acknowledged.set(id, Math.max(acknowledged.get(id) ?? 0, Number(count)));
  }
}

async function inspect(
  folder: string,
  wasm: string,
  acknowledged: ReadonlyMap<string, number>,
): Promise<Pick<CrashResult, 'lost' | 'corrupt'>> {
  const corrupt: string[] = [];
  const lost: string[] = [];
  const clock = { now: () => Date.now(), after: () => ({ dispose() {} }) };
  // Once as a window finds it, and again after a compaction by that window.
  for (const window of ['reader', 'again']) {
    const store = await openStore({ folder, wasm, window, clock, log: silentLog, settleMs: 0, stays: false });
    const found = new Map((await store.incidents()).map((incident) => [incident.id, incident.count]));
    for (const [id, count] of acknowledged)
      if ((found.get(id) ?? 0) < count) lost.push(`${window}: ${id} ${count}, found ${found.get(id) ?? 'none'}`);
    let result = await store.compact();
    // If a lock could not be created completely, it takes five seconds until a torn one counts as abandoned.
    for (let wait = 0; result.reason === 'locked' && wait < 40; wait++) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      result = await store.compact();
    }
    if (!result.done && result.reason !== 'nothing_to_do') corrupt.push(`${window}: compaction ${result.reason ?? ''}`);
    if (store.status().mode !== 'ready') corrupt.push(`${window}: ${store.status().reason ?? ''}`);
    await store.close();
  }
  const files = [...readdirSync(folder), ...readdirSync(join(folder, 'journal'))];
  for (const file of files) if (file.includes('.corrupt-') || file.endsWith('.tmp')) corrupt.push(file);

  if (!existsSync(join(folder, 'incidents.sqlite')))
    return { lost, corrupt: [...corrupt, 'no snapshot after compaction'] };
  const initialise = createRequire(wasm)('sql.js') as InitSqlJsStatic;
  const { Database } = await initialise({ wasmBinary: new Uint8Array(readFileSync(wasm)).buffer });
  const database = new Database(readFileSync(join(folder, 'incidents.sqlite')));
  const check = database.exec('PRAGMA integrity_check')[0]?.values[0]?.[0];
  if (check !== 'ok') corrupt.push(`integrity_check: ${String(check)}`);
  database.close();
  return { lost, corrupt };
}
