import {
  type AgentId,
  BUDGETS,
  type Budgets,
  DETECTOR_IDS,
  type DetectorId,
  type DetectorOptions,
  isAgentId,
  type Limits,
  PRESETS,
  type Preset,
} from '../../core/model';
import { cardOf } from '../../core/rules';
import { LARGEST, gravest, namesOf, presetOptions, presetReached } from '../../core/rules/options';
import { fieldsOf, isRecord } from '../../base/util/json';

/** A person's choices for the rules. The two objects are as the person wrote them. */
export interface RuleChoices {
  readonly preset: Preset;
  /** `unstuck.detectors`. */
  readonly detectors: unknown;
  /** `unstuck.budgets`. */
  readonly budgets?: unknown;
}

/**
 * Joins a preset with the user's `unstuck.detectors`, their overrides for one agent, and `unstuck.budgets`.
 *
 * `unstuck.detectors` has one entry per detector id: it is `off`, the name of a preset, or an object with `warn`, `stuck`, `window` (`model`, `tool`,
 * `build` for `stall`), which switches the rule on; under `agents` there is the same per agent id. It is untrusted: values that are not numbers, too
 * low or unknown are left out (and reported by `optionProblems`), and `warn` is never above `stuck`.
 */
export function resolveOptions(choices: RuleChoices, agent?: AgentId): Record<DetectorId, DetectorOptions> {
  const own = fieldsOf(choices.detectors);
  const forAgent = agent ? fieldsOf(fieldsOf(own.agents)[agent]) : {};
  const resolved = {} as Record<DetectorId, DetectorOptions>;
  for (const id of DETECTOR_IDS) {
    resolved[id] = joined(id, joined(id, presetOptions(id, choices.preset), own[id]), forAgent[id]);
  }
  resolved.max_runtime = { ...resolved.max_runtime, budgets: budgetsOf(choices.budgets) };
  return resolved;
}

/** Describes the values that `resolveOptions` drops, in one short sentence each, with the name of the setting without `unstuck.`. */
export function optionProblems({ detectors, budgets }: Omit<RuleChoices, 'preset'>): string[] {
  const problems: string[] = [];
  for (const [id, value] of entriesOf('detectors', detectors, problems)) {
    if (id !== 'agents') {
      entryProblems(`detectors.${id}`, id, value, problems);
      continue;
    }
    for (const [agent, entries] of entriesOf('detectors.agents', value, problems)) {
      const path = `detectors.agents.${agent}`;
      if (!isAgentId(agent)) problems.push(`${path}: no agent has this id`);
      else
        for (const [inner, entry] of entriesOf(path, entries, problems))
          entryProblems(`${path}.${inner}`, inner, entry, problems);
    }
  }
  for (const [name, value] of entriesOf('budgets', budgets, problems)) {
    if (!BUDGETS.some((one) => one === name)) problems.push(`budgets.${name}: there is no such budget`);
    else if (value !== null && numberOf(value) === null) problems.push(`budgets.${name}: not a number above 0`);
  }
  return problems;
}

/** Returns the entries of a setting; none, with a problem, where it is not an object. */
function entriesOf(path: string, value: unknown, problems: string[]): [string, unknown][] {
  if (value === undefined || value === null) return [];
  if (isRecord(value)) return Object.entries(value);
  problems.push(`${path} is not an object`);
  return [];
}

function entryProblems(path: string, id: string, value: unknown, problems: string[]): void {
  if (!isDetector(id)) {
    problems.push(`${path}: no detector has this id`);
    return;
  }
  const { foundBy } = cardOf(id);
  if (foundBy !== undefined) {
    problems.push(`${path}: it is a part of ${foundBy}; set that one instead`);
    return;
  }
  if (wordOf(value) !== null) return;
  if (!isRecord(value)) {
    problems.push(`${path}: not one of off, ${PRESETS.join(', ')}, and no object of numbers`);
    return;
  }
  const known = namesOf(id);
  for (const [name, number] of Object.entries(value)) {
    if (!known.includes(name)) problems.push(`${path}.${name}: no such option; it has ${known.join(', ')}`);
    else if (numberOf(number) === null) problems.push(`${path}.${name}: not a number above 0`);
  }
}

function joined(id: DetectorId, base: DetectorOptions, entry: unknown): DetectorOptions {
  const word = wordOf(entry);
  if (word === 'off') return { ...base, on: false };
  if (word !== null) return presetOptions(id, word);
  if (!isRecord(entry)) return base;
  const { warnIsCalled = 'warn', numbers } = cardOf(id);
  const limits = joinedLimits(base, numberOf(entry[warnIsCalled]), numberOf(entry.stuck));
  return {
    ...base,
    on: true,
    ...(limits && { ...limits, least: limits, preset: presetReached(id, limits) }),
    ...(base.window > 0 && { window: numberOf(entry.window) ?? Math.max(base.window, windowFor(id, limits)) }),
    ...(numbers && {
      numbers: Object.fromEntries(
        Object.entries(base.numbers).map(([name, value]) => [name, numberOf(entry[name]) ?? value]),
      ),
    }),
  };
}

/**
 * Returns the window. It grows with limits beyond those of `patient`, because otherwise the required repeats would not fit into it and would never be
 * found.
 */
function windowFor(id: DetectorId, limits: Limits | null): number {
  const patient = presetOptions(id, 'patient');
  return limits ? Math.ceil((patient.window * gravest(limits)) / gravest(patient)) : 0;
}

/** Merges the given limits into the others; null where none was given. The limit that was set takes precedence over the default of the other. */
function joinedLimits(base: Limits, warn: number | null, given: number | null): Limits | null {
  const stuck = base.stuck === Number.POSITIVE_INFINITY ? null : given;
  if (warn === null && stuck === null) return null;
  const limits = { warn: warn ?? base.warn, stuck: stuck ?? base.stuck };
  if (limits.warn <= limits.stuck) return limits;
  return stuck === null ? { ...limits, stuck: limits.warn } : { ...limits, warn: stuck };
}

function budgetsOf(value: unknown): Budgets {
  const given = fieldsOf(value);
  return Object.fromEntries(
    BUDGETS.flatMap((name) => {
      const number = numberOf(given[name]);
      return number === null ? [] : [[name, number]];
    }),
  );
}

function wordOf(value: unknown): 'off' | Preset | null {
  return value === 'off' ? 'off' : (PRESETS.find((preset) => preset === value) ?? null);
}

function isDetector(id: string): id is DetectorId {
  return DETECTOR_IDS.some((one) => one === id);
}

/** Returns a usable number; null for any other value. */
function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.min(value, LARGEST) : null;
}
