// Kills windows at random moments while they save and compact, and looks for everything that was acknowledged; then measures what saving and
// compacting cost. Prints one JSON object per line; exit code 1 if a goal is missed.
//
//   node test/bench/store-crash.mjs [--kills 200] [--windows 2] [--containers] [--only-kills]
//
// --containers: every second window has process ids of its own, so neither can check whether the other lives (Linux, as root)
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const wasm = createRequire(join(root, 'package.json')).resolve('sql.js/dist/sql-wasm.wasm');
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    windows: { type: 'string', default: '2' },
    containers: { type: 'boolean', default: false },
    'only-kills': { type: 'boolean', default: false },
  },
});
const CONTAINER = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc'];
const kills = Number(values.kills);
const windows = Number(values.windows);
const work = mkdtempSync(join(tmpdir(), 'unstuck-bench-'));
const output = join(root, 'test-output', `store-bench-${process.pid}`);
let missed = 0;

function report(name, isGood, figures) {
  if (!isGood) missed++;
  console.log(JSON.stringify({ bench: name, ok: isGood, ...figures }));
}

async function load(entry) {
  const outfile = join(output, `${entry.replaceAll('/', '-')}.mjs`);
  await build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
  });
  return import(pathToFileURL(outfile).href);
}

const clock = {
  now: () => Date.now(),
  after(milliseconds, run) {
    const timer = setTimeout(() => run(), milliseconds);
    return { dispose: () => clearTimeout(timer) };
  },
};
const log = { debug() {}, info() {}, warn: console.error, error: console.error };
const quantile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const round = (value, digits = 3) => Number(value.toFixed(digits));

const source = { file: '/home/me/.claude/projects/calc/session.jsonl', line: 1, offset: 0 };
function incident(n, changes = {}) {
  return {
    id: `01JD${String(n).padStart(22, '0')}`,
    key: `repeating_action:${n}`,
    agent: 'claude-code',
    agentName: 'Claude Code',
    session: `session-${n % 300}`,
    title: `Fix the failing test number ${n} of the calculator`,
    model: 'sonnet',
    file: source.file,
    detector: 'repeating_action',
    rule: null,
    reason: 'repetition_loop',
    exhaustion: null,
    certainty: 'counted',
    level: 'stuck',
    confidence: 0.93,
    state: 'recovered',
    count: 4,
    firstAt: clock.now() - n * 1000,
    openedAt: clock.now() - n * 1000,
    stuckAt: clock.now() - n * 1000,
    resolvedAt: clock.now(),
    updatedAt: clock.now(),
    firstLine: 88,
    alertLine: 93,
    stuckLine: 95,
    resolvedLine: 99,
    subject: `pytest -q tests/test_${n}.py`,
    why: 'The same command gave the same result 4 times in a row, with edits between.',
    suggestion: 'Read the failing assertion before running the tests again.',
    clears: ['a different result'],
    evidence: Array.from({ length: 11 }, (_, step) => ({
      source,
      at: n,
      step,
      role: 'repeat',
      subject: 'pytest -q',
      text: 'FAILED test_add - assert 1 == 2 '.repeat(6),
    })),
    cleared: 'different_result',
    outcome: 'nudge',
    attempts: [],
    notified: true,
    history: false,
    reopened: 0,
    ...changes,
  };
}

/** Acknowledge: its p50 is at most twice a bare write + fdatasync of the same bytes, in the same series. */
async function acknowledge({ openStore }) {
  const folder = join(work, 'acknowledge');
  const store = await openStore({ folder, wasm, window: 'one', clock, log, stays: false });
  const bare = await open(join(folder, 'bare'), 'ax');
  const small = { evidence: incident(0).evidence.slice(0, 4) };
  const bytes = Buffer.from(
    `${'0'.repeat(16)} ${JSON.stringify({ k: 'incident', incident: incident(0, small), stateAt: 1, mute: null })}\n`,
  );
  const times = { bare: [], store: [] };
  for (let n = 0; n < 600; n++) {
    let started = performance.now();
    await bare.write(bytes);
    await bare.datasync();
    times.bare.push(performance.now() - started);
    // Escalated incidents have no learning, so one record is written, as in the bare case.
    const one = incident(n, { ...small, state: 'escalated', resolvedAt: null, outcome: null });
    started = performance.now();
    await store.save(one);
    times.store.push(performance.now() - started);
  }
  await bare.close();
  await store.close();
  const ratio = quantile(times.store.slice(100), 0.5) / quantile(times.bare.slice(100), 0.5);
  const ms = (list) => ({ p50: round(quantile(list.slice(100), 0.5)), p99: round(quantile(list.slice(100), 0.99)) });
  report('acknowledge', ratio <= 2, {
    ratio: round(ratio, 2),
    bytes: bytes.length,
    bareMs: ms(times.bare),
    storeMs: ms(times.store),
  });
}

/** Blocks: the snapshot stays below 8 MB, and no part of building or loading it holds the event loop for more than 16 ms. */
async function blocks({ openStore }) {
  const folder = join(work, 'blocks');
  const writer = await openStore({ folder, wasm, window: 'writer', clock, log, stays: false, settleMs: 0 });
  const text = 'FAILED tests/test_calc.py::test_add - assert 1 == 2\n'.repeat(60);
  const sample = { source, at: 1, text, ignored: [] };
  await Promise.all(
    Array.from({ length: 2_500 }, (_, n) =>
      writer.save(incident(n, n % 4 === 0 ? { firstSample: sample, lastSample: sample } : {})),
    ),
  );
  await writer.compact();
  const times = [];
  const longest = [];
  let bytes = 0;
  for (let run = 0; run < 7; run++) {
    await writer.save(incident(10_000 + run));
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const started = performance.now();
    const result = await writer.compact();
    times.push(performance.now() - started);
    delay.disable();
    bytes = result.bytes ?? 0;
    longest.push({ own: round(result.longestBlockMs ?? NaN, 1), loop: round(delay.max / 1e6, 1) });
  }
  await writer.close();
  const queries = [];
  for (let run = 0; run < 5; run++) {
    const reader = await openStore({ folder, wasm, window: `reader${run}`, clock, log, stays: false });
    const started = performance.now();
    const incidents = await reader.incidents({ limit: 200 });
    const first = performance.now() - started;
    const again = performance.now();
    await reader.recall('stuck repeating pytest');
    queries.push({ first: round(first, 1), recall: round(performance.now() - again, 1), incidents: incidents.length });
    await reader.close();
  }
  const own = longest.map((one) => one.own);
  // Measured from outside: the time that other work on the event loop has to wait.
  const loops = longest.map((one) => one.loop);
  report('blocks', bytes <= 8_000_000 && quantile(loops, 0.5) <= 16, {
    bytes,
    longestBlockMs: { median: quantile(loops, 0.5), worst: Math.max(...loops), ownMedian: quantile(own, 0.5) },
    runs: longest,
    load: round(loadavg()[0] ?? 0, 1),
    compactMs: round(quantile(times, 0.5), 0),
  });
  report(
    'P14 first query',
    quantile(
      queries.map(({ first }) => first),
      0.5,
    ) <= 100,
    { queries },
  );
}

try {
  mkdirSync(output, { recursive: true });
  if (!values['only-kills']) {
    const store = await load('src/history/index.ts');
    await acknowledge(store);
    await blocks(store);
  }
  const { crashTest } = await load('test/unit/history/support/crash.ts');
  const started = performance.now();
  const result = await crashTest({
    root,
    kills,
    windows,
    generations: 3,
    longestLife: 400,
    random: Math.random,
    ...(values.containers && { under: CONTAINER }),
    onRound: ({ kills: sofar, acknowledged }) =>
      process.stderr.write(`\r${sofar} kills, ${acknowledged} acknowledged `),
  });
  process.stderr.write('\n');
  report(
    `kill -9, ${windows} windows${values.containers ? ', every second one in a container' : ''}`,
    result.lost.length === 0 && result.corrupt.length === 0 && result.kills >= kills,
    {
      kills: result.kills,
      acknowledged: result.acknowledged,
      lost: result.lost.length,
      corrupt: result.corrupt.length,
      examples: [...result.lost.slice(0, 5), ...result.corrupt.slice(0, 5)],
      seconds: round((performance.now() - started) / 1000, 0),
    },
  );
} finally {
  rmSync(work, { recursive: true, force: true });
  rmSync(output, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;
