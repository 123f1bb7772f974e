// Slope, constant, longest work: reading whole files with decoders, sessions and all detectors, against the bare loop in the same series.
import { corpus } from './support/corpus.mjs';
import { child, interleaved, median, row, skipped, spread } from './support/measure.mjs';

const SLOPE = 0.4;
const CONSTANT = 1;
const LONGEST_MS = 8;

export async function run({ rounds, tail, pipeline }) {
  const rows = [];
  const scan = (mode, files) => child('scan.mjs', [mode, tail, pipeline, ...files]);
  for (const name of ['c200', 'x200']) {
    const files = corpus(name);
    if (!files) {
      rows.push(skipped('slope', `corpus ${name} is absent and cannot be made`));
      continue;
    }
    const isFirst = name === 'c200';
    const { parse, full, twice } = await interleaved(rounds, {
      parse: () => scan('parse', files),
      full: () => scan('full', files),
      ...(isFirst && { twice: () => scan('full', [...files, ...files]) }),
    });
    if (full[0].lines !== parse[0].lines) throw new Error(`${name}: lines are missing`);
    const slope = parse.map(({ secondHalf }, round) => secondHalf / full[round].secondHalf);
    const what = `${name}, second half in one process: CPU speed / L`;
    rows.push(row('slope', what, `≥ ${SLOPE}`, spread(slope), median(slope) >= SLOPE));
    if (!isFirst) continue;
    // The extra cost of the first pass over the second: compiling, whatever is read.
    const more = twice.map(({ cpu, secondHalf }, round) => (cpu - 2 * secondHalf) / parse[round].cpu);
    const words = 'first pass more than the second, in L of c200';
    rows.push(row('constant', words, `≤ ${CONSTANT}`, spread(more), median(more) <= CONSTANT));
  }
  const c300 = corpus('c300');
  if (!c300) return [...rows, skipped('longest', 'corpus c300 is absent and cannot be made')];
  const { gaps } = await interleaved(rounds, { gaps: () => scan('gaps', c300) });
  const p99 = gaps.map((result) => result.p99);
  const limit = `≤ ${LONGEST_MS} ms`;
  rows.push(row('longest', 'c300: work without a turn, p99', limit, spread(p99, ' ms'), median(p99) <= LONGEST_MS));
  const turns = gaps.reduce((sum, result) => sum + result.turns, 0);
  const over = gaps.reduce((sum, result) => sum + result.over16, 0);
  const most = Math.ceil(turns * 0.002);
  rows.push(row('longest', 'c300: over 16 ms', `≤ ${most} of ${turns} (0.2 %)`, `${over}`, over <= most));
  return rows;
}
