import { valueText } from '../../base/util/value-text';
import type { StoreEvent } from '../types';

/** Two entries of the event log that cannot both be true, or one without what must come before it. */
export interface Contradiction {
  readonly code:
    | 'resolved_twice'
    | 'learned_twice'
    | 'learned_otherwise'
    | 'delivered_twice'
    | 'delivered_backwards'
    | 'never_queued'
    | 'judged_twice'
    | 'judged_otherwise'
    | 'other_rung';
  /** The later of the two. */
  readonly event: StoreEvent;
  /** One sentence. */
  readonly text: string;
}

/** Order in which a message advances. States with the same number exclude each other. */
const DELIVERY: Readonly<Record<string, number>> = {
  queued: 0,
  taken: 1,
  seen: 2,
  acted: 3,
  withdrawn: 3,
  expired: 3,
  failed: 3,
};

/** Rungs that an action can take. An action that is not named here may take any. */
const RUNGS: Readonly<Record<string, readonly string[]>> = {
  nudge: ['feedback'],
  block: ['feedback'],
  reassign: [],
  restart: ['fresh', 'feedback', 'next_model', 'top_model'],
  escalate: ['next_model', 'top_model'],
  ask: ['ask'],
};

/** Endings of an incident whose agent did not recover, as a `Resolution` names them. */
const NOT_RECOVERED: ReadonlySet<unknown> = new Set([
  'stuck',
  'session',
  'went_on',
  'rule_off',
  'not_stuck',
  'unknown',
]);

/** Finds contradictions in the event log. `events`: in the order of the log, of whole incidents. */
export function contradictionsIn(events: readonly StoreEvent[]): readonly Contradiction[] {
  const found: Contradiction[] = [];
  const incidents = new Map<string, IncidentLog>();
  for (const event of events) {
    if (event.incident === undefined) continue;
    const log = incidents.get(event.incident) ?? new IncidentLog();
    incidents.set(event.incident, log);
    for (const [code, text] of log.take(event)) found.push({ code, event, text });
  }
  return found;
}

type Said = readonly [Contradiction['code'], string];

/** The contents of the log about one incident so far. */
class IncidentLog {
  private resolved: unknown = null;
  private learned = false;
  private readonly delivered = new Map<unknown, Set<string>>();
  private readonly judged = new Map<unknown, unknown>();

  take({ type, data }: StoreEvent): readonly Said[] {
    switch (type) {
      case 'StuckObservation':
        // A streak that is observed again begins the next cycle.
        this.resolved = null;
        this.learned = false;
        return [];
      case 'Resolution':
        return this.resolution(data);
      case 'Learning':
        return this.learning(data);
      case 'Delivery':
        return this.delivery(data);
      case 'Recovery':
        return data['action'] === 'result' ? this.judgement(data) : rungOf(data);
      default:
        return [];
    }
  }

  private resolution({ outcome }: StoreEvent['data']): Said[] {
    const before = this.resolved;
    this.resolved = outcome;
    return before === null
      ? []
      : [['resolved_twice', `It was over before (${valueText(before)}), and is over again (${valueText(outcome)}).`]];
  }

  private learning({ state }: StoreEvent['data']): Said[] {
    const said: Said[] = [];
    if (this.learned) said.push(['learned_twice', 'This cycle has its learning already.']);
    this.learned = true;
    if (this.resolved === null || (state === 'recovered' && NOT_RECOVERED.has(this.resolved))) {
      const ending = this.resolved === null ? 'is not over' : `ended as ${valueText(this.resolved)}`;
      said.push(['learned_otherwise', `The learning says ${valueText(state)}, and the incident ${ending}.`]);
    }
    return said;
  }

  private delivery({ message, state }: StoreEvent['data']): Said[] {
    const now = valueText(state);
    const states = this.delivered.get(message) ?? new Set();
    this.delivered.set(message, states);
    const before = [...states];
    states.add(now);
    if (before.includes(now)) return [['delivered_twice', `The message became ${now} twice.`]];
    const later = before.find((one) => (DELIVERY[one] ?? 0) >= (DELIVERY[now] ?? 0));
    if (later !== undefined) return [['delivered_backwards', `The message became ${now} after it was ${later}.`]];
    const isSent = before.length > 0 || now === 'queued' || now === 'taken';
    return isSent ? [] : [['never_queued', `The message became ${now} without having been queued or taken.`]];
  }

  private judgement({ message, result }: StoreEvent['data']): Said[] {
    const before = this.judged.get(message);
    this.judged.set(message, result);
    if (before === undefined) return [];
    return before === result
      ? [['judged_twice', `The attempt has this result already (${valueText(result)}).`]]
      : [['judged_otherwise', `The attempt was ${valueText(before)} before, and is ${valueText(result)} now.`]];
  }
}

function rungOf({ action, rungKind, result }: StoreEvent['data']): Said[] {
  const allowed = RUNGS[valueText(action)];
  if (allowed === undefined || rungKind === null || rungKind === undefined || allowed.includes(valueText(rungKind)))
    return [];
  return [['other_rung', `${valueText(action)} (${valueText(result)}) is no step “${valueText(rungKind)}”.`]];
}
