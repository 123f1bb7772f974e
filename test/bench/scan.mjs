// Slope, constant, P3, P4: reading whole files, against the reference loop in the same series.
import { corpus, hugeLine } from './support/corpus.mjs';
import { child, interleaved, median, row, skipped, spread } from './support/measure.mjs';

export const name = 'scan';

const CORPORA = ['c200', 'c300', 'x200', 's50'];
const LINE_MEGABYTES = 64;

export async function run({ rounds, tail, pipeline }) {
  const rows = [];
  const scan = (mode, files) => child('scan.mjs', [mode, tail, pipeline, ...files]);
  const memory = {};
  let bare = [];
  for (const corpusName of CORPORA) {
    const files = corpus(corpusName);
    if (!files) {
      rows.push(skipped('P1', `corpus ${corpusName} is absent and cannot be made`));
      continue;
    }
    const results = await interleaved(rounds, {
      read: () => scan('read', files),
      parse: () => scan('parse', files),
      ...(corpusName === 's50' && { plain: () => scan('plain', files) }),
      full: () => scan('full', files),
    });
    bare = [...bare, ...results.read.map(({ rss }) => rss)];
    memory[corpusName] = results.full.map(({ rss }) => rss);
    if (results.full[0].lines !== results.parse[0].lines) throw new Error(`${corpusName}: lines are missing`);
    if (files.length > 1 && corpusName !== 's50') {
      const slope = results.parse.map(({ secondHalf }, round) => secondHalf / results.full[round].secondHalf);
      rows.push(
        row(
          'slope',
          `${corpusName}, second half in one process: CPU speed / L`,
          '≥ 0.4',
          spread(slope),
          median(slope) >= 0.4,
        ),
      );
    }
    if (corpusName === 'c200') {
      // What the first pass costs more than the second: compiling, whatever is read.
      const twice = await interleaved(rounds, { twice: () => scan('full', [...files, ...files]) });
      const constant = twice.twice.map(
        ({ cpu, secondHalf }, round) =>
          (cpu - 2 * secondHalf) / results.parse[Math.min(round, results.parse.length - 1)].cpu,
      );
      rows.push(
        row(
          'constant',
          'first pass more than the second, in L of c200',
          '≤ 1',
          spread(constant),
          median(constant) <= 1,
        ),
      );
    }
    const ratio = results.parse.map(({ cpu }, round) => cpu / results.full[round].cpu);
    rows.push(row('whole', `${corpusName} CPU speed / L`, '', spread(ratio), undefined));
    if (corpusName === 's50') {
      const plain = results.plain.map(({ cpu }, round) => cpu / results.full[round].cpu);
      // Parsing alone is not what the goal compares with.
      const limited = !pipeline.endsWith('parse-pipeline.mjs');
      const what = 's50 CPU speed / plain loop with the same pipeline';
      rows.push(row('whole', what, limited ? '≥ 0.7' : '', spread(plain), limited ? median(plain) >= 0.7 : undefined));
    }
  }
  const huge = [hugeLine(LINE_MEGABYTES)];
  const line = await interleaved(rounds, { read: () => scan('read', huge), full: () => scan('full', huge) });
  bare = [...bare, ...line.read.map(({ rss }) => rss)];
  memory[`${LINE_MEGABYTES} MB line`] = line.full.map(({ rss }) => rss);
  const limit = median(bare) + 25;
  for (const [what, values] of Object.entries(memory)) {
    rows.push(
      row(
        'P3',
        `${what}: peak memory`,
        `≤ ${limit.toFixed(0)} MB (bare + 25)`,
        spread(values, ' MB'),
        median(values) <= limit,
      ),
    );
  }
  const flat = [memory.s50, memory.c300, memory[`${LINE_MEGABYTES} MB line`]].filter(Boolean).map(median);
  const factor = Math.max(...flat) / Math.min(...flat);
  rows.push(row('P3', '50 MB, 300 MB, 64 MB line: most / least', '≤ 1.15', factor.toFixed(2), factor <= 1.15));

  const gapsOf = async (files) => (await interleaved(rounds, { gaps: () => scan('gaps', files) })).gaps;
  const c300 = corpus('c300');
  if (c300) {
    const gaps = await gapsOf(c300);
    const p99 = gaps.map((result) => result.p99);
    rows.push(row('P4', 'c300: run without a turn, p99', '≤ 8 ms', spread(p99, ' ms'), median(p99) <= 8));
    const turns = gaps.reduce((sum, result) => sum + result.turns, 0);
    const over = gaps.reduce((sum, result) => sum + result.over16, 0);
    const limit = Math.ceil(turns * 0.002);
    rows.push(row('P4', 'c300: runs over 16 ms', `≤ ${limit} of ${turns} (0.2 %)`, `${over}`, over <= limit));
  }
  const longest = (await gapsOf(huge)).map((result) => result.longest);
  rows.push(
    row('P4', `${LINE_MEGABYTES} MB line: longest run`, '≤ 16 ms', spread(longest, ' ms'), median(longest) <= 16),
  );
  return rows;
}
