/**
 * Mutation testing of one room, or of some of its files: `npm run mutate -- ROOM [FILE...] [--near] [--force]`. Stryker changes the deciding code,
 * one small change at a time, and runs the tests that cover it. A change that no test notices is a survivor. Prints the score; lists the survivors in
 * test-output/mutation/ROOM.txt. Only what changed since the last run is tried again; --force tries everything. A large room can be run file by file:
 * each such run also prints the score of all files tried so far. --near runs only the tests in the folders of the files, for a first result on a busy
 * machine.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { dirname } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { ROOMS } from './rooms.mjs';

const args = process.argv.slice(2);
const [room, ...files] = args.filter((arg) => !arg.startsWith('-'));
if (room === undefined || !Object.hasOwn(ROOMS, room)) {
  console.error(`usage: npm run mutate -- ROOM [FILE...] [--near] [--force]\nrooms: ${Object.keys(ROOMS).join(', ')}`);
  process.exit(2);
}

const folder = 'test-output/mutation';
const report = `${folder}/${room}.json`;
mkdirSync(folder, { recursive: true });
process.env.UNSTUCK_MUTATE = room;
if (args.includes('--near'))
  process.env.UNSTUCK_MUTATE_TESTS = [...new Set(files.map((file) => dirname(file).replace(/^src/, 'test/unit')))]
    .map((folder) => `${folder}/*.test.ts`)
    .join('\n');
// Other processes go first; the caller may set an even lower priority.
setPriority(Math.max(10, getPriority()));
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

const all = count(() => true);
const tried = count((file) => files.length === 0 || files.includes(file));
writeFileSync(`${folder}/${room}.txt`, `${tried.survivors.join('\n')}\n`);
const minutes = ((Date.now() - began) / 60_000).toFixed(1);
console.log(`${room}: tests noticed ${tried.score} % of ${tried.changes} changes, in ${minutes} min`);
console.log(`${tried.Survived} survived, no test covers ${tried.NoCoverage}: ${folder}/${room}.txt`);
if (files.length > 0)
  console.log(`with what earlier runs found: ${all.score} % of ${all.changes} changes, ${all.files} files`);

/** The outcome of the changes in the given files, from this run and earlier ones. */
function count(isMeant) {
  const found = { Killed: 0, Timeout: 0, Survived: 0, NoCoverage: 0, files: 0, survivors: [] };
  for (const [file, { mutants, source }] of Object.entries(JSON.parse(readFileSync(report, 'utf8')).files)) {
    if (!isMeant(file) || !existsSync(file)) continue;
    found.files += 1;
    const lines = source.split('\n');
    for (const { status, location, replacement, mutatorName } of mutants) {
      if (status in found) found[status] += 1;
      if (status !== 'Survived' && status !== 'NoCoverage') continue;
      const { start, end } = location;
      const last = start.line === end.line ? end.column - 1 : undefined;
      const was = lines[start.line - 1].slice(start.column - 1, last);
      found.survivors.push(`${file}:${start.line}:${start.column} ${status} ${mutatorName}: ${was} -> ${replacement}`);
    }
  }
  const caught = found.Killed + found.Timeout;
  const changes = caught + found.Survived + found.NoCoverage;
  return { ...found, changes, score: ((100 * caught) / Math.max(1, changes)).toFixed(1) };
}
