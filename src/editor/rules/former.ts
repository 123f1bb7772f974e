import { BUDGETS, DETECTOR_IDS, type DetectorId } from '../../core/model';
import { cardOf } from '../../core/rules';
import { namesOf } from '../../core/rules/options';
import { fieldsOf, isRecord } from '../../base/util/json';

/** Rules of 0.1.0 that no longer exist. */
const GONE: ReadonlySet<string> = new Set(['known_outcomes', 'argument_churn']);
/** Numbers of 0.1.0 that can no longer be set. Other unknown names stay: a person may have mistyped them. */
const FORMER: ReadonlySet<string> = new Set(
  (
    'pollWarn pollStuck pollMinutes knownWarn knownStuck churnWarn churnStuck window waitWarn waitStuck waitMinutes always fewWarn ' +
    'fewStuck effectWarn effectStuck sweepWarn sweepStuck longestPeriod differing shortPeriod shortRepeats tail minutes asked ' +
    'differentWarn differentStuck searchWarn formatWarn formatStuck infrastructure'
  ).split(' '),
);

type Written = Readonly<Record<string, unknown>>;

/** Settings of rules in the form of this version. */
export interface CurrentForm {
  /** `unstuck.detectors`; undefined if nothing is left of it. */
  readonly detectors: Written | undefined;
  /** `unstuck.budgets`; null if it stays as it is. */
  readonly budgets: Written | null;
  /** Names for which this version has no setting. */
  readonly lost: readonly string[];
}

/**
 * Reads `unstuck.detectors` as 0.1.0 stored it: `true` and `false` for a rule, `on`, budgets within `max_runtime`, and numbers that are constants
 * now. Null if no part of it has a former form.
 */
export function currentForm(detectors: unknown, budgets: unknown): CurrentForm | null {
  const lost: string[] = [];
  const found: Record<string, number> = {};
  const own = fieldsOf(detectors);
  const rules = rulesOf(own, '', lost, found);
  const agents = Object.entries(fieldsOf(own.agents)).flatMap(([agent, entries]) => {
    const entry = rulesOf(fieldsOf(entries), `agents.${agent}.`, lost, null);
    return Object.keys(entry).length === 0 ? [] : [[agent, entry] as const];
  });
  const current = { ...rules, ...(agents.length > 0 && { agents: Object.fromEntries(agents) }) };
  if (JSON.stringify(current) === JSON.stringify(withoutEmpty(own))) return null;
  return {
    detectors: Object.keys(current).length === 0 ? undefined : current,
    budgets: Object.keys(found).length === 0 ? null : { ...found, ...fieldsOf(budgets) },
    lost,
  };
}

/** Drops what a person left empty, which is no former form. */
function withoutEmpty(own: Written): Written {
  const { agents, ...rules } = own;
  const kinds = Object.entries(fieldsOf(agents)).filter(([, kind]) => !isRecord(kind) || Object.keys(kind).length > 0);
  return { ...rules, ...(kinds.length > 0 && { agents: Object.fromEntries(kinds) }) };
}

/** @param budgets receives the budgets that were in a rule; null, since there are none for one kind of agent */
function rulesOf(
  entries: Written,
  path: string,
  lost: string[],
  budgets: Record<string, number> | null,
): Record<string, unknown> {
  const rules: Record<string, unknown> = {};
  for (const [id, entry] of Object.entries(entries)) {
    if (id === 'agents') continue;
    const detector = DETECTOR_IDS.find((one) => one === id);
    const rule = detector ? ruleOf(detector, entry, `${path}${id}`, lost, budgets) : entry;
    if (GONE.has(id)) lost.push(`${path}${id}`);
    else if (rule !== undefined) rules[id] = rule;
  }
  return rules;
}

function ruleOf(
  id: DetectorId,
  entry: unknown,
  path: string,
  lost: string[],
  budgets: Record<string, number> | null,
): unknown {
  if (entry === false) return 'off';
  // The rule was on everywhere but in `patient`, and `balanced` has every rule.
  if (entry === true) return 'balanced';
  if (!isRecord(entry)) return entry;
  if (entry.on === false) return 'off';
  const known = namesOf(id);
  const { warnIsCalled } = cardOf(id);
  const numbers: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entry)) {
    if (name === 'on') continue;
    const budget = id === 'max_runtime' ? budgetOf(name) : undefined;
    if (budget !== undefined) {
      const number = typeof value === 'number' && value > 0 ? value : 0;
      if (number > 0 && budgets) budgets[budget] = name === 'warn' ? number / 60 : number;
      else if (number > 0) lost.push(`${path}.${name}`);
    } else if (name === 'warn' && warnIsCalled !== undefined) numbers[warnIsCalled] = value;
    else if (FORMER.has(name) && !known.includes(name)) lost.push(`${path}.${name}`);
    else numbers[name] = value;
  }
  if (Object.keys(numbers).length > 0) return numbers;
  return entry.on === true ? 'balanced' : undefined;
}

/** Returns the budget that a number of `max_runtime` was: its `warn` held the minutes of a session. */
function budgetOf(name: string): string | undefined {
  return name === 'warn' ? 'hours' : BUDGETS.find((budget) => budget === name);
}
