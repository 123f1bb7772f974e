// How soon each change in a file's life is followed.
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { row, spread } from './support/measure.mjs';

const LIMIT_MS = 2500;
const lines = (from, to) => Array.from({ length: to - from }, (_, at) => `{"line":${from + at}}\n`).join('');

/** Each change is made to a file with the lines 0 to 9 and leaves the lines 100 to 119 of a new generation. */
const CHANGES = {
  'append (for comparison)': (path) => appendFileSync(path, lines(100, 120)),
  replace: (path) => {
    writeFileSync(`${path}.next`, lines(100, 120));
    renameSync(`${path}.next`, path);
  },
  'truncate and write longer': (path) => writeFileSync(path, lines(100, 120)),
  rotate: (path) => {
    renameSync(path, `${path}.1`);
    writeFileSync(path, lines(100, 120));
  },
  'delete and recreate': (path) => {
    unlinkSync(path);
    writeFileSync(path, lines(100, 120));
  },
  'folder removed and remade': (path, folder) => {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    writeFileSync(path, lines(100, 120));
  },
  'new folder': (_path, _folder, fresh) => {
    mkdirSync(join(fresh, '..'));
    writeFileSync(fresh, lines(100, 120));
  },
};

export async function run({ rounds, tail: tailPath }) {
  const { createTail, silentLog } = createRequire(import.meta.url)(tailPath);
  const rows = [];
  for (const [what, change] of Object.entries(CHANGES)) {
    const times = [];
    let wrong = 0;
    for (let round = 0; round < rounds; round++) {
      const top = mkdtempSync(join(tmpdir(), 'unstuck-bench-'));
      const folder = join(top, 'project');
      const path = join(folder, 'a.jsonl');
      const fresh = join(top, 'fresh', 'b.jsonl');
      mkdirSync(folder);
      writeFileSync(path, lines(0, 10));
      const tail = createTail({ log: silentLog });
      const given = [];
      const open = ({ path: found }) =>
        tail.open(found, {
          unit: 'line',
          from: 'start',
          markers: [],
          line: ({ text }) => given.push(JSON.parse(text).line),
          reset: () => given.push('reset'),
        });
      tail.watch({ path: top, depth: 1, matches: (name) => name.endsWith('.jsonl'), onFile: open });
      while (given.length < 10) await wait(5);
      await wait(200);
      const start = performance.now();
      change(path, folder, fresh);
      while (given.at(-1) !== 119 && performance.now() - start < LIMIT_MS + 1000) await wait(1);
      times.push(performance.now() - start);
      await wait(300);
      const expected = [...lines(0, 10).match(/\d+/g), ...lines(100, 120).match(/\d+/g)].map(Number);
      const numbers = given.filter((one) => one !== 'reset');
      if (JSON.stringify(numbers) !== JSON.stringify(expected)) wrong++;
      tail.dispose();
      rmSync(top, { recursive: true });
    }
    const pass = Math.max(...times) <= LIMIT_MS && wrong === 0;
    rows.push(
      row('life-cycle', what, `≤ ${LIMIT_MS} ms, each line once`, `${spread(times, ' ms')}; ${wrong} wrong`, pass),
    );
  }
  return rows;
}
