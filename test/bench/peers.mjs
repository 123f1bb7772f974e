// P2: whole processes over whole corpora, beside ccusage, which reads the same files to sum up tokens (another job: no call is decoded).
// Its versions are installed into a folder outside the project; where that fails, the rows say so.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchFolder } from './support/build.mjs';
import { corpus } from './support/corpus.mjs';
import { interleaved, median, row, skipped, spread } from './support/measure.mjs';

export const name = 'peers';

const CORPORA = ['c200', 'c300'];
const OLD = '18.0.11';
const NEW = '20.0.24';
const TIME = '/usr/bin/time';

export async function run({ rounds, tail, pipeline }) {
  if (!existsSync(TIME)) return [skipped('P2', `${TIME} is absent, which measures processes`)];
  const rows = [];
  const programs = {};
  for (const version of [OLD, NEW]) {
    const program = install(version);
    if (program.why) rows.push(skipped('P2', `ccusage ${version} did not install: ${program.why}`));
    else programs[version] = program.path;
  }
  for (const corpusName of CORPORA) {
    const files = corpus(corpusName);
    if (!files) {
      rows.push(skipped('P2', `corpus ${corpusName} is absent and cannot be made`));
      continue;
    }
    const config = join(files[0], corpusName === 'c300' && !files[0].includes('/projects/') ? '..' : '../../..');
    const daily = (version, ...more) =>
      measure([programs[version], 'daily', '--offline', '--json', ...more], { CLAUDE_CONFIG_DIR: config });
    const variants = {
      ours: () => measure([process.execPath, join(benchFolder, 'child/scan.mjs'), 'full', tail, pipeline, ...files]),
      ...(programs[OLD] && { [OLD]: () => daily(OLD) }),
      ...(programs[NEW] && { [NEW]: () => daily(NEW, '--single-thread') }),
    };
    const results = await interleaved(rounds, variants);
    const ratio = (version, what) => results[version].map((one, round) => one[what] / results.ours[round][what]);
    for (const version of Object.keys(programs)) {
      const empty = results[version].find(({ output }) => output < 100);
      if (empty) throw new Error(`ccusage ${version} found nothing in ${corpusName}`);
    }
    if (programs[OLD]) {
      const [wall, cpu, memory] = ['wall', 'cpu', 'rss'].map((what) => ratio(OLD, what));
      rows.push(row('P2', `${corpusName} wall, ccusage ${OLD} / ours`, '≥ 4', spread(wall), median(wall) >= 4));
      rows.push(row('P2', `${corpusName} CPU, ccusage ${OLD} / ours`, '≥ 4', spread(cpu), median(cpu) >= 4));
      rows.push(row('P2', `${corpusName} memory, ccusage ${OLD} / ours`, '≥ 3', spread(memory), median(memory) >= 3));
    }
    if (programs[NEW]) {
      const cpu = ratio(NEW, 'cpu');
      rows.push(
        row('P2', `${corpusName} CPU, ccusage ${NEW} one thread / ours`, '≥ 0.5', spread(cpu), median(cpu) >= 0.5),
      );
    }
    const own = ['wall', 'cpu'].map((what) => spread(results.ours.map((one) => one[what])));
    rows.push(row('P2', `${corpusName} ours: wall; CPU`, '', own.map((text) => `${text} s`).join('; '), undefined));
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
