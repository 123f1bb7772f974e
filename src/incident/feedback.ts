import { type Incident, type NotStuck, type RaisedLimit } from '../model';
import { textDigest } from '../util/hash';

/** Patterns that are remembered: a person says so of few calls, and the oldest are the least likely to come back. */
const REMEMBERED = 200;

/**
 * What *Not Stuck* on an incident means: its rule speaks of this call again from twice the count on.
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

/** The list with one more, the newest last. What was said before of the same rule and call is replaced. */
export function withNotStuck(list: readonly NotStuck[], one: NotStuck): readonly NotStuck[] {
  return [...withoutNotStuck(list, one), one].slice(-REMEMBERED);
}

/** The list after it was taken back. */
export function withoutNotStuck(list: readonly NotStuck[], one: RaisedLimit): readonly NotStuck[] {
  return list.filter(({ detector, rule, call }) => detector !== one.detector || rule !== one.rule || call !== one.call);
}
