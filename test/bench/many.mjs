// 2 GB in 1,000 transcripts whose times overlap, by the command line as it is shipped: wall, processor time and memory beside ccusage, which
// sums up the tokens of the same files (it decodes no call and detects nothing); and its memory against that of forty of them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { corpus } from './support/corpus.mjs';
import { builtCommandLine } from './support/build.mjs';
import { installedPeer, PEER_VERSION } from './support/ccusage.mjs';
import { interleaved, median, row, skipped, spread } from './support/measure.mjs';
import { measured, TIME } from './support/process.mjs';

const FEW = 40;
const GROWTH = 1.2;
/** Ours against it: at most so many times its wall time, processor time and memory. */
const LIMITS = { wall: 3, cpu: 5, rss: 1 };
const WORDS = { wall: 'wall', cpu: 'CPU', rss: 'memory' };

export async function run({ rounds }) {
  if (!existsSync(TIME)) return [skipped('2 GB', `${TIME} is absent, which measures processes`)];
  const files = corpus('m2000');
  if (!files) return [skipped('2 GB', 'corpus m2000 is absent and cannot be made')];
  const commandLine = await builtCommandLine();
  const peer = installedPeer();
  const config = join(files[0], '../../..');
  const scan = (some) => () => measured([process.execPath, commandLine, 'scan', '--json', ...some]);
  const results = await interleaved(Math.min(rounds, 3), {
    all: scan(files),
    few: scan(files.slice(0, FEW)),
    ...(peer.path && {
      peer: () => measured([peer.path, 'daily', '--offline', '--json'], { CLAUDE_CONFIG_DIR: config }),
    }),
  });
  const rows = [];
  const ratios = (what, other) => results.all.map((one, round) => one[what] / results[other][round][what]);
  const growth = ratios('rss', 'few');
  rows.push(
    row(
      'growth',
      `memory of a scan of ${files.length} overlapping transcripts / of ${FEW}`,
      `≤ ${GROWTH}`,
      spread(growth),
      median(growth) <= GROWTH,
    ),
  );
  if (peer.path)
    for (const [what, limit] of Object.entries(LIMITS)) {
      const found = ratios(what, 'peer');
      const words = `${files.length} transcripts, ${WORDS[what]}, ours / ccusage ${PEER_VERSION}`;
      rows.push(row('2 GB', words, `≤ ${limit}`, spread(found), median(found) <= limit));
    }
  else rows.push(skipped('2 GB', `ccusage ${PEER_VERSION} did not install: ${peer.why}`));
  const own = ['wall', 'cpu', 'rss'].map((what) => spread(results.all.map((one) => one[what])));
  rows.push(row('2 GB', 'ours: wall, CPU in s; memory in MB', '', own.join('; '), undefined));
  return rows;
}
