import { type Complaint, testCounts, distinct, failure, firstWords, type OutputParser, stackSpot } from '../lines';

const RAN = /^Ran \d{1,9} tests? across \d{1,9} files?\./;
const COUNT = /^ {0,2}(\d{1,9}) (pass|fail|skip)$/;
const FILE = /^(\S+\.[cm]?[jt]sx?):$/;
const VERDICT = /^(✓|✗|»|✎|\((?:pass|fail|skip|todo)\)) (.+?)(?: \[[\d.]+ ?[mµn]?s\])?$/;

/** Parses the output of `bun test`. The message is above the line that names the test. */
export const parseBun: OutputParser = (lines) => {
  const said = new Map<string, number>();
  for (const line of lines) {
    const found = COUNT.exec(line);
    if (found?.[2]) said.set(found[2], Number(found[1]));
  }
  if (!lines.some((line) => RAN.test(line)) && !(said.has('pass') && said.has('fail'))) return null;
  const failures: Complaint[] = [];
  const seen = new Set<string>();
  let file = '';
  let above: string[] = [];
  let loose = false;
  for (const line of lines) {
    const verdict = VERDICT.exec(line);
    const opens = FILE.exec(line)?.[1];
    if (opens !== undefined) file = opens;
    if (line === '# Unhandled error between tests') loose = true;
    else if (loose && /^(?:error|[A-Z]\w*Error): /.test(line)) {
      failures.push(failure(line.replace(/^error: /, ''), undefined, file === '' ? 'between tests' : file));
      loose = false;
    }
    if (verdict === null && opens === undefined) {
      if (above.length < 400) above.push(line);
      continue;
    }
    const test = verdict?.[2] ?? '';
    // the list at the end names each failing test again, without its message
    if ((verdict?.[1] === '✗' || verdict?.[1] === '(fail)') && !seen.has(test)) {
      seen.add(test);
      failures.push(failure(messageIn(above), stackSpot(above), test, file));
    }
    above = [];
  }
  return {
    runner: 'bun test',
    failures: distinct(failures),
    ...testCounts({ failed: said.get('fail') ?? 0, passed: said.get('pass'), skipped: said.get('skip') }),
  };
};

function messageIn(body: readonly string[]): string {
  const start = body.findLastIndex((line) => /^(?:error|[A-Z]\w*Error): /.test(line));
  const details = start < 0 ? [] : body.slice(start);
  const value = (name: string) => details.find((line) => line.startsWith(`${name}: `))?.trim();
  const [expected, received] = [value('Expected'), value('Received')];
  if (expected !== undefined && received !== undefined) return `${expected}, ${received.toLowerCase()}`;
  return firstWords(details).replace(/^error: /, '');
}
