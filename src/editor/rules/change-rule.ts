import { type AgentId, type DetectorId, type DetectorOptions, PRESETS, type Preset } from '../../core/model';
import type { RuleChange } from '../panel-model';
import { cardOf } from '../../core/rules';
import { gravest, presetOptions } from '../../core/rules/options';
import { fieldsOf } from '../../base/util/json';
import { resolveOptions } from '../../detect/session/options';

/** Value of the setting `unstuck.detectors`. It may contain anything. */
type Written = Readonly<Record<string, unknown>>;

/** Upper bound for doubled limits. Beyond the presets a limit doubles; a person who wants more than this turns the rule off. */
const MOST = 1e6;

/** The rules of one kind of agent. */
export interface RulesOf {
  readonly agent: AgentId;
  /** The preset of all rules that have no other setting. */
  readonly preset: Preset;
  /** `unstuck.detectors`. */
  readonly detectors: Written;
}

/** Returns the setting `unstuck.detectors` with one rule changed for one kind of agent; everything else stays. */
export function withRule(of: RulesOf, detector: DetectorId, change: RuleChange): Written {
  switch (change) {
    case 'off':
      return withEntry(of, detector, 'off');
    case 'on':
      return switchedOn(of, detector);
    case 'less':
    case 'more': {
      const entry = change === 'less' ? lessSensitive(of, detector) : moreSensitive(of, detector);
      return entry === null ? of.detectors : withEntry(of, detector, entry);
    }
    case 'reset':
      return withEntry(of, detector, null);
  }
}

/** Returns whether this kind of agent has its own settings for the rule. */
export function isOwn({ detectors, agent }: RulesOf, detector: DetectorId): boolean {
  return fieldsOf(fieldsOf(detectors['agents'])[agent])[detector] !== undefined;
}

/** Returns the next less sensitive preset; beyond the last, twice its limits. Null if it cannot be less sensitive. */
export function lessSensitive(of: RulesOf, detector: DetectorId): Preset | Record<string, number> | null {
  const now = optionsOf(of, detector);
  const next = PRESETS.find((preset) => gravest(presetOptions(detector, preset)) > gravest(now));
  if (next) return next;
  if (gravest(now) * 2 > MOST || cannotDouble(detector, now)) return null;
  const { warnIsCalled = 'warn' } = cardOf(detector);
  return {
    [warnIsCalled]: now.warn * 2,
    ...(Number.isFinite(now.stuck) && { stuck: now.stuck * 2 }),
    ...Object.fromEntries(Object.entries(now.numbers).map(([name, value]) => [name, value * 2])),
  };
}

/** Returns the next more sensitive preset. Null if there is none: a rule that reports sooner would mostly be wrong. */
export function moreSensitive(of: RulesOf, detector: DetectorId): Preset | null {
  const now = optionsOf(of, detector);
  return PRESETS.findLast((preset) => gravest(presetOptions(detector, preset)) < gravest(now)) ?? null;
}

/** Removes the agent's own settings of the rule, so that it is as for other agents. If it is off there too, selects a preset in which it is on. */
function switchedOn(of: RulesOf, detector: DetectorId): Written {
  const detectors = withEntry(of, detector, null);
  if (optionsOf({ ...of, detectors }, detector).on) return detectors;
  return withEntry(of, detector, presetOptions(detector, of.preset).on ? of.preset : 'balanced');
}

function optionsOf(of: RulesOf, detector: DetectorId): DetectorOptions {
  return resolveOptions(of, of.agent)[detector];
}

/** Returns true if twice the limit would exceed 100 percent, which is never reached. */
function cannotDouble(detector: DetectorId, now: DetectorOptions): boolean {
  return cardOf(detector).unit === 'percent' && gravest(now) * 2 > 100;
}

function withEntry({ detectors, agent }: RulesOf, detector: DetectorId, entry: unknown): Written {
  const agents = fieldsOf(detectors['agents']);
  const others = without(fieldsOf(agents[agent]), detector);
  const rules = entry === null ? others : { ...others, [detector]: entry };
  const kinds = Object.keys(rules).length === 0 ? without(agents, agent) : { ...agents, [agent]: rules };
  return Object.keys(kinds).length === 0 ? without(detectors, 'agents') : { ...detectors, agents: kinds };
}

function without(from: Written, name: string): Written {
  return Object.fromEntries(Object.entries(from).filter(([key]) => key !== name));
}
