/**
 * Mutation testing of one room, or of some of its files: `npm run mutate -- ROOM [FILE...] [--force]`. Stryker changes the deciding code, one
 * small change at a time, and runs the tests that cover it. A change that no test notices is a survivor. Prints the score; lists the survivors
 * in test-output/mutation/ROOM.txt. Only what changed since the last run is tried again; --force tries everything. A large room can be run
 * file by file: a run of the whole room afterwards takes over what those found.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { Stryker } from '@stryker-mutator/core';
import { ROOMS } from '../test/mutation/rooms.mjs';

const args = process.argv.slice(2);
const [room, ...files] = args.filter((arg) => !arg.startsWith('-'));
if (room === undefined || !Object.hasOwn(ROOMS, room)) {
  console.error(`usage: npm run mutate -- ROOM [FILE...] [--force]\nrooms: ${Object.keys(ROOMS).join(', ')}`);
  process.exit(2);
}

const folder = 'test-output/mutation';
const report = `${folder}/${room}.json`;
mkdirSync(folder, { recursive: true });
process.env.UNSTUCK_MUTATE = room;
setPriority(10);
const began = Date.now();

await new Stryker({
  configFile: 'test/mutation/stryker.config.mjs',
  plugins: ['./test/mutation/runner.mjs'],
  testRunner: 'rerun',
  mutate: files.length > 0 ? files : [...ROOMS[room].code],
  incrementalFile: `${folder}/${room}-incremental.json`,
  force: args.includes('--force'),
  jsonReporter: { fileName: report },
}).runMutationTest();

const count = { Killed: 0, Timeout: 0, Survived: 0, NoCoverage: 0 };
const survivors = [];
for (const [file, { mutants, source }] of Object.entries(JSON.parse(readFileSync(report, 'utf8')).files)) {
  if (files.length > 0 && !files.includes(file)) continue;
  const lines = source.split('\n');
  for (const { status, location, replacement, mutatorName } of mutants) {
    if (status in count) count[status] += 1;
    if (status !== 'Survived' && status !== 'NoCoverage') continue;
    const { start, end } = location;
    const last = start.line === end.line ? end.column - 1 : undefined;
    const was = lines[start.line - 1].slice(start.column - 1, last);
    survivors.push(`${file}:${start.line}:${start.column} ${status} ${mutatorName}: ${was} -> ${replacement}`);
  }
}
writeFileSync(`${folder}/${room}.txt`, `${survivors.join('\n')}\n`);

const caught = count.Killed + count.Timeout;
const all = caught + count.Survived + count.NoCoverage;
const score = ((100 * caught) / Math.max(1, all)).toFixed(1);
const minutes = ((Date.now() - began) / 60_000).toFixed(1);
console.log(`${room}: tests noticed ${score} % of ${all} changes, in ${minutes} min`);
console.log(`${count.Survived} survived, no test covers ${count.NoCoverage}: ${folder}/${room}.txt`);
