// node test/bench/run.mjs [NAME…] [--rounds N] [--quick] [--minutes N] [--pipeline MODULE]
// Measures the goals (docs/performance.md) and prints limit, median, least and most. Every ratio comes from runs interleaved in one series.
// --minutes: on a busy machine there are fewer rounds, so that the whole takes about so long. 15 unless told; each has one round at least.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { benchFolder, buildInsides, buildTail } from './support/build.mjs';
import { roundsEndAt } from './support/measure.mjs';

const GOALS = ['scan', 'many', 'growth', 'latency', 'idle', 'life-cycle', 'seed', 'identity', 'timeline'];
/** Only where they are asked for: whole processes over the smaller corpora. */
const OTHERS = ['peers'];
const NAMES = [...GOALS, ...OTHERS];
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
  console.error(`no such benchmark: ${unknown.join(', ')}; there are ${NAMES.join(', ')}`);
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
const names = positionals.length > 0 ? positionals : GOALS;
const end = performance.now() + Number(values.minutes ?? 15) * 60_000;
for (const [at, name] of names.entries()) {
  const now = performance.now();
  roundsEndAt(now + Math.max(0, end - now) / (names.length - at));
  const { run } = await import(`./${name}.mjs`);
  rows.push(...(await run(options)));
}

const verdict = (pass) => (pass === undefined ? '' : pass ? 'pass' : 'FAIL');
const cells = rows.map(({ goal, what, limit, measured, pass }) => [goal, what, limit, measured, verdict(pass)]);
const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...cells.map((cell) => cell[column].length)));
console.log(`Node ${process.version}, ${options.rounds} rounds`);
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
