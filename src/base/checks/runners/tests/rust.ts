import { blocks, testCounts, distinct, failure, firstWords, type OutputParser, spot, spotIn } from '../lines';

const TITLE = /^---- (\S.*) stdout ----$/;
const RESULT = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/;
const ERROR = /^error(?:\[E\d+\])?: (.+)$/;
/** Closing lines of rustc and cargo, after the errors that matter. */
const CLOSING =
  /^(?:could not compile|aborting due to|test failed, to rerun|\d+ targets? failed|process didn't exit|build failed)/;

/** Parses the output of `cargo test`, `cargo build` and `cargo clippy`. */
export const parseRust: OutputParser = (lines) => {
  const results = lines.flatMap((line) => {
    const found = RESULT.exec(line);
    return found ? [found] : [];
  });
  const compiles = lines.some((line) => /^\s*--> \S+\.rs:\d+:\d+/.test(line)) && lines.some((line) => ERROR.test(line));
  if (results.length === 0 && !compiles) return null;
  const tests = blocks(
    lines,
    (line) => TITLE.exec(line)?.[1] ?? null,
    (line) => /^failures:$/.test(line) || RESULT.test(line),
  ).map(({ title, body }) => panicked(title, body));
  const sum = (group: number) => results.reduce((all, found) => all + Number(found[group]), 0);
  return {
    runner: 'cargo',
    failures: distinct([...errors(lines), ...tests]),
    ...(results.length > 0 ? testCounts({ passed: sum(1), failed: sum(2), skipped: sum(3) }) : {}),
  };
};

function panicked(test: string, body: readonly string[]) {
  const at = body.findIndex((line) => /^thread '.*' (?:\(\d+\) )?panicked at /.test(line));
  const line = body[at] ?? '';
  const old = /^panicked at '(.*)', (\S+):(\d+):(\d+)$/.exec(line.slice(line.indexOf('panicked at ')));
  if (old) return failure(old[1] ?? '', spot(old[2], old[3], old[4]), test);
  const where = /panicked at (\S+):(\d+):(\d+):$/.exec(line);
  const details = body.slice(at + 1).filter((one) => !/^stack backtrace:|^note: /.test(one));
  const sides = details.filter((one) => /^\s*(?:left|right): /.test(one)).map((one) => one.trim());
  return failure([firstWords(details), ...sides].join(', '), spot(where?.[1], where?.[2], where?.[3]), test);
}

function errors(lines: readonly string[]) {
  return lines.flatMap((line, index) => {
    const message = ERROR.exec(line)?.[1];
    if (message === undefined || CLOSING.test(message)) return [];
    const arrow = lines.slice(index + 1, index + 4).find((one) => /^\s*--> /.test(one));
    return arrow === undefined ? [] : [failure(message, spotIn(arrow))];
  });
}
