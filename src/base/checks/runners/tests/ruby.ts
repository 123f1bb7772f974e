import { blocks, testCounts, distinct, failure, firstWords, type OutputParser, spotIn } from '../lines';

const EXAMPLES =
  /^(\d{1,9}) examples?, (\d{1,9}) failures?(?:, (\d{1,9}) pending)?(?:, (\d{1,9}) errors? occurred outside of examples)?$/;
const EXAMPLE = /^ {2}\d{1,6}\) (\S.*)$/;
const BROKEN = /^An error occurred while loading (\S+?)\.$/;
const RUNS =
  /^(\d{1,9}) (?:runs|tests), \d{1,9} assertions, (\d{1,9}) failures, (\d{1,9}) errors(?:, (\d{1,9}) (?:skips|pendings))?/;
const RUN = /^([^\s#]+#\S+)(?: \[(\S+:\d+)\])?:$/;

/** Parses the output of RSpec. */
export const parseRspec: OutputParser = (lines) => {
  const said = EXAMPLES.exec(lines.findLast((line) => EXAMPLES.test(line)) ?? '');
  if (!said) return null;
  const found = blocks(
    lines,
    (line) => EXAMPLE.exec(line)?.[1] ?? BROKEN.exec(line)?.[1] ?? null,
    (line) => /^(?:Finished in |Failed examples:|Pending: )/.test(line) || EXAMPLES.test(line),
  );
  const failures = found.flatMap(({ title, body }) => {
    const details = body.map((line) => line.trim());
    // a pending example says so in a comment
    if (details[0]?.startsWith('# ')) return [];
    const values = details.filter((line) => /^(?:expected|got):/.test(line));
    const error = details.filter((line) => line !== '' && !line.startsWith('# ') && !line.startsWith('Failure/Error:'));
    const place = details.find((line) => /^# \.?\/?\S+:\d+/.test(line) && !/\/gems\//.test(line));
    const message = values.length === 2 ? values.join(', ') : firstWords(error);
    return [failure(message, spotIn(place?.slice(2) ?? ''), title)];
  });
  const [failed, pending] = [Number(said[2]) + Number(said[4] ?? 0), Number(said[3] ?? 0)];
  return {
    runner: 'rspec',
    failures: distinct(failures),
    ...testCounts({
      failed,
      passed: Math.max(0, Number(said[1]) - Number(said[2]) - pending),
      skipped: said[3] === undefined ? undefined : pending,
    }),
  };
};

/** Parses the output of Minitest and test-unit. */
export const parseMinitest: OutputParser = (lines) => {
  const said = RUNS.exec(lines.findLast((line) => RUNS.test(line)) ?? '');
  if (!said) return null;
  const found = blocks(
    lines,
    (line) => (RUN.test(line) ? line : null),
    (line) => /^\s*\d{1,6}\) (?:Failure|Error|Skipped):$/.test(line) || RUNS.test(line),
  );
  const failures = found.map(({ title, body }) => {
    const [, test, place] = RUN.exec(title) ?? [];
    const values = body.map((line) => line.trim()).filter((line) => /^(?:Expected|Actual):/.test(line));
    return failure(values.length === 2 ? values.join(', ') : firstWords(body), spotIn(place ?? ''), test);
  });
  const failed = Number(said[2]) + Number(said[3]);
  const skipped = Number(said[4] ?? 0);
  return {
    runner: 'minitest',
    failures: distinct(failures),
    ...testCounts({ failed, passed: Math.max(0, Number(said[1]) - failed - skipped), skipped }),
  };
};
