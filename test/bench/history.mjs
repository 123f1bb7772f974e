#!/usr/bin/env node
/**
 * Measures queries of a history of 10,000 incidents: opening, listing, counting, searching, and its figures. Prints each with its limit; exit code 1
 * if one is exceeded.
 *
 *   node test/bench/history.mjs [--incidents 10000] [--rounds 5]
 */
import { createRequire } from 'node:module';
import fs from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildCatalogue } from './support/build.mjs';
import { manyIncidents } from './support/many-incidents.mjs';
import { snapshotOf } from './support/history-snapshot.mjs';
import { median, quantile } from './support/measure.mjs';

const { values } = parseArgs({
  options: { incidents: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '5' } },
});
const COUNT = Number(values.incidents);
const ROUNDS = Number(values.rounds);
const DAY = 86_400_000;

const require = createRequire(import.meta.url);
const parts = require(await buildCatalogue());
const engine = parts.createSqlEngine(require.resolve('sql.js/dist/sql-wasm.wasm'));
const now = Date.now();
let missed = 0;

/** Prints the median and the maximum that a query took, in processor time: the machine may be busy with something else. */
function tell(/** @type {string} */ what, /** @type {number | null} */ limit, /** @type {Taken[]} */ taken) {
  const times = taken.map(({ processor }) => processor);
  const most = Math.max(...times);
  const middle = median(times);
  const waited = median(taken.map(({ wall }) => wall));
  const isMet = limit === null || middle < limit;
  if (!isMet) missed++;
  const goal = limit === null ? '' : `< ${limit} ms`;
  const mark = limit === null ? '      ' : isMet ? 'met   ' : 'MISSED';
  console.log(
    `${mark}  ${what.padEnd(58)} ${goal.padEnd(9)} ${middle.toFixed(1)} ms (most ${most.toFixed(1)}), on the clock ${waited.toFixed(1)}`,
  );
}

/** About half a second if nothing else is running: a reference for reading figures from a busy machine. */
function sums() {
  let sum = 0;
  for (let n = 0; n < 3e8; n++) sum = (sum * 31 + n) | 0;
  return sum;
}

function prepare() {
  while (!catalogue.prepareSearch());
}

/** @typedef {{ readonly processor: number, readonly wall: number }} Taken milliseconds */

/** @returns {Taken[]} */
function timed(/** @type {() => unknown} */ question, rounds = ROUNDS) {
  return Array.from({ length: rounds }, () => {
    const started = performance.now();
    const before = process.cpuUsage();
    question();
    const { user, system } = process.cpuUsage(before);
    return { processor: (user + system) / 1000, wall: performance.now() - started };
  });
}

const { incidents, sessions } = manyIncidents(COUNT, now);
const folder = fs.mkdtempSync(join(tmpdir(), 'unstuck-history-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const snapshot = join(folder, 'incidents.sqlite');
const index = join(folder, 'search.index');
fs.writeFileSync(snapshot, await snapshotOf(parts, engine, { incidents, sessions }));
const size = (/** @type {string} */ file) => `${(fs.statSync(file).size / 1e6).toFixed(1)} MB`;
console.log(`        ${COUNT} incidents, ${sessions.length} sessions, ${size(snapshot)}`);
tell('for comparison: a loop of 300 million sums', null, timed(sums, 3));

const catalogue = parts.createCatalogue(await engine());
tell(
  'opened, each row checked',
  null,
  timed(() => catalogue.open(snapshot, index), 3),
);
tell('search index made', null, timed(prepare, 1));
console.log(`        search index ${size(index)}`);
catalogue.open(null, null);
catalogue.open(snapshot, index);
tell('search index read from its file', null, timed(prepare, 1));

tell(
  'the newest 200',
  300,
  timed(() => catalogue.incidents({ limit: 200 })),
);
tell(
  'the newest 200 of one agent that were freed',
  300,
  timed(() => catalogue.incidents({ limit: 200, agents: ['codex'], endings: ['nudge'] })),
);
tell(
  'counts of all that can be filtered by',
  50,
  timed(() => catalogue.facets({})),
);
tell(
  'the same of one agent',
  50,
  timed(() => catalogue.facets({ agents: ['codex'] })),
);

const QUESTIONS = process.env.NOSEARCH
  ? []
  : [
      'stuck repeating',
      'stuk repeatng',
      'pytest',
      'pytset',
      'src/billing/parser.ts',
      'AssertionError assert 5',
      'ECONNREFUSED 127.0.0.1',
      'string to replace not found in file',
      'claude code',
      'fix the invoice of the core parser',
      'invoiceCore12',
      'np',
    ];
const all = [];
for (const question of QUESTIONS) {
  const times = timed(() => catalogue.recall(question, { limit: 100 }));
  all.push(...times);
  tell(`search: ${question}`, 50, times);
}
tell(
  'search: stuck repeating, of one agent',
  50,
  timed(() => catalogue.recall('stuck repeating', { limit: 100, filter: { agents: ['codex'] } })),
);
console.log(
  `        all searches: p95 ${quantile(
    all.map(({ processor }) => processor),
    0.95,
  ).toFixed(1)} ms`,
);
const one = incidents[Math.floor(COUNT / 2)];
tell(
  'seen before',
  50,
  timed(() => catalogue.alike(one, 20)),
);

for (const days of [7, 30, 90, 0]) {
  const range = { since: days === 0 ? 0 : now - days * DAY, until: now + 1 };
  tell(
    `statistics of ${days === 0 ? 'all' : `${days} days`}`,
    200,
    timed(() => catalogue.statistics(range, now)),
  );
}
console.log(`        load ${loadavg()[0]?.toFixed(1)}, ${process.version}`);
process.exitCode = missed > 0 ? 1 : 0;
