// The cost of following 1000 files in 200 folders while nothing happens, sweeps included.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { child, row } from './support/measure.mjs';

const FILES = 1000;
const FOLDERS = 200;

export async function run({ quick, tail }) {
  const folder = mkdtempSync(join(tmpdir(), 'unstuck-bench-'));
  for (let inner = 0; inner < FOLDERS; inner++) mkdirSync(join(folder, `f${inner}`));
  for (let file = 0; file < FILES; file++)
    writeFileSync(join(folder, `f${file % FOLDERS}`, `${file}.jsonl`), '{"a":1}\n');
  const seconds = quick ? 10 : 30;
  const { part, woken, instances, watches } = await child('idle.mjs', [tail, folder, seconds]);
  rmSync(folder, { recursive: true });
  const most = FOLDERS + 1;
  return [
    row('idle', `part of a core in ${seconds} s`, '≤ 0.2 %', `${(part * 100).toFixed(3)} %`, part <= 0.002),
    row(
      'idle',
      'wake-ups a second, all threads',
      '≤ 2',
      woken?.toFixed(2) ?? 'unknown',
      woken === null ? undefined : woken <= 2,
    ),
    row(
      'idle',
      'watches; inotify instances',
      `≤ ${most}; 1`,
      `${watches}; ${instances}`,
      watches <= most && instances <= 1,
    ),
  ];
}
