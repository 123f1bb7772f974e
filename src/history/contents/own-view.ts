import type { Incident } from '../../core/model';
import { toStored, shownIncident } from './merge';
import type { StoredIncident } from '../journal/records';

/** Longest delay of an update that only counts, to be written together with the next, milliseconds. */
const COUNTING_MS = 1_000;

interface Saved {
  readonly kept: StoredIncident;
  state: 'waiting' | 'written' | 'failed';
  readonly written: Promise<void>;
}

/** The last version of each incident from this window itself, against which its next one is compared. */
export interface OwnViews {
  /** Null: nothing has changed since `written` was begun, which is given. Otherwise what to write, and how soon. */
  next(
    incident: Incident,
  ):
    | { readonly kept: StoredIncident; readonly delayMs: number; readonly isFirst: boolean }
    | { readonly written: Promise<void> };
  /** Notes what is being written. */
  saved(kept: StoredIncident, written: Promise<void>): void;
  /** Takes up what an earlier window said. */
  adopt(kept: StoredIncident): void;
}

export function createOwnViews(): OwnViews {
  const views = new Map<string, Saved>();
  return {
    next(incident) {
      const before = views.get(incident.id);
      const kept = toStored(incident, before?.kept);
      if (before && before.state !== 'failed' && JSON.stringify(before.kept) === JSON.stringify(kept))
        return { written: before.written };
      const mayWait = before && before.state !== 'failed' && isMereCounting(shownIncident(before.kept), incident);
      return { kept, delayMs: mayWait ? COUNTING_MS : 0, isFirst: before === undefined };
    },
    saved(kept, written) {
      const saved: Saved = { kept, state: 'waiting', written };
      views.set(kept.incident.id, saved);
      written.then(
        () => void (saved.state = 'written'),
        () => void (saved.state = 'failed'),
      );
    },
    adopt(kept) {
      if (!views.has(kept.incident.id))
        views.set(kept.incident.id, { kept, state: 'written', written: Promise.resolve() });
    },
  };
}

/** The same but for the count and what goes with it. */
function isMereCounting(before: Incident, after: Incident): boolean {
  return (
    before.state === after.state &&
    before.level === after.level &&
    before.reopened === after.reopened &&
    before.notified === after.notified &&
    before.resolvedAt === after.resolvedAt &&
    before.outcome === after.outcome &&
    JSON.stringify(before.attempts) === JSON.stringify(after.attempts)
  );
}
