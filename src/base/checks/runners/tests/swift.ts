import { testCounts, distinct, failure, type OutputParser, spot } from '../lines';

const XCTEST = /^\s*Executed (\d{1,9}) tests?, with (?:\d{1,9} tests? skipped and )?(\d{1,9}) failures? /;
const ASSERTION = /^(\S[^:]*\.swift):(\d{1,7}): error: (?:-\[)?([\w.]+[ .]\w+)\]? : (.+)$/;
const TESTING = /^\W*Test run with (\d{1,9}) tests?.* (passed|failed) after /;
const ISSUE = /^\W*Test (.+?) recorded an issue(?: with .*)? at (\S+?):(\d{1,7}):(\d{1,7}): (.+)$/;

/** Parses the output of `swift test`: XCTest and Swift Testing. */
export const parseSwift: OutputParser = (lines) => {
  const xctest = XCTEST.exec(lines.findLast((line) => XCTEST.test(line)) ?? '');
  const testing = TESTING.exec(lines.findLast((line) => TESTING.test(line)) ?? '');
  if (!xctest && !testing) return null;
  const failures = lines.flatMap((line) => {
    const assertion = ASSERTION.exec(line);
    if (assertion) return [failure(assertion[4] ?? '', spot(assertion[1], assertion[2]), assertion[3])];
    const issue = ISSUE.exec(line);
    return issue ? [failure(issue[5] ?? '', spot(issue[2], issue[3], issue[4]), issue[1])] : [];
  });
  const issues = new Set(failures.map((one) => one.test)).size;
  const failed = Number(xctest?.[2] ?? 0) + (testing?.[2] === 'failed' ? Math.max(1, issues) : 0);
  const ran = Number(xctest?.[1] ?? 0) + Number(testing?.[1] ?? 0);
  return {
    runner: 'swift test',
    failures: distinct(failures),
    ...testCounts({ failed, passed: Math.max(0, ran - failed) }),
  };
};
