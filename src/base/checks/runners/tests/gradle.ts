import { type Complaint, testCounts, distinct, failure, type OutputParser, spot } from '../lines';

const BUILD = /^BUILD (SUCCESSFUL|FAILED)(?: in |$)/;
const TEST = /^(\S.*\S) FAILED$/;
const TOTALS = /^(\d{1,9}) tests? completed(?:, (\d{1,9}) failed)?(?:, (\d{1,9}) skipped)?/;
const KOTLIN = /^e: (?:file:\/\/)?(\S+\.kts?):(?:(\d{1,7}):(\d{1,7})|\s*\((\d{1,7}), (\d{1,7})\):) ?(.+)$/;
const JAVAC = /^(\S+\.(?:java|groovy|scala)):(\d{1,7}): error: (.+)$/;
const TASK = /^Execution failed for task '(\S+)'\.$/;

/** Parses the output of Gradle: its tests, the Java and Kotlin compilers, and the task that failed where neither reports anything. */
export const parseGradle: OutputParser = (lines) => {
  const build = lines.findLast((line) => BUILD.test(line));
  const totals = TOTALS.exec(lines.findLast((line) => TOTALS.test(line)) ?? '');
  if (build === undefined && !totals) return null;
  const found = lines.flatMap((line, index) => complaintAt(lines, line, index) ?? []);
  const failures = found.length > 0 ? found : lines.flatMap((line, index) => taskAt(lines, line, index) ?? []);
  const failed = Number(totals?.[2] ?? 0);
  return {
    runner: 'gradle',
    failures: distinct(failures),
    ...testCounts({
      failed: totals ? failed : build?.startsWith('BUILD SUCCESSFUL') === true ? 0 : undefined,
      passed: totals ? Math.max(0, Number(totals[1]) - failed - Number(totals[3] ?? 0)) : undefined,
      skipped: totals?.[3] === undefined ? undefined : Number(totals[3]),
    }),
  };
};

function complaintAt(lines: readonly string[], line: string, index: number): Complaint | undefined {
  const test = TEST.exec(line)?.[1];
  if (test?.includes(' > ')) {
    const details = lines.slice(index + 1, index + 12).map((one) => one.trim());
    const message = details.find((one) => one !== '') ?? '';
    const place = / at ([\w$]+\.\w+):(\d+)$/.exec(message) ?? first(details, /\(([\w$]+Test\w*\.\w+):(\d+)\)/);
    return failure(message.replace(/ at [\w$]+\.\w+:\d+$/, ''), spot(place?.[1], place?.[2]), test);
  }
  const kotlin = KOTLIN.exec(line);
  if (kotlin) return failure(kotlin[6] ?? '', spot(kotlin[1], kotlin[2] ?? kotlin[4], kotlin[3] ?? kotlin[5]));
  const java = JAVAC.exec(line);
  return java ? failure(java[3] ?? '', spot(java[1], java[2])) : undefined;
}

function first(lines: readonly string[], pattern: RegExp): RegExpExecArray | undefined {
  for (const line of lines) {
    const found = pattern.exec(line);
    if (found) return found;
  }
  return undefined;
}

function taskAt(lines: readonly string[], line: string, index: number): Complaint | undefined {
  const task = TASK.exec(line)?.[1];
  return task === undefined ? undefined : failure((lines[index + 1] ?? '').replace(/^> /, ''), undefined, task);
}
