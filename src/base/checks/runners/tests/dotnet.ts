import { blocks, testCounts, distinct, failure, firstWords, type OutputParser, spot } from '../lines';

const SUMMARY = /^(?:Passed|Failed)! +- Failed: +(\d{1,9}), Passed: +(\d{1,9}), Skipped: +(\d{1,9}), Total: /;
const TITLE = /^ {2}Failed (\S.*?) \[[<\d][^\]]{0,30}\]$/;
const COMPILER = /^\s*(\S[^()]*)\((\d{1,7}),(\d{1,7})\): error ([A-Z]{2,8}\d{1,6}: .+?)(?: \[[^\]]+\])?$/;
const BUILT = /^\s+(\d{1,9}) Error\(s\)$/;

/** Parses the output of `dotnet test` and `dotnet build`. */
export const parseDotnet: OutputParser = (lines) => {
  const runs = lines.flatMap((line) => {
    const found = SUMMARY.exec(line);
    return found ? [found] : [];
  });
  const complaints = lines.flatMap((line) => {
    const found = COMPILER.exec(line);
    return found && !found[4]?.startsWith('TS') ? [failure(found[4] ?? '', spot(found[1], found[2], found[3]))] : [];
  });
  const built = BUILT.exec(lines.findLast((line) => BUILT.test(line)) ?? '')?.[1];
  if (runs.length === 0 && complaints.length === 0 && built === undefined) return null;
  const tests = blocks(
    lines,
    (line) => TITLE.exec(line)?.[1] ?? null,
    (line) => /^ {2}(?:Passed|Skipped) |^(?:Passed|Failed)! /.test(line),
  ).map(({ title, body }) => {
    const end = body.findIndex((line) => /^ {2}(?:Stack Trace|Standard Output Messages):/.test(line));
    const details = body.slice(0, end < 0 ? undefined : end).filter((line) => !/^ {2}Error Message:/.test(line));
    const values = details.filter((line) => /^\s*(?:Expected|Actual|But was):/.test(line)).map((line) => line.trim());
    const place = body.map((line) => / in (\S+\.\w+):line (\d+)$/.exec(line)).find((found) => found !== null);
    return failure([firstWords(details), ...values].join(', '), spot(place?.[1], place?.[2]), title);
  });
  const sum = (group: number): number => runs.reduce((all, found) => all + Number(found[group]), 0);
  return {
    runner: 'dotnet',
    failures: distinct([...complaints, ...tests]),
    ...testCounts(
      runs.length > 0
        ? { failed: sum(1), passed: sum(2), skipped: sum(3) }
        : { failed: built === undefined ? undefined : Number(built) },
    ),
  };
};
