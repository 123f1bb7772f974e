import type { AgentId, DetectorId, DetectorOptions, Preset } from '../../core/model';
import type { RuleChange } from '../panel-model';
import { cardOf } from '../../core/rules';
import { presetOptions } from '../../core/rules/options';

/** Value of the setting `unstuck.detectors`. It may hold anything. */
type Written = Readonly<Record<string, unknown>>;

/** The presets from the most to the least sensitive. */
const BY_SENSITIVITY: readonly Preset[] = ['eager', 'balanced', 'patient'];

/** Beyond the presets a limit doubles, up to this: who wants more than that turns the rule off. */
const MOST = 1e6;

/**
 * The setting `unstuck.detectors` with one rule changed for one kind of agent; everything else stays.
 *
 * @param now the options of the rule for this kind of agent, as the settings have them
 */
export function withRule(
  detectors: Written,
  agent: AgentId,
  detector: DetectorId,
  change: RuleChange,
  now: DetectorOptions,
): Written {
  const rule = entryOf(recordOf(recordOf(detectors['agents'])[agent])[detector]);
  switch (change) {
    case 'on':
    case 'off':
      return withEntry(detectors, agent, detector, { ...rule, on: change === 'on' });
    case 'less':
    case 'more': {
      const numbers = change === 'less' ? lessSensitive(detector, now) : moreSensitive(detector, now);
      return numbers ? withEntry(detectors, agent, detector, { ...rule, ...numbers }) : detectors;
    }
    case 'reset':
      return withEntry(detectors, agent, detector, null);
  }
}

/** Has this kind of agent settings of its own for the rule? */
export function isOwn(detectors: Written, agent: AgentId, detector: DetectorId): boolean {
  return recordOf(recordOf(detectors['agents'])[agent])[detector] !== undefined;
}

/** The limits of the next less sensitive preset; beyond the last, twice as many. Null where it cannot be less sensitive. */
export function lessSensitive(detector: DetectorId, now: DetectorOptions): Record<string, number> | null {
  const next = BY_SENSITIVITY.find((preset) => last(presetOptions(detector, preset)) > last(now));
  if (next) return numbersOf(detector, next);
  if (last(now) * 2 > MOST || cannotDouble(detector, now)) return null;
  return { warn: now.warn * 2, ...(Number.isFinite(now.stuck) && { stuck: now.stuck * 2 }) };
}

/** The limits of the next more sensitive preset. Null where there is none: a rule that speaks sooner would mostly be wrong. */
export function moreSensitive(detector: DetectorId, now: DetectorOptions): Record<string, number> | null {
  const next = BY_SENSITIVITY.findLast((preset) => last(presetOptions(detector, preset)) < last(now));
  return next ? numbersOf(detector, next) : null;
}

/** More than a hundred percent never comes. */
function cannotDouble(detector: DetectorId, now: DetectorOptions): boolean {
  return cardOf(detector).unit === 'percent' && last(now) * 2 > 100;
}

/** Where a rule says the gravest that it can say. */
function last({ warn, stuck }: DetectorOptions): number {
  return Number.isFinite(stuck) ? stuck : warn;
}

/** The limits of a preset, and the further numbers in which presets differ. */
function numbersOf(detector: DetectorId, preset: Preset): Record<string, number> {
  const { warn, stuck, extra } = presetOptions(detector, preset);
  const others = BY_SENSITIVITY.map((one) => presetOptions(detector, one).extra);
  const differing = Object.entries(extra).filter(([name, value]) => others.some((one) => one[name] !== value));
  return { warn, ...(Number.isFinite(stuck) && { stuck }), ...Object.fromEntries(differing) };
}

function withEntry(detectors: Written, agent: AgentId, detector: DetectorId, entry: Written | null): Written {
  const agents = recordOf(detectors['agents']);
  const others = without(recordOf(agents[agent]), detector);
  const rules = entry === null ? others : { ...others, [detector]: entry };
  const kinds = Object.keys(rules).length === 0 ? without(agents, agent) : { ...agents, [agent]: rules };
  return Object.keys(kinds).length === 0 ? without(detectors, 'agents') : { ...detectors, agents: kinds };
}

function without(from: Written, name: string): Written {
  return Object.fromEntries(Object.entries(from).filter(([key]) => key !== name));
}

/** `true` and `false` alone stand for `on`. */
function entryOf(value: unknown): Written {
  return typeof value === 'boolean' ? { on: value } : recordOf(value);
}

function recordOf(value: unknown): Written {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Written) : {};
}
