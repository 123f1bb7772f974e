import { blocks, countIn, testCounts, distinct, failure, firstWords, type OutputParser, stackSpot } from '../lines';

const TITLE = /^\s*FAIL\s+(?:\|[^|]*\|\s+)?(\S.*)$/;
const SUMMARY = /^\s*Tests\s+(?=\d|no tests)/;

/** Parses the output of Vitest. */
export const parseVitest: OutputParser = (lines) => {
  if (!lines.some((line) => /^\s*Test Files\s+\d/.test(line) || /^\s*RUN\s+v\d/.test(line))) return null;
  const summary = lines.findLast((line) => SUMMARY.test(line)) ?? '';
  const found = blocks(
    lines,
    (line) => TITLE.exec(line)?.[1] ?? null,
    (line) => /^\s*⎯{4,}/.test(line) || /^\s*Test Files\s+\d/.test(line),
  );
  const failures = found.map(({ title, body }, index) => {
    // tests that failed in the same way are listed above one shared message
    const details = body.some((line) => line.trim() !== '')
      ? body
      : (found.slice(index).find((one) => one.body.some((line) => line.trim() !== ''))?.body ?? []);
    const names = title.split(' > ');
    const file = nameOnce(names[0] ?? '');
    const where = stackSpot(details);
    const test = names.slice(1).join(' > ');
    return failure(firstWords(details), where, test === '' ? file : test, file);
  });
  return {
    runner: 'vitest',
    failures: distinct(failures),
    ...testCounts({
      failed: countIn(summary, 'failed'),
      passed: countIn(summary, 'passed'),
      skipped: countIn(summary, 'skipped'),
    }),
  };
};

/** Returns the name once for a file in which no test could run, which is named twice: `broken.test.ts [ broken.test.ts ]`. */
function nameOnce(name: string): string {
  const at = name.endsWith(' ]') ? name.indexOf(' [ ') : -1;
  return at < 0 ? name : name.slice(0, at);
}
