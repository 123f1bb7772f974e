import { blocks, type Complaint, countIn, testCounts, distinct, failure, type OutputParser, spot } from '../lines';

const SUMMARY =
  /^(?:=+ )?(?:no tests ran|(?:\d+ (?:failed|passed|skipped|errors?|deselected|xfailed|xpassed|warnings?|subtests passed)(?:, )?)+) in [\d.]+s(?: \([\d:]+\))?(?: =+)?$/;
const TITLE = /^_{3,} (.+?) _{3,}$/;
const SHORT = /^(FAILED|ERROR) ([^\s:]+(?:::\S.*?)?)(?: - (.*))?$/;

/** Parses the output of pytest, with any style of traceback. */
export const parsePytest: OutputParser = (lines) => {
  const summary = lines.findLast((line) => SUMMARY.test(line.trim()));
  const isIt =
    summary !== undefined || lines.some((line) => /^=+ (?:FAILURES|ERRORS|short test summary info) =+$/.test(line));
  if (!isIt) return null;
  const found = blocks(
    lines,
    (line) => TITLE.exec(line)?.[1] ?? null,
    (line) => /^(?:=|!){5,}/.test(line) || /^-{3,} Captured /.test(line),
  );
  const shorts = lines.flatMap((line) => {
    const short = SHORT.exec(line);
    return short ? [short] : [];
  });
  const listed = shorts.map(fromShort);
  const sections = found.map(section).map((one) => ({ ...one, ...suiteOf(one, listed) }));
  const detailed = new Set(sections.map((one) => one.test));
  // where the middle of a long output was cut, the list at the end still names every test
  const failures = [...sections, ...listed.filter((one) => !detailed.has(one.test))];
  const count = summary ?? '';
  const failed = countIn(count, 'failed');
  const errors = countIn(count, 'errors?');
  return {
    runner: 'pytest',
    failures: distinct(failures),
    ...testCounts({
      failed:
        failed === undefined && errors === undefined
          ? summary === undefined
            ? undefined
            : 0
          : (failed ?? 0) + (errors ?? 0),
      passed: countIn(count, 'passed'),
      skipped: countIn(count, 'skipped'),
    }),
  };
};

function section({ title, body }: { title: string; body: readonly string[] }) {
  const error = body.find((line) => /^E\s+\S/.test(line))?.replace(/^E\s+/, '');
  const places = body.flatMap((line) => {
    const at = /^(\S[^:\n]*\.pyx?):(\d+): /.exec(line);
    const place = at ? spot(at[1], at[2]) : undefined;
    return place ? [place] : [];
  });
  // frames of the library are absolute, those of the project relative
  const where = places.findLast((place) => !/^(?:[A-Za-z]:)?[\\/]/.test(place.file)) ?? places.at(-1);
  return failure(
    error ?? body.find((line) => line.trim() !== '') ?? '',
    where,
    title.replace(/^ERROR (?:at (?:setup|teardown) of|collecting) /, ''),
  );
}

function fromShort([, kind, id, message]: RegExpExecArray): Complaint {
  const [file = '', ...names] = (id ?? '').split('::');
  const words = message ?? (kind === 'ERROR' ? 'error' : 'failed');
  return failure(words, { file, line: 1 }, names.join('.') || file, file);
}

/** Returns the file of a test from the list at the end. The section itself names the file in which it failed, which may be a different one. */
function suiteOf({ test }: Complaint, listed: readonly Complaint[]): { suite?: string } {
  const suite = listed.find((one) => one.test === test)?.suite;
  return suite === undefined ? {} : { suite };
}
