// Whole processes over whole corpora, next to ccusage, which reads the same files to sum up tokens (another job: it decodes no call). It is installed
// into a folder outside the project; if that fails, the rows say so.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { benchFolder } from './support/build.mjs';
import { installedPeer, PEER_VERSION } from './support/ccusage.mjs';
import { corpus } from './support/corpus.mjs';
import { interleaved, median, row, skipped, spread } from './support/measure.mjs';
import { measured, TIME } from './support/process.mjs';

export const name = 'peers';

const CORPORA = ['c200', 'c300'];
/** Upper limits of our wall time, processor time and memory as multiples of ccusage's. */
const LIMITS = { wall: 3, cpu: 5, rss: 1 };
const WORDS = { wall: 'wall', cpu: 'CPU', rss: 'memory' };

export async function run({ rounds, tail, pipeline }) {
  if (!existsSync(TIME)) return [skipped('peers', `${TIME} is absent, which measures processes`)];
  const rows = [];
  const program = installedPeer();
  if (program.why) return [skipped('peers', `ccusage ${PEER_VERSION} did not install: ${program.why}`)];
  for (const corpusName of CORPORA) {
    const files = corpus(corpusName);
    if (!files) {
      rows.push(skipped('peers', `corpus ${corpusName} is absent and cannot be made`));
      continue;
    }
    const config = join(files[0], corpusName === 'c300' && !files[0].includes('/projects/') ? '..' : '../../..');
    const results = await interleaved(rounds, {
      ours: () => measured([process.execPath, join(benchFolder, 'child/scan.mjs'), 'full', tail, pipeline, ...files]),
      peer: () => measured([program.path, 'daily', '--offline', '--json'], { CLAUDE_CONFIG_DIR: config }),
    });
    if (results.peer.some(({ output }) => output < 100))
      throw new Error(`ccusage ${PEER_VERSION} found nothing in ${corpusName}`);
    for (const [what, limit] of Object.entries(LIMITS)) {
      const ratios = results.ours.map((one, round) => one[what] / results.peer[round][what]);
      const words = `${corpusName} ${WORDS[what]}, ours / ccusage ${PEER_VERSION}`;
      rows.push(row('peers', words, `≤ ${limit}`, spread(ratios), median(ratios) <= limit));
    }
    const own = ['wall', 'cpu'].map((what) => spread(results.ours.map((one) => one[what])));
    rows.push(row('peers', `${corpusName} ours: wall; CPU`, '', own.map((text) => `${text} s`).join('; '), undefined));
  }
  return rows;
}
