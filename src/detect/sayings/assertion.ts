/**
 * Matches lines in which a failing check prints the values it compared: `assert -6 == 6`, `Expected: 6, received: 0`. Each edit changes these numbers
 * while the same test fails for the same reason, so a failing check is compared without them. Counts of tests are kept: they are progress.
 */
const ASSERTION_LINE =
  /^(?:E {2,}|FAILED |[^\S\r\n\u2028\u2029]*(?:assert\b|AssertionError|expected\b|received\b|actual\b|Expected\b|Received\b|Actual\b|left:|right:|[-+] (?:Expected|Received|actual|expected)\b|got:?\s|want:?\s)).*$/gm;
/** A number that is not part of a version or a name. Its characters are matched all or none, so that a long one is not backtracked digit by digit. */
const NUMBER = /(?<![\w.])(?=(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?))\1(?![\w.]*\.\w)/g;

/** Prefix of a failed test in pytest's summary; the name itself may hold numbers that distinguish tests. */
const SUMMARY = /^FAILED .*? - /;

/** Returns the character ranges [start, end) of compared numbers in the output of a failing check, ascending. */
export function comparedNumbers(output: string): (readonly [number, number])[] {
  const ranges: (readonly [number, number])[] = [];
  for (const line of output.matchAll(ASSERTION_LINE)) {
    const name = line[0].startsWith('FAILED ') ? (SUMMARY.exec(line[0])?.[0].length ?? line[0].length) : 0;
    for (const found of line[0].matchAll(NUMBER)) {
      if (found.index < name) continue;
      const start = line.index + found.index;
      ranges.push([start, start + found[0].length]);
    }
  }
  return ranges;
}
