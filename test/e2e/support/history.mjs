/** A history for the tests: runs as generic transcripts, imported by the command line into the store of a window. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../support/vscode-host.mjs';

/** Models, with the number of their stuck and healthy runs. */
const RUNS = [
  { model: 'm-large', stuck: 2, healthy: 6 },
  { model: 'm-small', stuck: 3, healthy: 1 },
];
const HOUR_MS = 3_600_000;

const titleOf = (/** @type {string} */ session, /** @type {boolean} */ isStuck) =>
  isStuck ? `Fix ${session}` : `Explain ${session}`;

/**
 * Writes twelve runs of the last twelve hours, five of them stuck in `pytest -q`, and imports them into the store.
 * @param {string} dir of the host, whose window has activated the extension
 * @param {string} folder an empty one for the transcripts
 * @param {number} now milliseconds since the epoch
 */
export function seedHistory(dir, folder, now) {
  let hours = 1;
  for (const { model, stuck, healthy } of RUNS) {
    for (let index = 0; index < stuck + healthy; index++) {
      const name = `${model}-${index}`;
      const lines = run(name, model, index < stuck, now - hours++ * HOUR_MS);
      fs.writeFileSync(join(folder, `${name}.agent.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    }
  }
  command('scan', '--store', storeOf(dir), folder);
}

/** The folder of the history of the only window. @param {string} dir of the host, whose window has activated the extension */
export function storeOf(dir) {
  const storage = join(dir, 'user/User/globalStorage/unstuck.unstuck/incidents');
  const [store, ...others] = fs.readdirSync(storage);
  if (store === undefined || others.length > 0) throw new Error(`There is not one store in ${storage}.`);
  return join(storage, store);
}

/** Returns what the command line prints. @param {...string} args */
export function command(...args) {
  const options = /** @type {const} */ ({ encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
  return execFileSync(process.execPath, [join(projectRoot, 'dist/cli.js'), ...args], options);
}

/** Ten steps: the same test with the same failure, or reads of ten different files. */
function run(session, model, isStuck, start) {
  let at = start;
  const line = (type, more) => ({ v: 1, t: new Date((at += 6_000)).toISOString(), session, type, ...more });
  const begin = [
    line('session_start', { agent: 'Acme', model, cwd: '/work/shop' }),
    line('user', { text: titleOf(session, isStuck) }),
  ];
  const steps = Array.from({ length: 10 }, (_, index) => {
    const id = String(index);
    return isStuck
      ? [
          line('tool_call', { id, name: 'shell', args: { command: 'pytest -q' } }),
          line('tool_result', { id, output: 'AssertionError: 3 != 7\n1 failed', isError: true, exitCode: 1 }),
        ]
      : [
          line('tool_call', { id, name: 'read_file', args: { path: `src/part-${index}.py` } }),
          line('tool_result', { id, output: `PART = ${index}` }),
        ];
  });
  return [...begin, ...steps.flat(), line('session_end', { reason: 'clean' })];
}
