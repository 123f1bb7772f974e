// Memory, the longest work at a huge line, and whole corpora against the bare loop in the same series.
import { corpus, hugeLine } from './support/corpus.mjs';
import { child, interleaved, median, row, skipped, spread } from './support/measure.mjs';

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
      rows.push(skipped('whole', `corpus ${corpusName} is absent and cannot be made`));
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
    const ratio = results.parse.map(({ cpu }, round) => cpu / results.full[round].cpu);
    rows.push(row('whole', `${corpusName} CPU speed / L`, '', spread(ratio), undefined));
    if (corpusName === 's50') {
      const plain = results.plain.map(({ cpu }, round) => cpu / results.full[round].cpu);
      // Parsing alone is not what the goal is about.
      const limited = !pipeline.endsWith('parse-pipeline.mjs');
      const what = 's50 CPU speed / plain loop with the same pipeline';
      rows.push(row('whole', what, limited ? '≥ 0.7' : '', spread(plain), limited ? median(plain) >= 0.7 : undefined));
    }
  }
  const huge = [hugeLine(LINE_MEGABYTES)];
  const line = await interleaved(rounds, { read: () => scan('read', huge), full: () => scan('full', huge) });
  bare = [...bare, ...line.read.map(({ rss }) => rss)];
  memory[`${LINE_MEGABYTES} MB line`] = line.full.map(({ rss }) => rss);
  memory['nothing but bytes'] = bare;
  for (const [what, values] of Object.entries(memory))
    rows.push(row('memory', `${what}: peak memory`, '', spread(values, ' MB'), undefined));

  const { gaps } = await interleaved(rounds, { gaps: () => scan('gaps', huge) });
  const longest = gaps.map((result) => result.longest);
  rows.push(
    row('reading', `${LINE_MEGABYTES} MB line: longest run`, '≤ 16 ms', spread(longest, ' ms'), median(longest) <= 16),
  );
  return rows;
}
