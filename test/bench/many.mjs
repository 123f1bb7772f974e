// 2 GB in 1,000 transcripts, two hours apart, read by the command line as it is shipped: wall time, processor time and memory next to ccusage, which
// sums up the tokens of the same files (it decodes no call and detects nothing); and its memory against that for forty of them.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { corpus } from './support/corpus.mjs';
import { builtCommandLine } from './support/build.mjs';
import { installedPeer, PEER_VERSION } from './support/ccusage.mjs';
import { interleaved, median, row, skipped, spread } from './support/measure.mjs';
import { measured, TIME } from './support/process.mjs';

const FEW = 40;
const GROWTH = 1.2;
/**
 * Upper limits of our processor time and memory as multiples of ccusage's, if nothing is known of the transcripts, and also of our wall time if
 * they are unchanged.
 */
const LIMITS = { first: { cpu: 7.5, rss: 1 }, unchanged: { wall: 0.5, cpu: 0.5, rss: 1 } };
const WORDS = { wall: 'wall', cpu: 'CPU', rss: 'memory' };

export async function run({ rounds }) {
  if (!existsSync(TIME)) return [skipped('2 GB', `${TIME} is absent, which measures processes`)];
  const files = corpus('m2000');
  if (!files) return [skipped('2 GB', 'corpus m2000 is absent and cannot be made')];
  const commandLine = await builtCommandLine();
  const peer = installedPeer();
  const config = join(files[0], '../../..');
  const cache = mkdtempSync(join(tmpdir(), 'unstuck-bench-cache-'));
  // A folder that cannot be made, so nothing is kept.
  const scan =
    (some, folder = '/dev/null') =>
    () =>
      measured([process.execPath, commandLine, 'scan', '--json', ...some], { XDG_CACHE_HOME: folder });
  await scan(files, cache)();
  const results = await interleaved(Math.min(rounds, 3), {
    first: scan(files),
    unchanged: scan(files, cache),
    few: scan(files.slice(0, FEW)),
    ...(peer.path && {
      peer: () => measured([peer.path, 'daily', '--offline', '--json'], { CLAUDE_CONFIG_DIR: config }),
    }),
  });
  rmSync(cache, { recursive: true, force: true });
  const rows = [];
  const ratios = (what, own, other) => results[own].map((one, round) => one[what] / results[other][round][what]);
  const growth = ratios('rss', 'first', 'few');
  rows.push(
    row(
      'growth',
      `memory of a scan of ${files.length} transcripts / of ${FEW}`,
      `≤ ${GROWTH}`,
      spread(growth),
      median(growth) <= GROWTH,
    ),
  );
  if (peer.path)
    for (const [own, limits] of Object.entries(LIMITS))
      for (const [what, limit] of Object.entries(limits)) {
        const found = ratios(what, own, 'peer');
        const words = `${files.length} transcripts, ${own}, ${WORDS[what]}, ours / ccusage ${PEER_VERSION}`;
        rows.push(row('2 GB', words, `≤ ${limit}`, spread(found), median(found) <= limit));
      }
  else rows.push(skipped('2 GB', `ccusage ${PEER_VERSION} did not install: ${peer.why}`));
  for (const own of ['first', 'unchanged']) {
    const figures = ['wall', 'cpu', 'rss'].map((what) => spread(results[own].map((one) => one[what])));
    rows.push(row('2 GB', `${own}: wall, CPU in s; memory in MB`, '', figures.join('; '), undefined));
  }
  return rows;
}
