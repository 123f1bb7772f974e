import type { Incident } from '../../core/model';
import { toStored, shownIncident } from './merge';
import type { StoredIncident } from '../journal/records';

/** Longest delay of an update that only counts, so that it is written together with the next one, milliseconds. */
const COUNTING_MS = 1_000;

interface Saved {
  readonly kept: StoredIncident;
  state: 'waiting' | 'written' | 'failed';
  readonly written: Promise<void>;
}

/** The last version of each incident from this window itself, with which its next one is compared. */
export interface OwnViews {
  /** Returns what to write, and how soon; only `written` if nothing has changed since that write was begun. */
  next(
    incident: Incident,
  ):
    | { readonly kept: StoredIncident; readonly delayMs: number; readonly isFirst: boolean }
    | { readonly written: Promise<void> };
  /** Notes what is being written. */
  saved(kept: StoredIncident, written: Promise<void>): void;
  /** Takes over the record of an earlier window. */
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

/** True if only the count changed, and what goes with it. */
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
