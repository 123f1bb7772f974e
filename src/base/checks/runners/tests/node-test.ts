import {
  testCounts,
  distinct,
  failure,
  firstWords,
  type OutputParser,
  spotIn,
  spot,
  stackSpot,
  blocks,
} from '../lines';

const TAP = /^TAP version \d+/;
const COUNT = /^(?:#|ℹ) (tests|pass|fail|skipped) (\d{1,9})$/;
const NOT_OK = /^(\s*)not ok \d+ - (.*?)(?: # .*)?$/;

/** Parses the output of the Node.js test runner, in its TAP and `spec` forms. */
export const parseNodeTest: OutputParser = (lines) => {
  const said = new Map<string, number>();
  for (const line of lines) {
    const found = COUNT.exec(line);
    // several test processes: each prints its own count
    if (found?.[1]) said.set(found[1], (said.get(found[1]) ?? 0) + Number(found[2]));
  }
  const isTap = lines.some((line) => TAP.test(line));
  if (!said.has('tests') || (!isTap && !said.has('fail'))) return null;
  const failures = isTap ? tap(lines) : spec(lines);
  return {
    runner: 'node test',
    failures: distinct(failures),
    ...testCounts({ failed: said.get('fail'), passed: said.get('pass'), skipped: said.get('skipped') }),
  };
};

function tap(lines: readonly string[]) {
  const found = blocks(
    lines,
    (line) => NOT_OK.exec(line)?.[2] ?? null,
    (line) => /^\s*\.\.\.$/.test(line) || /^\s*(?:ok \d+ - |# Subtest: )/.test(line),
  );
  return found.flatMap(({ title, body }) => {
    if (body.some((line) => line.includes("failureType: 'subtestsFailed'"))) return [];
    const location = body.map((line) => /^\s*location: '(.+):(\d+):(\d+)'$/.exec(line)).find((match) => match !== null);
    const at = body.findIndex((line) => /^\s*error: /.test(line));
    const error = (body[at] ?? '').replace(/^\s*error: /, '');
    const message = error.startsWith('|') ? firstWords(body.slice(at + 1)) : error.replace(/^(['"])(.*)\1$/, '$2');
    const stack = body.findIndex((line) => /^\s*stack: /.test(line));
    const frame = body
      .slice(stack + 1)
      .filter((line) => stack >= 0 && !/node:|[\\/]node_modules[\\/]/.test(line))
      .map(spotIn)
      .find((place) => place !== undefined);
    return [failure(message, frame ?? spot(location?.[1], location?.[2], location?.[3]), title)];
  });
}

const SPEC_TITLE = /^\s*✖ (.*?)(?: \([\d.]+ms\))?(?: # .*)?$/;

function spec(lines: readonly string[]) {
  const start = lines.findIndex((line) => /^\s*✖ failing tests:$/.test(line));
  // without the closing section, read the tests as they ran
  const part = start < 0 ? lines : lines.slice(start + 1);
  const found = blocks(
    part,
    (line) => SPEC_TITLE.exec(line)?.[1] ?? null,
    (line) => /^\s*[✔▶﹣ℹ]/.test(line),
  );
  let before = 0;
  return found.flatMap(({ title, body }) => {
    const at = part.findIndex((line, index) => index >= before && SPEC_TITLE.exec(line)?.[1] === title);
    before = at + 1;
    const location = /^test at (.+):(\d+):(\d+)$/.exec(part[at - 1] ?? '');
    const message = firstWords(body);
    // a group is repeated after the tests in it
    if (message === '' || (start < 0 && /^\d+ subtests? failed/.test(message.replace(/^'/, '')))) return [];
    return [failure(message, stackSpot(body) ?? spot(location?.[1], location?.[2], location?.[3]), title)];
  });
}
