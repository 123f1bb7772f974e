import { distinct, failure, type OutputParser, spot } from '../lines';

const MYPY = /^(\S[^:]*\.pyi?):(\d{1,7}): (?:\d{1,7}: )?error: (.+)$/;
const MYPY_COLUMN = /^(\S[^:]*\.pyi?):(\d{1,7}):(\d{1,7}): error: (.+)$/;
const MYPY_SAYS = /^(?:Found (\d{1,9}) errors? in \d{1,9} files?|Success: no issues found in )/;
const PYRIGHT = /^\s*(\S[^:]*\.pyi?):(\d{1,7}):(\d{1,7}) - error: (.+)$/;
const PYRIGHT_SAYS = /^(\d{1,9}) errors?, \d{1,9} warnings?(?:, \d{1,9} (?:informations?|notes?))? ?$/;

/** Parses the output of mypy. */
export const parseMypy: OutputParser = (lines) => {
  const says = MYPY_SAYS.exec(lines.findLast((line) => MYPY_SAYS.test(line)) ?? '');
  if (!says) return null;
  const failures = lines.flatMap((line) => {
    const column = MYPY_COLUMN.exec(line);
    if (column) return [failure(column[4] ?? '', spot(column[1], column[2], column[3]))];
    const found = MYPY.exec(line);
    return found ? [failure(found[3] ?? '', spot(found[1], found[2]))] : [];
  });
  return { runner: 'mypy', failures: distinct(failures), failed: Number(says[1] ?? 0) };
};

/** Parses the output of Pyright and its relatives. */
export const parsePyright: OutputParser = (lines) => {
  const says = PYRIGHT_SAYS.exec(lines.findLast((line) => PYRIGHT_SAYS.test(line)) ?? '');
  if (!says) return null;
  const failures = lines.flatMap((line) => {
    const found = PYRIGHT.exec(line);
    return found ? [failure(found[4] ?? '', spot(found[1], found[2], found[3]))] : [];
  });
  return { runner: 'pyright', failures: distinct(failures), failed: Number(says[1]) };
};
