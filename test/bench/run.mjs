// node test/bench/run.mjs [NAME…] [--rounds N] [--quick] [--minutes N] [--pipeline MODULE]
// Measures the goals (docs/performance.md) and prints limit, median, minimum and maximum. Every ratio comes from runs interleaved in one series.
// --minutes: on a busy machine there are fewer rounds, so that the whole takes about that long, 14 by default. What a person feels is measured at
// least once; the further goals only while there is time, and what was left out is named.
import { spawnSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { benchFolder, buildInsides, buildTail } from './support/build.mjs';
import { roundsEndAt, skipped } from './support/measure.mjs';

/** Goals that a person or an editor feels. */
const GOALS = ['scan', 'many', 'growth', 'latency', 'start'];
const FURTHER = ['seed', 'timeline', 'life-cycle', 'idle', 'identity', 'reading'];
/** Minutes that a round of the longest of these takes on a busy machine: it is not started with less time left. */
const LEAST_MINUTES = { reading: 5 };
/** Only on request: whole processes over the smaller corpora. */
const OTHERS = ['peers'];
const NAMES = [...GOALS, ...FURTHER, ...OTHERS];
/** Separate programs, one after the other, with the options that they are given. */
const PROGRAMS = {
  hook: ['hook.mjs'],
  activation: ['activation.mjs'],
  store: ['store-crash.mjs'],
  history: ['history.mjs', 'editor-history.mjs'],
  editor: ['editor.mjs', 'host-start.mjs'],
  'editor-many': ['editor-many.mjs'],
  fleet: ['fleet.mjs'],
  home: ['home.mjs'],
  calibrate: ['calibrate.mjs'],
};
/** The ones that measure the package. */
const PACKAGED = ['activation', 'history', 'editor', 'editor-many', 'fleet', 'home'];
const [program = '', ...given] = process.argv.slice(2);
if (Object.hasOwn(PROGRAMS, program)) {
  const run = (/** @type {string} */ command, /** @type {string[]} */ args) => {
    const { status } = spawnSync(command, args, { stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  };
  if (PACKAGED.includes(program)) run('npm', ['run', 'package']);
  for (const file of PROGRAMS[program]) run(process.execPath, [join(benchFolder, file), ...given]);
  process.exit(0);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    quick: { type: 'boolean' },
    minutes: { type: 'string' },
    pipeline: { type: 'string' },
  },
});
const unknown = positionals.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
  console.error(
    `no such benchmark: ${unknown.join(', ')}; there are ${[...NAMES, ...Object.keys(PROGRAMS)].join(', ')}`,
  );
  process.exit(2);
}

const options = {
  rounds: Number(values.rounds ?? (values.quick ? 2 : 5)),
  quick: values.quick ?? false,
  pipeline: resolve(values.pipeline ?? `${benchFolder}/full-pipeline.mjs`),
  tail: await buildTail(),
  insides: await buildInsides(),
};
await (await import(pathToFileURL(options.pipeline))).prepare?.();
const rows = [];
const names = positionals.length > 0 ? positionals : [...GOALS, ...FURTHER];
const begin = performance.now();
const end = begin + Number(values.minutes ?? 14) * 60_000;
for (const [at, name] of names.entries()) {
  const now = performance.now();
  if (positionals.length === 0 && FURTHER.includes(name) && now + (LEAST_MINUTES[name] ?? 0) * 60_000 > end) {
    rows.push(skipped(name, 'the time was up'));
    continue;
  }
  roundsEndAt(now + Math.max(0, end - now) / (names.length - at));
  const { run } = await import(`./${name}.mjs`);
  rows.push(...(await run(options)));
  console.error(`${name}: ${((performance.now() - now) / 1000).toFixed(0)} s, load ${loadavg()[0]?.toFixed(1)}`);
}

const verdict = (pass) => (pass === undefined ? '' : pass ? 'pass' : 'FAIL');
const cells = rows.map(({ goal, what, limit, measured, pass }) => [goal, what, limit, measured, verdict(pass)]);
const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...cells.map((cell) => cell[column].length)));
const minutes = ((performance.now() - begin) / 60_000).toFixed(1);
const series = options.rounds === 1 ? '1 round' : `at most ${options.rounds} rounds`;
console.log(`Node ${process.version}, ${series}, ${minutes} minutes, load ${loadavg()[0]?.toFixed(1)}`);
for (const cell of cells)
  console.log(
    cell
      .map((text, column) => text.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
const short = rows.filter(({ pass }) => pass === false);
console.log(short.length === 0 ? 'every goal that was measured is met' : `${short.length} fell short:`);
for (const { goal, what, limit, measured } of short) console.log(`  ${goal}  ${what}: ${measured}, goal ${limit}`);
process.exitCode = short.length > 0 ? 1 : 0;
