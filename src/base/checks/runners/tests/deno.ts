import { blocks, countIn, testCounts, distinct, failure, firstWords, type OutputParser, spot } from '../lines';

const SUMMARY = /^(?:ok|FAILED) \| \d{1,9} passed/;
const TITLE = /^(\S.*) => (\S+?):(\d{1,7}):(\d{1,7})$/;

/** Parses the output of `deno test`. */
export const parseDeno: OutputParser = (lines) => {
  const summary = lines.findLast((line) => SUMMARY.test(line));
  if (summary === undefined) return null;
  const found = blocks(
    lines,
    (line) => (TITLE.test(line) ? line : null),
    (line) => /^ ?(?:ERRORS|FAILURES) ?$/.test(line) || SUMMARY.test(line),
  );
  const failures = found.flatMap(({ title, body }) => {
    const [, test = '', file = '', line, column] = TITLE.exec(title) ?? [];
    const message = firstWords(body).replace(/^error: /, '');
    // the list at the end names each failing test again, without its message
    return message === '' ? [] : [failure(message, spot(file, line, column), test, file)];
  });
  return {
    runner: 'deno test',
    failures: distinct(failures),
    ...testCounts({
      failed: countIn(summary, 'failed') ?? 0,
      passed: countIn(summary, 'passed'),
      skipped: countIn(summary, 'ignored'),
    }),
  };
};
