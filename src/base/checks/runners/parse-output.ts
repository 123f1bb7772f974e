import { parseBiome } from './linters/biome';
import { parseBun } from './tests/bun';
import { CLEAN_SIGNS, parseClean } from './clean';
import { parseCtest } from './tests/ctest';
import { parseDeno } from './tests/deno';
import { parseDotnet } from './tests/dotnet';
import { parseEslint } from './linters/eslint';
import { parseGeneric } from './generic';
import { parseGo } from './tests/go';
import { parseGolangci } from './linters/golangci';
import { parseGradle } from './tests/gradle';
import { parseJest } from './tests/jest';
import { parseJunitConsole } from './tests/junit-console';
import { distinct, type OutputParser, type ParsedOutput } from './lines';
import { parseMaven } from './tests/maven';
import { parseMocha } from './tests/mocha';
import { parseNodeTest } from './tests/node-test';
import { parseNumbered } from './numbered';
import { parsePlaywright } from './tests/playwright';
import { parseFormat } from './linters/prettier';
import { parsePytest } from './tests/pytest';
import { parseMypy, parsePyright } from './linters/python-types';
import { parseMinitest, parseRspec } from './tests/ruby';
import { parseRuff } from './linters/ruff';
import { parseRust } from './tests/rust';
import { parseSwift } from './tests/swift';
import { parseTap } from './tests/tap';
import { parseTsc } from './linters/tsc';
import { parseUnittest } from './tests/unittest';
import { parseVitest } from './tests/vitest';
import { type WordIndex, wordIndex } from '../../util/word-index';

/** Parsers, each with texts of which its program's output contains at least one, so that few parsers run on most outputs. */
const PARSERS: readonly (readonly [OutputParser, readonly string[]])[] = [
  [parseVitest, ['Test Files ', 'RUN  v']],
  [parseJest, ['Tests: ', 'Test Suites: ']],
  [parseMocha, [' passing (', ' failing']],
  [parseNodeTest, ['# tests ', 'ℹ tests ']],
  [parseTap, ['\n1..', '1..']],
  [parseBun, ['Ran ', ' pass\n']],
  [parseDeno, [' passed | ']],
  [parsePlaywright, [' passed (', ' failed\n']],
  [
    parsePytest,
    [
      ...['passed', 'failed', 'skipped', 'error', 'errors', 'deselected', 'warning', 'warnings', 'ran'].map(
        (last) => `${last} in `,
      ),
      '= FAILURES =',
      '= ERRORS =',
      '= short test summary',
    ],
  ],
  [parseUnittest, ['Ran ']],
  [parseGo, ['--- FAIL', 'FAIL\t', 'ok  \t', '.go:', '"Output":"']],
  [parseRust, ['test result: ', '.rs:']],
  [parseMaven, ['Tests run: ', 'BUILD SUCCESS', 'BUILD FAILURE', '[ERROR] ']],
  [parseGradle, ['BUILD SUCCESSFUL', 'BUILD FAILED', ' completed']],
  [parseJunitConsole, [' tests failed']],
  [parseNumbered, ['OK', 'Tests: ', 'Tests run: ']],
  [parseDotnet, ['): error ', ' Error(s)', '- Failed: ']],
  [parseRspec, [' example']],
  [parseMinitest, [' assertions, ']],
  [parseCtest, ['% tests passed']],
  [parseSwift, ['Executed ', 'Test run with ']],
  [parseTsc, ['error TS']],
  [parseEslint, ['  error  ', '  warning  ', ' problem', ' error ', ' warning ']],
  [parseBiome, ['Checked ', '━━━']],
  [parseRuff, ['Found ']],
  [parseMypy, ['Found ', 'Success: no issues']],
  [parsePyright, [' errors, ', ' error, ']],
  [parseGolangci, [' issues', ' issue:', '.go:']],
  [parseFormat, ['[warn] ', '[error] ', 'Diff in ', ' would be reformatted']],
  [parseClean, CLEAN_SIGNS],
];

/** Each sign with the index of its parser. */
const SIGNS = PARSERS.flatMap(([, signs], place) => signs.map((sign) => ({ sign, place })));
const isAscii = (sign: string): boolean => Buffer.byteLength(sign) === sign.length;
const ASCII = SIGNS.filter(({ sign }) => isAscii(sign));
const OTHERS = SIGNS.filter(({ sign }) => !isAscii(sign));
/** Created for the first output. One pass for all signs costs a tenth of a separate search for each. */
let index: WordIndex | undefined;

/** Indexes of the parsers that have a sign in an output. */
export type ShownPrograms = ReadonlySet<number>;

/** Returns the programs that may appear in a text (`plainText`). A sign may include a line end, so the last line gets one, too. */
export function shownIn(plain: string): ShownPrograms {
  const text = `${plain.includes('\r') ? plain.replaceAll('\r', '\n') : plain}\n`;
  const shown = new Set(OTHERS.flatMap(({ sign, place }) => (text.includes(sign) ? [place] : [])));
  index ??= wordIndex(ASCII.map(({ sign }) => sign));
  // it ignores case
  index.scan(text, (one, at) => {
    const found = ASCII[one];
    if (found !== undefined && !shown.has(found.place) && text.startsWith(found.sign, at)) shown.add(found.place);
  });
  return shown;
}

/** Parses the output of all known programs and adds it up; null where none appears. Never throws. */
export function parseKnown(lines: readonly string[], shown: ShownPrograms): ParsedOutput | null {
  if (shown.size === 0) return null;
  const known = PARSERS.flatMap(([parse], place) => (shown.has(place) ? (parse(lines) ?? []) : []));
  if (known.length === 0) return null;
  return {
    ...sums(known),
    runner: [...new Set(known.map((one) => one.runner))].join(', '),
    // a runner that counts no failures has none, whatever its tests logged
    failures: distinct(known.flatMap((one) => (one.failed === 0 ? [] : one.failures))),
  };
}

/**
 * Parses the single failures from the output of a command that failed. Each program is recognised by its output, not by the command: one command may
 * run several programs, whose counts are added up. Where none of them names a failure, the lines that name an error count. Never throws.
 */
export function parseOutput(lines: readonly string[]): ParsedOutput {
  const known = parseKnown(lines, shownIn(lines.join('\n')));
  if (known === null) return parseGeneric(lines);
  if (known.failures.length > 0 || (known.failed ?? 0) > 0) return known;
  return { ...known, failures: parseGeneric(lines).failures };
}

function sums(known: readonly ParsedOutput[]): Pick<ParsedOutput, 'failed' | 'passed' | 'skipped'> {
  const sum = (name: 'failed' | 'passed' | 'skipped') => {
    const said = known.flatMap((one) => one[name] ?? []);
    return said.length === 0 ? {} : { [name]: said.reduce((all, one) => all + one, 0) };
  };
  return { ...sum('failed'), ...sum('passed'), ...sum('skipped') };
}

export type { ParsedOutput };
