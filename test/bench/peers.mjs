// Whole processes over whole corpora, beside ccusage, which reads the same files to sum up tokens (another job: no call is decoded).
// It is installed into a folder outside the project; where that fails, the rows say so.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchFolder } from './support/build.mjs';
import { corpus } from './support/corpus.mjs';
import { interleaved, median, row, skipped, spread } from './support/measure.mjs';

export const name = 'peers';

const CORPORA = ['c200', 'c300'];
const VERSION = '20.0.24';
/** Ours against it: at most so many times its wall time, processor time and memory. */
const LIMITS = { wall: 3, cpu: 5, rss: 1 };
const WORDS = { wall: 'wall', cpu: 'CPU', rss: 'memory' };
const TIME = '/usr/bin/time';

export async function run({ rounds, tail, pipeline }) {
  if (!existsSync(TIME)) return [skipped('peers', `${TIME} is absent, which measures processes`)];
  const rows = [];
  const program = install(VERSION);
  if (program.why) return [skipped('peers', `ccusage ${VERSION} did not install: ${program.why}`)];
  for (const corpusName of CORPORA) {
    const files = corpus(corpusName);
    if (!files) {
      rows.push(skipped('peers', `corpus ${corpusName} is absent and cannot be made`));
      continue;
    }
    const config = join(files[0], corpusName === 'c300' && !files[0].includes('/projects/') ? '..' : '../../..');
    const results = await interleaved(rounds, {
      ours: () => measure([process.execPath, join(benchFolder, 'child/scan.mjs'), 'full', tail, pipeline, ...files]),
      peer: () => measure([program.path, 'daily', '--offline', '--json'], { CLAUDE_CONFIG_DIR: config }),
    });
    if (results.peer.some(({ output }) => output < 100))
      throw new Error(`ccusage ${VERSION} found nothing in ${corpusName}`);
    for (const [what, limit] of Object.entries(LIMITS)) {
      const ratios = results.ours.map((one, round) => one[what] / results.peer[round][what]);
      const words = `${corpusName} ${WORDS[what]}, ours / ccusage ${VERSION}`;
      rows.push(row('peers', words, `≤ ${limit}`, spread(ratios), median(ratios) <= limit));
    }
    const own = ['wall', 'cpu'].map((what) => spread(results.ours.map((one) => one[what])));
    rows.push(row('peers', `${corpusName} ours: wall; CPU`, '', own.map((text) => `${text} s`).join('; '), undefined));
  }
  return rows;
}

/** Path of the program, or why there is none. Its scripts are not run: it needs none. */
function install(version) {
  const folder = join(tmpdir(), 'unstuck-bench', `ccusage-${version}`);
  const path = join(folder, 'node_modules/.bin/ccusage');
  try {
    if (!existsSync(path)) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
      const packages = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `ccusage@${version}`];
      execFileSync('npm', packages, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], timeout: 120_000 });
    }
    execFileSync(path, ['--version'], { stdio: 'ignore', timeout: 60_000 });
    return { path };
  } catch (error) {
    return { why: String(error.message).split('\n')[0] };
  }
}

/** Wall and processor time in seconds, memory at most in MB, and the length of what it printed. */
function measure(command, env = {}) {
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 1 << 26 };
    execFile(TIME, ['-f', 'TIMES %e %U %S %M', ...command], options, (error, output, errors) => {
      const times = /TIMES ([\d.]+) ([\d.]+) ([\d.]+) (\d+)/.exec(errors);
      if (error || !times) return reject(new Error(`${command[0]}: ${errors || (error?.message ?? 'no times')}`));
      const [wall, user, system, memory] = times.slice(1).map(Number);
      resolve({ wall, cpu: user + system, rss: memory / 1024, output: output.length });
    });
  });
}
