// Opens 40 sessions by their last 256 KB, whatever their length.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { corpus } from './support/corpus.mjs';
import { child, interleaved, median, row, skipped, spread } from './support/measure.mjs';

export async function run({ rounds, tail }) {
  const rows = [];
  const seed = (mode, files) => child('seed.mjs', [mode, tail, ...files]);
  const c200 = corpus('c200');
  if (c200) {
    const { bare, ours } = await interleaved(rounds, {
      bare: () => seed('bare', c200),
      ours: () => seed('tail', c200),
    });
    for (const what of ['cpu', 'ms']) {
      const ratios = ours.map((result, round) => result[what] / bare[round][what]);
      const limit = what === 'ms' ? 2 : undefined;
      const name = `${c200.length} tails / bare read and parse, ${what === 'ms' ? 'wall' : 'CPU'}`;
      rows.push(
        row('seed', name, limit ? `≤ ${limit}` : '', spread(ratios), limit ? median(ratios) <= limit : undefined),
      );
    }
    rows.push(
      row(
        'seed',
        `${c200.length} tails`,
        '',
        spread(
          ours.map(({ ms }) => ms),
          ' ms',
        ),
        undefined,
      ),
    );
  } else rows.push(skipped('seed', 'corpus c200 is absent and cannot be made'));
  const c300 = corpus('c300');
  if (!c300) return [...rows, skipped('seed', 'corpus c300 is absent and cannot be made')];
  // The same tail after 3 MB: only the length of the file differs.
  const folder = join(tmpdir(), 'unstuck-bench');
  mkdirSync(folder, { recursive: true });
  const short = join(folder, 'short.jsonl');
  const { size } = statSync(c300[0]);
  writeFileSync(short, readFileSync(c300[0]).subarray(size - 3_000_000));
  const { long, small } = await interleaved(rounds, {
    long: () => seed('tail', c300),
    small: () => seed('tail', [short]),
  });
  const ratios = long.map((result, round) => result.cpu / small[round].cpu);
  rows.push(row('seed', '300 MB file / 3 MB file, CPU', '≤ 1.3', spread(ratios), median(ratios) <= 1.3));
  return rows;
}
