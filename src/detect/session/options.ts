import {
  DETECTOR_IDS,
  isAgentId,
  type AgentId,
  type DetectorId,
  type DetectorOptions,
  type Preset,
} from '../../core/model';
import { cardOf } from '../../core/rules';
import { LARGEST, presetOptions } from '../../core/rules/options';
import { fieldsOf, isRecord } from '../../base/util/json';

/** Names that every detector understands besides its extra numbers. */
const COMMON = new Set(['on', 'warn', 'stuck', 'window']);

/** Names of 0.1.0: what an option is called now, or null where its rule is gone. */
const FORMER: ReadonlyMap<string, string | null> = new Map([
  ['pollWarn', 'waitWarn'],
  ['pollStuck', 'waitStuck'],
  ['pollMinutes', 'waitMinutes'],
  ['knownWarn', null],
  ['knownStuck', null],
  ['churnWarn', null],
  ['churnStuck', null],
]);

/** Rules of 0.1.0 that are gone. */
const GONE: ReadonlySet<string> = new Set(['known_outcomes', 'argument_churn']);

/**
 * Joins a preset with the user's `unstuck.detectors` object and its overrides for one agent.
 *
 * The object has one entry per detector id, `{ on, warn, stuck, window, … }` with the extra numbers of its card by name, or
 * `true` / `false` for `on` alone; under `agents` the same again per agent id. It is untrusted: what is no number, below the least
 * or unknown is left out (`optionProblems` says so), and `warn` never stays above `stuck`.
 */
export function resolveOptions(
  preset: Preset,
  settings: unknown,
  agent?: AgentId,
): Record<DetectorId, DetectorOptions> {
  const own = fieldsOf(settings);
  const forAgent = agent ? fieldsOf(fieldsOf(own.agents)[agent]) : {};
  const resolved = {} as Record<DetectorId, DetectorOptions>;
  for (const id of DETECTOR_IDS) {
    resolved[id] = joined(id, joined(id, presetOptions(id, preset), own[id]), forAgent[id]);
  }
  return resolved;
}

/** Describes the values that `resolveOptions` drops from a settings object, one short sentence each. */
export function optionProblems(settings: unknown): string[] {
  if (settings === undefined || settings === null) return [];
  if (!isRecord(settings)) return ['unstuck.detectors is not an object'];
  const problems: string[] = [];
  for (const [id, value] of Object.entries(settings)) {
    if (id === 'agents') {
      if (!isRecord(value)) problems.push('agents is not an object');
      for (const [agent, entries] of Object.entries(fieldsOf(value))) {
        if (!isAgentId(agent)) {
          problems.push(`agents.${agent}: no agent has this id`);
          continue;
        }
        if (!isRecord(entries)) problems.push(`agents.${agent} is not an object`);
        for (const [inner, innerValue] of Object.entries(fieldsOf(entries))) {
          entryProblems(`agents.${agent}.${inner}`, inner, innerValue, problems);
        }
      }
    } else {
      entryProblems(id, id, value, problems);
    }
  }
  return problems;
}

function entryProblems(path: string, id: string, value: unknown, problems: string[]): void {
  if (!(DETECTOR_IDS as readonly string[]).includes(id)) {
    problems.push(`${path}: ${GONE.has(id) ? 'this rule is gone' : 'no detector has this id'}`);
    return;
  }
  const { foundBy } = cardOf(id as DetectorId);
  if (foundBy !== undefined) {
    problems.push(`${path}: it is a part of ${foundBy} now; set that one instead`);
    return;
  }
  if (typeof value === 'boolean') return;
  if (!isRecord(value)) {
    problems.push(`${path} is not an object`);
    return;
  }
  const { extra: known, stuck } = presetOptions(id as DetectorId, 'balanced');
  for (const [name, option] of Object.entries(value)) {
    const isKnown = name in known || (COMMON.has(name) && (name !== 'stuck' || Number.isFinite(stuck)));
    if (!isKnown) problems.push(`${path}.${name}: ${unknownOption(name)}`);
    else if (
      name === 'on'
        ? typeof option !== 'boolean' && !isSwitch(option)
        : numberOf(option, mayBeZero(id as DetectorId, name)) === null
    ) {
      problems.push(`${path}.${name}: ${name === 'on' ? 'neither true nor false' : 'not a number above 0'}`);
    }
  }
}

function unknownOption(name: string): string {
  const now = FORMER.get(name);
  if (now === undefined) return 'no such option';
  return now === null ? 'the rule that it set is gone' : `it is called ${now} now`;
}

function joined(id: DetectorId, base: DetectorOptions, entry: unknown): DetectorOptions {
  if (typeof entry === 'boolean') return { ...base, on: entry };
  if (!isRecord(entry)) return base;
  const warnGiven = numberOf(entry.warn);
  const stuckGiven = base.stuck === Number.POSITIVE_INFINITY ? null : numberOf(entry.stuck);
  let warn = warnGiven ?? base.warn;
  let stuck = stuckGiven ?? base.stuck;
  // the one that was set wins over the default of the other
  if (warn > stuck) {
    if (stuckGiven === null) stuck = warn;
    else warn = stuck;
  }
  const extra: Record<string, number> = {};
  for (const [name, value] of Object.entries(base.extra)) {
    extra[name] = numberOf(entry[name], mayBeZero(id, name)) ?? value;
  }
  return {
    on: typeof entry.on === 'boolean' ? entry.on : isSwitch(entry.on) ? entry.on === 'true' : base.on,
    warn,
    stuck,
    // a window below what stuck needs would switch the rule off without a word
    window: Math.max(numberOf(entry.window) ?? base.window, 1),
    extra,
  };
}

function isSwitch(value: unknown): value is 'true' | 'false' {
  return value === 'true' || value === 'false';
}

function mayBeZero(id: DetectorId, name: string): boolean {
  return cardOf(id).extras[name]?.mayBeZero === true;
}

/** A usable number; numbers as text are taken too (`--set`). Null when it is none. */
function numberOf(value: unknown, zero = false): number | null {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && value.trim() ? Number(value) : Number.NaN;
  if (!Number.isFinite(number) || number < 0) return null;
  if (number === 0 && !zero) return null;
  return Math.min(number, LARGEST);
}
