import { claudeCode } from '../../src/agents/claude-code/adapter';
import { generic } from '../../src/agents/generic/adapter';
import type { Incident } from '../../src/core/model';
import { type RuleChoices, resolveOptions } from '../../src/detect/session/options';
import { scanLines } from '../../src/engine/scan';
import { type Change, changeOf } from './changes';
import { claudeFormat } from './claude-code';
import { genericFormat } from './generic';
import { linesOf } from './lines';
import { randomOf } from './random';
import { type Run, runOf } from './run';
import { type Format, type Written, written } from './transcript';

export interface Base {
  readonly name: string;
  readonly run: Run;
  /** The level and the detectors that find it when nothing is changed; absent for an agent that makes progress. */
  readonly found?: { readonly level: 'warn' | 'stuck'; readonly detectors: readonly string[] };
}

export const BASES: readonly Base[] = [
  ...linesOf('stuck.txt', 3).map(([name = '', found = '', story = '']): Base => {
    const [level, ...detectors] = found.split(' ');
    if (level !== 'warn' && level !== 'stuck') throw new Error(`${name}: no such level: ${level}`);
    return { name, run: runOf(story), found: { level, detectors } };
  }),
  ...linesOf('healthy.txt', 2).map(([name = '', story = '']): Base => ({ name, run: runOf(story) })),
];

export const PLAIN = 'plain';
export const CHANGES: ReadonlyMap<string, Change> = new Map([
  [PLAIN, (run: Run) => run],
  ...linesOf('changes.txt', 2).map(([name = '', change = '']) => [name, changeOf(change)] as const),
]);

const ADAPTERS = new Map([
  [genericFormat, generic],
  [claudeFormat, claudeCode],
]);

/** One run under one change in one format. */
export interface Cell {
  readonly base: Base;
  readonly change: string;
  readonly format: Format;
  readonly transcript: Written;
}

/** The base as it is, as a generic transcript. */
export function plainCell(base: Base): Cell {
  const transcript = written(base.run, genericFormat);
  if (transcript === null) throw new Error(`${base.name} has no generic transcript`);
  return { base, change: PLAIN, format: genericFormat, transcript };
}

/** All cells of a base; none for a change that does not affect it. About every second one is also written as Claude Code would. */
export function cellsOf(base: Base): Cell[] {
  const plain = JSON.stringify(base.run);
  return [...CHANGES].flatMap(([change, changed]) => {
    const run = changed(base.run);
    if (change !== PLAIN && JSON.stringify(run) === plain) return [];
    // Seeded by name, so that a new line in a list leaves the other cells as they are.
    const native = change === PLAIN || randomOf(`${base.name} ${change}`)() < 0.5;
    const formats = native ? [genericFormat, claudeFormat] : [genericFormat];
    return formats.flatMap((format) => {
      const transcript = written(run, format);
      return transcript === null ? [] : [{ base, change, format, transcript }];
    });
  });
}

/** A report about a run, with the rounds in which it is made. */
export interface Said {
  readonly detector: string;
  readonly warnRound: number;
  readonly stuckRound: number | null;
}

/** Returns the reports of the counting detectors for a run, in order. Rules of time and hints do not count. */
export async function saidOf(
  { format, transcript: { lines, rounds } }: Cell,
  choices: RuleChoices = { preset: 'balanced', detectors: {} },
): Promise<Said[]> {
  const adapter = ADAPTERS.get(format)!;
  const scanned = await scanLines(
    '/home/dev/main.jsonl',
    lines,
    { adapter, detectors: (agent) => resolveOptions(choices, agent), readSmall: () => undefined },
    () => undefined,
  );
  const problems = scanned.sessions.flatMap(({ skipped }) => skipped).concat(scanned.orphans);
  if (problems[0]) throw new Error(`line ${problems[0].line}: ${problems[0].why}`);
  const main = scanned.sessions.find(({ session }) => session !== 'sub');
  return (main?.incidents ?? []).filter(counts).map(({ detector, rule, alertLine, stuckLine }) => ({
    detector: rule ? `${detector}/${rule}` : detector,
    warnRound: rounds[alertLine - 1]!,
    stuckRound: stuckLine === null ? null : rounds[stuckLine - 1]!,
  }));
}

const counts = ({ certainty, detector }: Incident): boolean => certainty === 'counted' && detector !== 'max_runtime';
