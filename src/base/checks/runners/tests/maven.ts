import { type Complaint, testCounts, distinct, failure, type OutputParser, spot } from '../lines';

const RUN =
  /^(?:\[\w+\] +)?Tests run: (\d{1,9}), +Failures: (\d{1,9}), +Errors: (\d{1,9}), +Skipped: (\d{1,9})(?:$|(, Time elapsed))/;
/** `[ERROR] com.x.CalcTest.testAdd -- Time elapsed: 0.01 s <<< FAILURE!`, or before Surefire 3 `testAdd(com.x.CalcTest)  Time elapsed: …`. */
const TEST = /^(?:\[ERROR\] +)?(\S+)(?: --|  )? *Time elapsed: [\d.,]+ s(?:ec)? +<<< (?:FAILURE|ERROR)!/;
/** The list at the end: `[ERROR]   CalcTest.testAdd:12 expected: <4> but was: <0>`. */
const LISTED = /^\[ERROR\] {2,4}([\w$.]+\.[\w$]+(?:\[[^\]]{1,100}\])?):(\d{1,7}) (\S.*)$/;
const COMPILER = /^\[ERROR\] (\S[^:[\]]*\.(?:java|kt|scala|groovy)):\[(\d{1,7}),(\d{1,7})\] (.+)$/;
const BUILD = /^(?:\[\w+\] +)?BUILD (SUCCESS|FAILURE)$/;

/** Parses the output of Maven with Surefire: JUnit, TestNG, and the compiler before them. */
export const parseMaven: OutputParser = (lines) => {
  const runs = lines.flatMap((line) => {
    const found = RUN.exec(line);
    return found ? [found] : [];
  });
  const build = lines.findLast((line) => BUILD.test(line));
  const complaints = lines.flatMap((line) => {
    const found = COMPILER.exec(line);
    return found ? [failure(found[4] ?? '', spot(found[1], found[2], found[3]))] : [];
  });
  if (runs.length === 0 && build === undefined && complaints.length === 0) return null;
  // the totals of a module have no time, each class has its own
  const sums = runs.filter((found) => found[5] === undefined);
  const counted = sums.length > 0 ? sums : runs;
  const sum = (group: number): number => counted.reduce((all, found) => all + Number(found[group]), 0);
  const failed = sum(2) + sum(3);
  const sections = testsIn(lines);
  const listed = sections.length > 0 ? [] : lines.flatMap((line) => listedIn(line) ?? []);
  const tests = sections.length > 0 ? sections : listed;
  const totals =
    runs.length > 0 && (failed > 0 || complaints.length === 0)
      ? testCounts({ failed, passed: Math.max(0, sum(1) - failed - sum(4)), skipped: sum(4) })
      : build?.endsWith('SUCCESS') === true
        ? { failed: 0 }
        : {};
  return { runner: 'maven', failures: distinct([...complaints, ...tests]), ...totals };
};

function testsIn(lines: readonly string[]): Complaint[] {
  return lines.flatMap((line, index) => {
    const name = TEST.exec(line)?.[1];
    if (name === undefined || name.startsWith('Tests')) return [];
    const old = /^([\w$]+(?:\[[^\]]{1,100}\])?)\(([\w.$]+)\)$/.exec(name);
    const test = old ? `${old[2]}.${old[1]}` : name;
    const frame = lines.slice(index + 1, index + 40).find((one) => /^\s+at \S+Test\w*[.$]/.test(one));
    const place = /\(([\w$]+\.\w+):(\d+)\)/.exec(frame ?? '');
    return [failure(lines[index + 1] ?? '', spot(place?.[1], place?.[2]), test)];
  });
}

function listedIn(line: string): Complaint | undefined {
  const found = LISTED.exec(line);
  return found ? failure((found[3] ?? '').replace(/^» /, ''), undefined, found[1]) : undefined;
}
