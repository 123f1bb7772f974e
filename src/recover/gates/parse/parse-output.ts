import { parseEslint } from './eslint';
import { parseGeneric } from './generic';
import { parseGo } from './go';
import { parseJest } from './jest';
import { distinct, linesOf, type OutputParser, type ParsedOutput } from './lines';
import { parseMocha } from './mocha';
import { parseNodeTest } from './node-test';
import { parsePytest } from './pytest';
import { parseRuff } from './ruff';
import { parseRust } from './rust';
import { parseTsc } from './tsc';
import { parseVitest } from './vitest';

const PARSERS: readonly OutputParser[] = [
  parseVitest,
  parseJest,
  parseMocha,
  parseNodeTest,
  parsePytest,
  parseGo,
  parseRust,
  parseTsc,
  parseEslint,
  parseRuff,
];

/**
 * Single failures out of the output of a command. Each program is known by its output, not by the command: one command may run several, and
 * what they say is added up. Never throws.
 */
export function parseOutput(output: string): ParsedOutput {
  const lines = linesOf(output);
  const known = PARSERS.flatMap((parse) => parse(lines) ?? []);
  const failures = distinct(known.flatMap((one) => one.failures));
  if (failures.length === 0 && known.every((one) => (one.failed ?? 0) === 0)) {
    const generic = parseGeneric(lines);
    return {
      ...sums(known),
      runner: known.map((one) => one.runner).join(', ') || generic.runner,
      failures: generic.failures,
    };
  }
  return { ...sums(known), runner: known.map((one) => one.runner).join(', '), failures };
}

function sums(known: readonly ParsedOutput[]): Pick<ParsedOutput, 'failed' | 'passed' | 'skipped'> {
  const sum = (name: 'failed' | 'passed' | 'skipped') => {
    const said = known.flatMap((one) => one[name] ?? []);
    return said.length === 0 ? {} : { [name]: said.reduce((all, one) => all + one, 0) };
  };
  return { ...sum('failed'), ...sum('passed'), ...sum('skipped') };
}
