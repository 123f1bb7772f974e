// Counts the instructions of a part of a process with `perf stat`: unlike time, they are the same on a machine that is shared.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchFolder } from './build.mjs';

const COUNTED = 'instructions:u';
let able;

/** True if this machine can count instructions. */
function countsInstructions() {
  if (able === undefined) {
    try {
      const told = execFileSync('sh', ['-c', `perf stat -x, -e ${COUNTED} true 2>&1`], { encoding: 'utf8' });
      able = Number(told.split(',')[0]) > 0;
    } catch {
      able = false;
    }
  }
  return able;
}

/** Runs a script of `child/` as `child` of measure.mjs does; its result also has the `instructions` of each step, if they can be counted. */
export async function countedChild(script, args) {
  const argv = [join(benchFolder, 'child', script), ...args.map(String)];
  if (!countsInstructions()) return await run(process.execPath, argv, {});
  const folder = mkdtempSync(join(tmpdir(), 'unstuck-perf-'));
  const [control, told, output] = ['control', 'told', 'output'].map((name) => join(folder, name));
  execFileSync('mkfifo', [control, told]);
  try {
    const perf = ['stat', '-x,', '-e', COUNTED, '-D', '-1', '--control', `fifo:${control},${told}`, '-o', output];
    const result = await run('perf', [...perf, process.execPath, ...argv], { UNSTUCK_COUNT: `${control},${told}` });
    const counted = readFileSync(output, 'utf8')
      .split('\n')
      .find((line) => line.includes(COUNTED));
    const instructions = Number(counted?.split(',')[0]) / result.steps;
    return Number.isFinite(instructions) ? { ...result, instructions } : result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(program, argv, env) {
  return new Promise((resolve, reject) => {
    execFile(program, argv, { maxBuffer: 1 << 26, env: { ...process.env, ...env } }, (error, output, errors) => {
      if (error) reject(new Error(`${argv.join(' ')}: ${(errors || error.message).slice(-600)}`));
      else resolve(JSON.parse(output.trim().split('\n').at(-1)));
    });
  });
}

/** Runs in the child: does the given number of steps and reports the cost of one. Work before and after is not counted. */
export async function counted(steps, work) {
  const [control, told] = (process.env.UNSTUCK_COUNT ?? '').split(',');
  const tell = control ? open(control, told) : () => {};
  tell('enable');
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  tell('disable');
  return { steps, micros: (user + system) / steps };
}

function open(control, told) {
  const to = openSync(control, 'w');
  const from = openSync(told, 'r');
  return (word) => {
    writeSync(to, `${word}\n`);
    readSync(from, Buffer.alloc(16));
  };
}
