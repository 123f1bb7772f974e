import { type PanelSnapshot, announcement } from '../protocol';

/** One change of state is said at most in so many milliseconds (design/UI.md 11). */
export const QUIET_MS = 10_000;

/** Decides what a screen reader is told: changes of state, the newest when they come too fast; never the time that passes. */
export interface Announcer {
  /** The state of a snapshot. Returns what to say now, or null. */
  state(snapshot: PanelSnapshot, now: number): string | null;
  /** What was held back and may be said now, or null. */
  due(now: number): string | null;
}

export function createAnnouncer(): Announcer {
  let kind: string | null = null;
  let said = Number.NEGATIVE_INFINITY;
  let held: string | null = null;

  const due = (now: number): string | null => {
    if (held === null || now - said < QUIET_MS) return null;
    const words = held;
    held = null;
    said = now;
    return words;
  };

  return {
    state(snapshot, now) {
      const next = `${snapshot.session}/${snapshot.state.kind}`;
      const isFirst = kind === null;
      if (next === kind) return due(now);
      kind = next;
      // The state on opening is read with the panel itself.
      if (isFirst) return null;
      held = announcement(snapshot.title, {
        state: snapshot.state,
        now: snapshot.now,
        ...(snapshot.lead.kind === 'incident' && { explanation: snapshot.lead.why }),
        ...(snapshot.watch && { watch: snapshot.watch }),
        ...(snapshot.vitals.lastNew && { lastNewAt: snapshot.vitals.lastNew.at }),
        coverage: snapshot.coverage,
      });
      return due(now);
    },
    due,
  };
}
