import type { FeedbackEntry, Incident, NotStuck, RaisedLimit } from '../../core/model';
import { textDigest } from '../../base/util/hash';

/** Number of patterns that are remembered: a person says this about few calls, and the oldest are the least likely to come back. */
const REMEMBERED = 200;

/**
 * Turns *Not Stuck* on an incident into a raised limit: its rule reports this call again only from twice the count on.
 *
 * @param shown the subject without secrets, for lists
 * @param at milliseconds since the epoch
 */
export function notStuck(incident: Incident, shown: string, at: number): NotStuck {
  const { id, agent, session, folder, detector, rule, subject, count } = incident;
  return {
    detector,
    rule,
    call: textDigest(subject),
    limit: 2 * count,
    incident: id,
    agent,
    session,
    ...(folder !== undefined && { folder }),
    subject: shown,
    count,
    at,
  };
}

/** Adds one to the list, the newest last. Replaces earlier feedback on the same rule and call. */
export function withNotStuck(list: readonly NotStuck[], one: NotStuck): readonly NotStuck[] {
  return [...withoutNotStuck(list, one), one].slice(-REMEMBERED);
}

/** Returns the list after the feedback was withdrawn. */
export function withoutNotStuck(list: readonly NotStuck[], one: RaisedLimit): readonly NotStuck[] {
  return list.filter((other) => !sameAlarm(other, one));
}

/**
 * Returns the list after entries of other windows, and what is new in it. For each call the last entry counts, from any window; the list is the same
 * object if nothing is new.
 *
 * @param entries oldest first
 */
export function heard(list: readonly NotStuck[], entries: readonly FeedbackEntry[]): Heard {
  const last = new Map<string, FeedbackEntry>();
  for (const entry of entries) last.set(nameOf(entry), entry);
  const said: NotStuck[] = [];
  const takenBack: FeedbackEntry[] = [];
  let after = list;
  for (const [name, entry] of last) {
    const known = list.find((one) => nameOf(one) === name);
    const { action, ...one } = entry;
    if (action === 'not_stuck' && (!known || known.at < one.at)) {
      said.push(one);
      after = withNotStuck(after, one);
    } else if (action === 'taken_back' && known && known.at <= one.at) {
      takenBack.push(entry);
      after = withoutNotStuck(after, one);
    }
  }
  return { list: said.length > 0 ? [...after].sort((a, b) => a.at - b.at) : after, said, takenBack };
}

export interface Heard {
  readonly list: readonly NotStuck[];
  readonly said: readonly NotStuck[];
  /** `at` is the time of the withdrawal. */
  readonly takenBack: readonly NotStuck[];
}

/** Returns whether both are about the same rule and call. */
export function sameAlarm(one: AlarmName, other: AlarmName): boolean {
  return nameOf(one) === nameOf(other);
}

type AlarmName = Pick<RaisedLimit, 'detector' | 'rule' | 'call'>;

function nameOf({ detector, rule, call }: AlarmName): string {
  return `${detector}/${rule ?? ''}/${call}`;
}
