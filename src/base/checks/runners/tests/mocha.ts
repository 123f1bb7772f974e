import { testCounts, distinct, failure, firstWords, type OutputParser, stackSpot } from '../lines';

const FAILING = /^ {2}(\d{1,9}) failing$/;
const TITLE = /^ {2}(\d{1,6})\) (.*)$/;

/** Parses the output of Mocha's `spec` reporter and its relatives. */
export const parseMocha: OutputParser = (lines) => {
  const start = lines.findIndex((line) => FAILING.test(line));
  const passing = lines.map((line) => /^ {2}(\d{1,9}) passing \(/.exec(line)).find((found) => found !== null);
  if (start < 0 && !passing) return null;
  const failures = start < 0 ? [] : failuresIn(lines.slice(start + 1));
  const pending = lines.map((line) => /^ {2}(\d{1,9}) pending$/.exec(line)).find((found) => found !== null);
  return {
    runner: 'mocha',
    failures: distinct(failures),
    ...testCounts({
      failed: start < 0 ? 0 : Number(FAILING.exec(lines[start] ?? '')?.[1]),
      passed: passing ? Number(passing[1]) : undefined,
      skipped: pending ? Number(pending[1]) : undefined,
    }),
  };
};

function failuresIn(lines: readonly string[]) {
  const starts = lines.flatMap((line, index) => (TITLE.test(line) ? [index] : []));
  return starts.map((start, number) => {
    const block = lines.slice(start, Math.min(starts[number + 1] ?? lines.length, start + 400));
    const names = [TITLE.exec(block[0] ?? '')?.[2] ?? ''];
    let at = 1;
    // the name continues, one group per line, until a colon ends it
    while (at < block.length && at < 20 && !names.at(-1)?.endsWith(':')) {
      const line = block[at++]?.trim() ?? '';
      if (line === '') break;
      names.push(line);
    }
    const body = block.slice(at);
    return failure(firstWords(body), stackSpot(body), names.map((name) => name.replace(/:$/, '')).join(' > '));
  });
}
