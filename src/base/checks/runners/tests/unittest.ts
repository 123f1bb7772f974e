import { blocks, testCounts, distinct, failure, type OutputParser, spot } from '../lines';

const TITLE = /^(?:FAIL|ERROR): (\S+) \(([^()]+)\)/;
const RAN = /^Ran (\d{1,9}) tests? in [\d.]+s$/;
const VERDICT = /^(?:FAILED|OK)(?: \((.*)\))?$/;
const FRAME = /^ {2}File "([^"]+)", line (\d+)/;

/** Parses the output of Python's own unittest, and of Django's runner on top of it. */
export const parseUnittest: OutputParser = (lines) => {
  const ran = lines.findLast((line) => RAN.test(line));
  if (ran === undefined) return null;
  const verdict = lines.findLast((line) => VERDICT.test(line));
  const said = VERDICT.exec(verdict ?? '')?.[1] ?? '';
  const count = (word: string): number => Number(new RegExp(`(?:^|, )${word}=(\\d{1,9})`).exec(said)?.[1] ?? 0);
  const failed = count('failures') + count('errors') + count('unexpected successes');
  const skipped = count('skipped');
  const found = blocks(
    lines,
    (line) => nameIn(line),
    (line) => /^={20,}$/.test(line) || RAN.test(line),
  );
  return {
    runner: 'unittest',
    failures: distinct(found.map(section)),
    ...testCounts({
      failed: verdict === undefined ? undefined : failed,
      passed: verdict === undefined ? undefined : Math.max(0, Number(RAN.exec(ran)?.[1]) - failed - skipped),
      skipped: skipped > 0 ? skipped : undefined,
    }),
  };
};

/** Reads the name of a test. Until Python 3.10 the brackets hold only the class: `test_add (tests.test_calc.TestCalc)`. */
function nameIn(line: string): string | null {
  const found = TITLE.exec(line);
  if (!found) return null;
  const [, test = '', place = ''] = found;
  return place.endsWith(`.${test}`) ? place : `${place}.${test}`;
}

function section({ title, body }: { title: string; body: readonly string[] }) {
  const last = body.findLastIndex((line) => FRAME.test(line));
  const frame = FRAME.exec(body[last] ?? '');
  const message = body.slice(last + 1).find((line) => /^[^\s-]/.test(line)) ?? '';
  return failure(message, spot(frame?.[1], frame?.[2]), title);
}
