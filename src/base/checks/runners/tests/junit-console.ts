import { blocks, testCounts, distinct, failure, type OutputParser } from '../lines';

const COUNT = /^\[\s+(\d{1,9}) tests (successful|failed|skipped)\s+\]$/;
const TITLE = /^ {2}(\S[^:]*:.*\S)$/;

/** Parses the output of the JUnit 5 console launcher. */
export const parseJunitConsole: OutputParser = (lines) => {
  const said = new Map<string, number>();
  for (const line of lines) {
    const found = COUNT.exec(line);
    if (found?.[2]) said.set(found[2], Number(found[1]));
  }
  if (!said.has('failed')) return null;
  const start = lines.findIndex((line) => /^Failures \(\d{1,9}\):$/.test(line));
  const found = blocks(
    start < 0 ? [] : lines.slice(start + 1),
    (line) => TITLE.exec(line)?.[1] ?? null,
    (line) => line.startsWith('Test run finished '),
  );
  const failures = found.flatMap(({ title, body }) => {
    const message = body.find((line) => /^\s*=> /.test(line));
    return message === undefined ? [] : [failure(message.replace(/^\s*=> /, ''), undefined, title)];
  });
  return {
    runner: 'junit',
    failures: distinct(failures),
    ...testCounts({ failed: said.get('failed'), passed: said.get('successful'), skipped: said.get('skipped') }),
  };
};
