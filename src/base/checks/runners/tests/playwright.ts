import { blocks, testCounts, distinct, failure, firstWords, type OutputParser, spot } from '../lines';

const TITLE = /^ {2}\d{1,6}\) ((?:\[[^\]]+\] › )?(\S+?):(\d{1,7}):(\d{1,7}) › (?:.*[^ ─])?)[ ─]*$/;
const COUNT = /^ {2}(\d{1,9}) (failed|passed|flaky|skipped|did not run)(?: \([\d.]+m?s\))?$/;

/** Parses the output of Playwright's test runner. */
export const parsePlaywright: OutputParser = (lines) => {
  const said = new Map<string, number>();
  for (const line of lines) {
    const found = COUNT.exec(line);
    if (found?.[2]) said.set(found[2], Number(found[1]));
  }
  if (!said.has('failed') && !said.has('passed')) return null;
  const found = blocks(
    lines,
    (line) => (TITLE.test(line) ? line : null),
    (line) => COUNT.test(line),
  );
  const failures = found.map(({ title, body }) => {
    const [, test = '', file, line, column] = TITLE.exec(title) ?? [];
    const name = test.replace(/:\d+:\d+ › /, ' › ').replaceAll(' › ', ' > ');
    return failure(firstWords(body), spot(file, line, column), name);
  });
  return {
    runner: 'playwright',
    failures: distinct(failures),
    ...testCounts({ failed: said.get('failed') ?? 0, passed: said.get('passed'), skipped: said.get('skipped') }),
  };
};
