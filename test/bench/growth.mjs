// Growth: the cost of a step among much old data against one among little. Instructions if they can be counted, else processor time.
import { buildFollowing } from './support/build.mjs';
import { countedChild } from './support/instructions.mjs';
import { interleaved, median, row, spread } from './support/measure.mjs';

export const name = 'growth';

const LIMIT = 1.2;
const CASES = {
  steps: [10_000, 'after 10,000 steps'],
  files: [1_000, 'beside 1,000 old transcripts'],
  sessions: [1_000, 'beside 1,000 sessions that are followed'],
  incidents: [8_000, 'after 8,000 incidents'],
  history: [10_000, 'with 10,000 incidents in the history'],
};

export async function run({ rounds, quick }) {
  const bundle = await buildFollowing();
  const rows = [];
  for (const [what, [count, words]] of Object.entries(CASES)) {
    const cost = (many) => () => countedChild('growth.mjs', [bundle, what, many]);
    const { young, old } = await interleaved(quick ? 1 : Math.min(rounds, 3), { young: cost(0), old: cost(count) });
    const unit = [...young, ...old].every(({ instructions }) => instructions > 0) ? 'instructions' : 'micros';
    const ratios = old.map((one, round) => one[unit] / young[round][unit]);
    const each = median(old.map(({ micros }) => micros)).toFixed(0);
    const counted = unit === 'micros' ? 'processor time' : 'instructions';
    rows.push(
      row(
        'growth',
        `a step ${words} / in a young one, ${counted} (${each} µs)`,
        `≤ ${LIMIT}`,
        spread(ratios),
        median(ratios) <= LIMIT,
      ),
    );
  }
  return rows;
}
