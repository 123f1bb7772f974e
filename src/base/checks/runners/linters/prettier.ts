import { distinct, failure, type OutputParser, spot } from '../lines';

const FILE = /^\[(?:warn|error)\] (\S+\.\w{1,8})(?:: (.+))?$/;
const STYLE = /^\[warn\] Code style issues/;
const RUSTFMT = /^Diff in (\S+?)(?: at line |:)(\d{1,7}):?$/;
const BLACK = /^would reformat (\S.*)$/;
const BLACK_SAYS = /^\d{1,9} files? would be reformatted/;

/** Parses the output of formatters that only check: `prettier --check`, `black --check`, `cargo fmt --check`. */
export const parseFormat: OutputParser = (lines) => {
  const [prettier, black] = [lines.some((line) => STYLE.test(line)), lines.some((line) => BLACK_SAYS.test(line))];
  const broken = lines.some((line) => /^\[error\] \S+\.\w{1,8}: /.test(line));
  const rustfmt = lines.some((line) => RUSTFMT.test(line));
  if (!prettier && !black && !broken && !rustfmt) return null;
  const failures = lines.flatMap((line) => {
    const found = FILE.exec(line) ?? BLACK.exec(line);
    const diff = RUSTFMT.exec(line);
    if (diff) return [failure('is not formatted', spot(diff[1], diff[2]))];
    return found ? [failure(found[2] ?? 'is not formatted', { file: found[1] ?? '', line: 1 })] : [];
  });
  return {
    runner: black ? 'black' : rustfmt ? 'rustfmt' : 'prettier',
    failures: distinct(failures),
    failed: Math.max(1, failures.length),
  };
};
