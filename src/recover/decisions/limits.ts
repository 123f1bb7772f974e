import { fieldsOf } from '../../base/util/json';

/** Limits of automatic mode before it is the person's turn. Numbers of times within `windowMs`, except for an incident, which has no window. */
export interface RecoveryLimits {
  /** Automatic attempts for one incident; never more than 2, whatever is set. */
  readonly perIncident: number;
  /** For one item of an agent's plan. */
  readonly perPlanItem: number;
  /** For one session. */
  readonly perAgent: number;
  /** For all sessions together. */
  readonly global: number;
  /** Milliseconds. */
  readonly windowMs: number;
  /** Time from the alert to the first attempt, and from a failed attempt to the next, in which the person can hold it. Milliseconds. */
  readonly delayMs: number;
  /** Age of the last count after which no action is taken on an incident. Milliseconds. */
  readonly expiryMs: number;
}

const HOUR = 3_600_000;
/** Two automatic attempts for an incident, then the person: docs/recovery.md. */
const MOST_PER_INCIDENT = 2;

export const DEFAULT_LIMITS: RecoveryLimits = {
  perIncident: MOST_PER_INCIDENT,
  // One more than for an incident: an item that breaks in two ways gets a second chance, not a third.
  perPlanItem: 3,
  perAgent: 6,
  global: 20,
  windowMs: HOUR,
  // Enough time for a person to read one line and press Hold.
  delayMs: 30_000,
  // Equal to the expiry of a message (docs/inbox.md).
  expiryMs: 10 * 60_000,
};

/** Reads the setting `unstuck.recovery.limits`; anything but a number within its range keeps its default. */
export function readLimits(value: unknown): RecoveryLimits {
  const given = fieldsOf(value);
  const within = (name: string, least: number, most: number, fallback: number): number => {
    const one = given[name];
    return typeof one === 'number' && Number.isFinite(one) ? Math.min(most, Math.max(least, one)) : fallback;
  };
  const { perIncident, perPlanItem, perAgent, global, windowMs, delayMs, expiryMs } = DEFAULT_LIMITS;
  return {
    perIncident: Math.floor(within('perIncident', 0, MOST_PER_INCIDENT, perIncident)),
    perPlanItem: Math.floor(within('perPlanItem', 0, 50, perPlanItem)),
    perAgent: Math.floor(within('perAgent', 0, 100, perAgent)),
    global: Math.floor(within('global', 0, 1000, global)),
    windowMs: within('windowMinutes', 1, 24 * 60, windowMs / 60_000) * 60_000,
    delayMs: within('delaySeconds', 0, 600, delayMs / 1000) * 1000,
    expiryMs: within('expiryMinutes', 1, 240, expiryMs / 60_000) * 60_000,
  };
}

/** One automatic attempt that was made, in any window. */
export interface LedgerEntry {
  readonly at: number;
  readonly incident: string;
  readonly session: string;
  /** Item of the plan that the agent was working on; null if it has no plan. */
  readonly planItem: string | null;
}

export type LimitReached = 'limit_incident' | 'limit_plan_item' | 'limit_agent' | 'limit_global';

/** Words the limit briefly with its numbers, for the step that it affects: `3 in 60 min for this plan item`. */
export function limitNote(limit: LimitReached, limits: RecoveryLimits): string {
  const within = `in ${Math.round(limits.windowMs / 60_000)} min`;
  switch (limit) {
    case 'limit_incident':
      return `limit reached: ${limits.perIncident} for this incident`;
    case 'limit_plan_item':
      return `limit reached: ${limits.perPlanItem} ${within} for this plan item`;
    case 'limit_agent':
      return `limit reached: ${limits.perAgent} ${within} for this agent`;
    case 'limit_global':
      return `limit reached: ${limits.global} ${within} for all agents`;
  }
}

/** Returns the limit that forbids another automatic attempt, the narrowest first; null if none does. */
export function limitReached(
  ledger: readonly LedgerEntry[],
  what: { readonly incident: string; readonly session: string; readonly planItem: string | null; readonly now: number },
  limits: RecoveryLimits,
): LimitReached | null {
  const { incident, session, planItem, now } = what;
  const recent = ledger.filter((entry) => entry.at > now - limits.windowMs && entry.at <= now);
  const ofSession = recent.filter((entry) => entry.session === session);
  if (ledger.filter((entry) => entry.incident === incident).length >= limits.perIncident) return 'limit_incident';
  if (planItem !== null && ofSession.filter((entry) => entry.planItem === planItem).length >= limits.perPlanItem)
    return 'limit_plan_item';
  if (ofSession.length >= limits.perAgent) return 'limit_agent';
  if (recent.length >= limits.global) return 'limit_global';
  return null;
}
