import type { NotStuck } from '../model';
import { cardOf } from '../rules';
import { age, counted, cutWords, short, whole } from './format';
import { ruleName } from './rules';

/** Longest call in a message of the editor. */
const CALL = 80;

/** How long a rule stays quiet after *Not Stuck*: `quiet until 12`, `quiet until 40 min`. */
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

/** After *Not Stuck*: `Not stuck. “Same call again” is quiet until 12 about: make`. */
export function notStuckSaid(said: Pick<NotStuck, 'detector' | 'rule' | 'limit' | 'subject'>): string {
  const quiet = `Not stuck. “${ruleName(said.detector, said.rule)}” is ${limitWords(said)}`;
  return said.subject === '' ? `${quiet}.` : `${quiet} about: ${cutWords(said.subject, CALL)}`;
}

/** Calls that are named of a rule; the others are counted. */
const NAMED = 3;

/** What people said of one rule here: `You said 2 times that it was wrong here: make, cargo build`; empty where they said nothing. */
export function wrongHere(said: readonly Pick<NotStuck, 'subject'>[]): string {
  if (said.length === 0) return '';
  const calls = said.map(({ subject }) => cutWords(subject, CALL)).filter((subject) => subject !== '');
  const more = calls.length > NAMED ? ` and ${whole(calls.length - NAMED)} more` : '';
  const about = calls.length > 0 ? `: ${calls.slice(-NAMED).reverse().join(', ')}${more}` : '';
  return `You said ${counted(said.length, 'time')} that it was wrong here${about}`;
}
