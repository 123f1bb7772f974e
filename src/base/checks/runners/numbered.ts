import { blocks, testCounts, distinct, failure, firstWords, type OutputParser, spotIn } from './lines';

const PHP = /^Tests: (\d{1,9}), Assertions: \d{1,9}(.*)\.$/;
const JUNIT = /^Tests run: (\d{1,9}),  Failures: (\d{1,9})$/;
const FINE = /^OK(?:, but .*!)? \((\d{1,9}) tests?(?:, \d{1,9} assertions?)?\)$/;
const TITLE = /^\d{1,6}\) (\S+::.+|\S+\(\S+\))$/;

/** Parses the output of PHPUnit, and of the plain console of JUnit 4: one numbered block for each failure. */
export const parseNumbered: OutputParser = (lines) => {
  const fine = FINE.exec(lines.findLast((line) => FINE.test(line)) ?? '');
  const php = PHP.exec(lines.findLast((line) => PHP.test(line)) ?? '');
  const junit = JUNIT.exec(lines.findLast((line) => JUNIT.test(line)) ?? '');
  if (!fine && !php && !junit) return null;
  const runner = junit || (fine && !fine[0].includes('assertion')) ? 'junit' : 'phpunit';
  const found = blocks(
    lines,
    (line) => TITLE.exec(line)?.[1] ?? null,
    (line) => /^(?:FAILURES!|ERRORS!|WARNINGS!|There (?:was|were) \d+|--$)/.test(line),
  );
  const failures = found.map(({ title, body }) => {
    const place = body.find((line) => /^\S+\.\w{1,5}:\d+$/.test(line)) ?? '';
    const java = /^([\w$]+(?:\[[^\]]{1,100}\])?)\(([\w.$]+)\)$/.exec(title);
    return failure(firstWords(body), spotIn(place), java ? `${java[2]}.${java[1]}` : title);
  });
  const word = (name: string): number => Number(new RegExp(`, ${name}: (\\d{1,9})`).exec(php?.[2] ?? '')?.[1] ?? 0);
  const failed = junit ? Number(junit[2]) : word('Failures') + word('Errors');
  const skipped = word('Skipped') + word('Incomplete');
  const ran = Number((junit ?? php ?? fine)?.[1] ?? 0);
  return {
    runner,
    failures: distinct(failures),
    ...testCounts({
      failed,
      passed: Math.max(0, ran - failed - skipped),
      skipped: skipped > 0 ? skipped : undefined,
    }),
  };
};
