import { whole } from '../../../base/util/counts';
import { type MessageKind, WATCHED_STEPS } from '../../model';
import { clockSeconds } from '../format';
import { type Sentence, say } from '../parts';

/** A message whose effect is watched. */
export interface Watch {
  /** Kind of the message; a nudge where absent. */
  readonly kind?: MessageKind;
  /** `Nudge 2`; other kinds are not numbered. */
  readonly nudge: number;
  readonly takenAt: number;
  /** Number of steps since it was taken, and of those with a new result. */
  readonly seen: number;
  readonly fresh: number;
}

/** Names the watched action, at the head of a sentence: `Nudge 2`, `Gate feedback`, `The restart`. */
export function watchedName({ kind = 'nudge', nudge }: Pick<Watch, 'kind' | 'nudge'>): string {
  switch (kind) {
    case 'nudge':
      return nudge > 0 ? `Nudge ${whole(nudge)}` : 'The nudge';
    case 'gate':
      return 'Gate feedback';
    case 'block':
      return 'The blocked call';
    case 'stop':
      return 'The stop';
    case 'restart':
    case 'escalate':
      return 'The restart';
    case 'reassign':
      return 'The reassignment';
    case 'checkpoint':
      return 'The checkpoint';
  }
}

/** Returns `Nudge 2 was delivered at 17:09:38. Watching the next 5 calls: 2 seen, both new.` */
export function watchSentence(watch: Watch): Sentence {
  const seen =
    watch.seen === 0
      ? 'none yet'
      : watch.fresh < watch.seen
        ? `${whole(watch.seen)} seen, ${whole(watch.fresh)} new`
        : allNew(watch.seen);
  return say`${watchedName(watch)} was delivered at ${clockSeconds(watch.takenAt)}. Watching the next ${WATCHED_STEPS} calls: ${seen}.`;
}

function allNew(seen: number): string {
  if (seen === 1) return '1 seen, new';
  return seen === 2 ? '2 seen, both new' : `${whole(seen)} seen, all new`;
}
