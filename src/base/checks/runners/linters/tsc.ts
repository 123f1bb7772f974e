import { distinct, failure, type OutputParser, spot } from '../lines';

const PLAIN = /^(\S[^()\n]*)\((\d+),(\d+)\): error (TS\d+: .+)$/;
const PRETTY = /^(\S.*?):(\d+):(\d+) - error (TS\d+: .+)$/;
const GLOBAL = /^error (TS\d+: .+)$/;

/** Parses the output of the TypeScript compiler. */
export const parseTsc: OutputParser = (lines) => {
  const failures = lines.flatMap((line) => {
    if (!line.includes('error TS')) return [];
    const found = PLAIN.exec(line) ?? PRETTY.exec(line);
    if (found) return [failure(found[4] ?? '', spot(found[1], found[2], found[3]))];
    const global = GLOBAL.exec(line);
    return global ? [failure(global[1] ?? '', undefined)] : [];
  });
  return failures.length === 0 ? null : { runner: 'tsc', failures: distinct(failures) };
};
