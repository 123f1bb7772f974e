import { counted, whole } from '../../../base/util/counts';
import type { NotStuck } from '../../model';
import { cardOf } from '../../rules';
import { age, cutWords, short } from '../format';
import { ruleName } from './rules';

/** Longest call in a message of the editor. */
const CALL = 80;

/** Says how long a rule stays quiet after *Not Stuck*: `quiet until 12`, `quiet until 40 min`. */
export function limitWords({ detector, limit }: Pick<NotStuck, 'detector' | 'limit'>): string {
  switch (cardOf(detector).unit) {
    case 'percent':
      return limit > 100 ? 'quiet' : `quiet until ${whole(limit)} %`;
    case 'minutes':
      return `quiet until ${age(limit * 60_000)}`;
    case 'characters':
      return `quiet until ${short(limit)} characters`;
    case 'times':
      return `quiet until ${whole(limit)}`;
  }
}

/** Confirms *Not Stuck*: `Not stuck. “Same call again” is quiet until 12 about: make`. */
export function notStuckSaid(said: Pick<NotStuck, 'detector' | 'rule' | 'limit' | 'subject'>): string {
  const rule = ruleName(said.detector, said.rule);
  const limit = limitWords(said);
  return said.subject === ''
    ? `Not stuck. “${rule}” is ${limit}.`
    : `Not stuck. “${rule}” is ${limit} about: ${cutWords(said.subject, CALL)}`;
}

/** Number of calls that are named for a rule; the others are counted. */
const NAMED = 3;

/** Describes the feedback on one rule here: `You marked it as wrong here 2 times: make, cargo build`; empty where there is none. */
export function wrongHere(said: readonly Pick<NotStuck, 'subject'>[]): string {
  if (said.length === 0) return '';
  const calls = said.map(({ subject }) => cutWords(subject, CALL)).filter((subject) => subject !== '');
  const wrong = `You marked it as wrong here ${said.length === 1 ? 'once' : counted(said.length, 'time')}`;
  if (calls.length === 0) return wrong;
  const named = calls.slice(-NAMED).reverse().join(', ');
  const about = calls.length > NAMED ? `${named} and ${whole(calls.length - NAMED)} more` : named;
  return `${wrong}: ${about}`;
}
