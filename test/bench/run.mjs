// node test/bench/run.mjs [NAME…] [--rounds N] [--quick] [--pipeline MODULE]
// Measures the goals of the reader and prints limit, median and spread. Every ratio comes from runs interleaved in one series.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { benchFolder, buildInsides, buildTail } from './support/build.mjs';

const NAMES = ['scan', 'peers', 'latency', 'idle', 'life-cycle', 'seed', 'identity', 'timeline'];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, quick: { type: 'boolean' }, pipeline: { type: 'string' } },
});
const unknown = positionals.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
  console.error(`no such benchmark: ${unknown.join(', ')}; there are ${NAMES.join(', ')}`);
  process.exit(2);
}

const options = {
  rounds: Number(values.rounds ?? (values.quick ? 2 : 5)),
  quick: values.quick ?? false,
  pipeline: resolve(values.pipeline ?? `${benchFolder}/parse-pipeline.mjs`),
  tail: await buildTail(),
  insides: await buildInsides(),
};
await (await import(pathToFileURL(options.pipeline))).prepare?.();
const rows = [];
for (const name of positionals.length > 0 ? positionals : NAMES) {
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
process.exitCode = rows.some(({ pass }) => pass === false) ? 1 : 0;
