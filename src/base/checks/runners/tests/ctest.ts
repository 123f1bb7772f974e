import { testCounts, distinct, failure, type OutputParser } from '../lines';

const SUMMARY = /^(\d{1,3})% tests passed, (\d{1,9}) tests? failed out of (\d{1,9})$/;
const LISTED = /^\s+\d{1,6} - (\S+) \(([^()]+)\)/;

/** Parses the output of CTest. */
export const parseCtest: OutputParser = (lines) => {
  const said = SUMMARY.exec(lines.findLast((line) => SUMMARY.test(line)) ?? '');
  if (!said) return null;
  const start = lines.findIndex((line) => line.startsWith('The following tests FAILED:'));
  const failures = (start < 0 ? [] : lines.slice(start + 1)).flatMap((line) => {
    const found = LISTED.exec(line);
    return found ? [failure(found[2] ?? '', undefined, found[1])] : [];
  });
  const failed = Number(said[2]);
  return {
    runner: 'ctest',
    failures: distinct(failures),
    ...testCounts({ failed, passed: Math.max(0, Number(said[3]) - failed) }),
  };
};
