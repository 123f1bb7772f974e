import { type PanelSnapshot } from '../panel-model';
import { gatesOutcome, leadSentence, plain, recoveryLabel, stateSentence } from '../../core/words';

/** Time in which at most one change is announced, milliseconds: a screen reader must not talk without end. */
export const QUIET_MS = 10_000;

/** Decides what a screen reader announces: what changed, the newest change if they come too fast, but never the passing of time. */
export interface Announcer {
  /** Takes a snapshot. Returns the announcement to say now, or null. */
  state(snapshot: PanelSnapshot, now: number): string | null;
  /** Returns the announcement that was held back and may be said now, or null. */
  due(now: number): string | null;
}

/** Watched changes, gravest first. Of several at once, or while one is held back, the gravest is announced. */
const WATCHED = [stateOf, recoveryOf, gatesOf] as const;

interface Watched {
  /** A different key means a change. */
  readonly key: string;
  /** Returns the words to announce; empty if the change is not worth it. */
  readonly words: () => string;
}

export function createAnnouncer(): Announcer {
  let session: string | null = null;
  let keys: readonly string[] = [];
  let said = Number.NEGATIVE_INFINITY;
  let held: { readonly rank: number; readonly words: string } | null = null;

  const due = (now: number): string | null => {
    if (held === null || now - said < QUIET_MS) return null;
    const { words } = held;
    held = null;
    said = now;
    return words;
  };

  return {
    state(snapshot, now) {
      const before = keys;
      const isFirst = session === null;
      const isOther = session !== snapshot.session;
      const all = WATCHED.map((watch) => watch(snapshot));
      session = snapshot.session;
      keys = all.map((one) => one.key);
      // The state on opening is read with the panel itself.
      if (isFirst) return null;
      if (isOther) held = null;
      all.forEach(({ key, words }, rank) => {
        // For another agent only its state is announced, not its recovery and gates.
        if (isOther ? rank > 0 : key === before[rank]) return;
        const text = words();
        if (text !== '' && (held === null || rank <= held.rank)) held = { rank, words: `${snapshot.title}: ${text}` };
      });
      return due(now);
    },
    due,
  };
}

/** Watches the first sentence of the panel, so that the announcement is the same sentence. */
function stateOf({ state, lead, now }: PanelSnapshot): Watched {
  return {
    key: [state.kind, state.waitingFor, state.probable].join(),
    words: () =>
      plain(lead.kind === 'incident' ? stateSentence({ state, now, explanation: lead.why }) : leadSentence(lead, now)),
  };
}

/** Watches the step of the ladder, and whether automatic mode is about to act. */
function recoveryOf({ recovery, incident, now }: PanelSnapshot): Watched {
  const current = recovery?.rungs.find((rung) => rung.state === 'current');
  const automatic = recovery?.automatic ?? null;
  const mode = automatic?.held ? 'held' : automatic?.nextAt !== undefined ? 'counts' : '';
  return {
    key: recovery && incident ? `${incident.id} ${current?.name ?? ''} ${mode}` : '',
    words: () => {
      if (!recovery) return '';
      const label = recoveryLabel(automatic, now);
      return [label, current?.name, current?.note]
        .filter((part) => part)
        .join(', ')
        .concat('.');
    },
  };
}

function gatesOf({ gates }: PanelSnapshot): Watched {
  return {
    key: gates ? `${gates.startedAt} ${gates.verdict}` : '',
    words: () => (gates ? gatesOutcome(gates) : ''),
  };
}
