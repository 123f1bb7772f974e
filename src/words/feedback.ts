import type { NotStuck } from '../model';
import { cardOf } from '../rules';
import { age, cutWords, short, whole } from './format';
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
