import { blocks, testCounts, distinct, failure, firstWords, type OutputParser } from '../lines';

const PLAN = /^1\.\.(\d{1,9})(?: .*)?$/;
const OK = /^ok \d/;
const NOT_OK = /^not ok \d{1,9}(?: -)? ?(.*)$/;
const NO_FAILURE = / # (?:TODO|SKIP)\b/i;

/** Parses the Test Anything Protocol of bats, prove, ava, tape and others. Node.js has its own dialect (node-test.ts). */
export const parseTap: OutputParser = (lines) => {
  if (!lines.some((line) => PLAN.test(line)) || lines.some((line) => /^# tests \d+$/.test(line) && isNode(lines))) {
    return null;
  }
  const found = blocks(
    lines,
    (line) => (NO_FAILURE.test(line) ? null : (NOT_OK.exec(line)?.[1] ?? null)),
    (line) => OK.test(line) || PLAN.test(line),
  );
  const passed = lines.filter((line) => OK.test(line)).length;
  if (found.length === 0 && passed === 0) return null;
  return {
    runner: 'tap',
    failures: distinct(
      found.map(({ title, body }) =>
        failure(firstWords(body.map(comment)).replace(/^message: /, ''), undefined, title),
      ),
    ),
    ...testCounts({ failed: found.length, passed }),
  };
};

function isNode(lines: readonly string[]): boolean {
  return lines.some((line) => line.startsWith('# duration_ms '));
}

function comment(line: string): string {
  return line.replace(/^\s*(?:# ?|---$)/, '');
}
