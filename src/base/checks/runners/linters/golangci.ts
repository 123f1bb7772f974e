import { distinct, failure, type OutputParser, spot } from '../lines';

const ISSUE = /^(\S[^:]*\.go):(\d{1,7})(?::(\d{1,7}))?: (\S.* \([a-z][\w,-]*\))$/;
const SAYS = /^(\d{1,9}) issues?(?::|\.)$/;

/** Parses the output of golangci-lint. */
export const parseGolangci: OutputParser = (lines) => {
  const says = SAYS.exec(lines.findLast((line) => SAYS.test(line)) ?? '');
  const failures = lines.flatMap((line) => {
    const found = ISSUE.exec(line);
    return found ? [failure(found[4] ?? '', spot(found[1], found[2], found[3]))] : [];
  });
  if (!says && failures.length === 0) return null;
  return { runner: 'golangci-lint', failures: distinct(failures), ...(says && { failed: Number(says[1]) }) };
};
