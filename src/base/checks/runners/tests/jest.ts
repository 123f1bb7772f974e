import {
  blocks,
  countIn,
  testCounts,
  distinct,
  failure,
  firstWords,
  type OutputParser,
  type Spot,
  stackSpot,
} from '../lines';

const TITLE = /^ {2}● (.+)$/;
const NO_TEST = /^(?:Console|Deprecation Warning|Validation (?:Warning|Error):?)$/;
const FILE = /^(?:FAIL|PASS)\s+(\S+)/;

/** Parses the output of Jest. */
export const parseJest: OutputParser = (lines) => {
  const summary = lines.findLast((line) => /^Tests:\s+\d.* total$/.test(line));
  if (summary === undefined && !lines.some((line) => line.startsWith('Test Suites: '))) return null;
  const files: string[] = [];
  let file = '';
  const found = blocks(
    lines,
    (line) => {
      file = FILE.exec(line)?.[1] ?? file;
      const title = TITLE.exec(line)?.[1]?.trim() ?? null;
      if (title !== null) files.push(file);
      return title;
    },
    (line) => FILE.test(line) || /^(?:Test Suites|Summary of all failing tests)/.test(line),
  );
  const failures = found.flatMap(({ title, body }, index) => {
    if (NO_TEST.test(title)) return [];
    const suite = title === 'Test suite failed to run';
    const broken = suite ? brokenSuite(body) : undefined;
    const where = broken?.where ?? stackSpot(body);
    const message = broken?.message ?? valuesOf(body) ?? firstWords(body);
    const of = files[index] ?? '';
    return [failure(message, where, suite ? of : title.replaceAll(' › ', ' > '), of)];
  });
  return {
    runner: 'jest',
    failures: distinct(failures),
    ...testCounts({
      failed: countIn(summary ?? '', 'failed'),
      passed: countIn(summary ?? '', 'passed'),
      skipped: countIn(summary ?? '', 'skipped'),
    }),
  };
};

/** Reads the place from the message of a file that could not be parsed: `SyntaxError: /a/b.js: Unexpected token (1:40)`. */
function brokenSuite(body: readonly string[]): { message: string; where?: Spot } | undefined {
  for (const line of body) {
    const found = /^\s*(SyntaxError: )(\S+\.\w{1,5}): (.*) \((\d+):(\d+)\)$/.exec(line);
    if (!found) continue;
    const [, kind, file, words, at, column] = found;
    return { message: `${kind}${words}`, where: { file: file ?? '', line: Number(at), column: Number(column) + 1 } };
  }
  return undefined;
}

/** Reads the two values, which say more than `expect(received).toBe(expected)`. */
function valuesOf(body: readonly string[]): string | undefined {
  const line = (name: string) => body.find((one) => new RegExp(`^\\s*${name}: `).test(one))?.trim();
  const [expected, received] = [line('Expected'), line('Received')];
  return expected !== undefined && received !== undefined ? `${expected}, ${received.toLowerCase()}` : undefined;
}
