import { type Contents, applyRecord, createContents, agentSessionKey } from './contents';
import type { StoreRecord } from '../journal/records';
import type { StoreChange } from '../types';

type Source = StoreChange['source'];

/** Everything that this window knows, with its change notifications. */
export interface Memory {
  readonly contents: Contents;
  /** Applies a record. False if it contained nothing new. */
  apply(record: StoreRecord, source: Source): boolean;
  /** Returns the changes by this source since the last call, or null. */
  changes(source: Source): StoreChange | null;
  /** Returns the records read from the history, with later changes. */
  history(): Generator<StoreRecord>;
  /** Yields everything that is known. */
  all(): Generator<StoreRecord>;
  /** Returns the changes since the last call. */
  news(): readonly StoreRecord[];
}

interface Changed {
  readonly incidents: Set<string>;
  readonly removed: Set<string>;
  readonly events: Set<string>;
  readonly learnings: Set<string>;
}

export function createMemory(): Memory {
  const contents = createContents();
  const pending = new Map<Source, Changed>();
  /** Keys of the records that changed, by kind and id. */
  let stale = new Map<string, { readonly kind: StoreRecord['k']; readonly id: string }>();
  const fromHistory = new Set<string>();

  function pendingOf(source: Source): Changed {
    const known = pending.get(source);
    if (known) return known;
    const made: Changed = { incidents: new Set(), removed: new Set(), events: new Set(), learnings: new Set() };
    pending.set(source, made);
    return made;
  }

  function renew(kind: StoreRecord['k'], id: string): void {
    stale.set(`${kind} ${id}`, { kind, id });
  }

  /** Returns the record as it is known by now; undefined if it was deleted since. */
  function recordAt(kind: StoreRecord['k'], id: string): StoreRecord | undefined {
    switch (kind) {
      case 'journal':
        return undefined;
      case 'incident': {
        const kept = contents.incidents.get(id);
        return kept && { k: 'incident', ...kept };
      }
      case 'remove': {
        const removal = contents.removed.get(id);
        return removal && { k: 'remove', id, ...removal };
      }
      case 'event': {
        const event = contents.events.get(id);
        return event && { k: 'event', event };
      }
      case 'learning': {
        const learning = contents.learnings.get(id);
        return learning && { k: 'learning', learning };
      }
      case 'session': {
        const session = contents.sessions.get(id);
        return session && { k: 'session', session };
      }
    }
  }

  function* records(isMeant: (id: string) => boolean): Generator<StoreRecord> {
    for (const [id, removal] of contents.removed) yield { k: 'remove', id, ...removal };
    for (const [id, kept] of contents.incidents) if (isMeant(id)) yield { k: 'incident', ...kept };
    for (const event of contents.events.values()) yield { k: 'event', event };
    for (const learning of contents.learnings.values()) yield { k: 'learning', learning };
    for (const session of contents.sessions.values()) yield { k: 'session', session };
  }

  function note(record: StoreRecord, changed: Changed): void {
    switch (record.k) {
      case 'incident':
        changed.incidents.add(record.incident.id);
        return renew('incident', record.incident.id);
      case 'remove':
        changed.removed.add(record.id);
        return renew('remove', record.id);
      case 'event':
        changed.events.add(record.event.id);
        return renew('event', record.event.id);
      case 'learning':
        changed.learnings.add(record.learning.id);
        return renew('learning', record.learning.id);
      case 'session':
        return renew('session', agentSessionKey(record.session));
      case 'journal':
        return;
    }
  }

  return {
    contents,
    apply(record, source) {
      if (source === 'history' && record.k === 'incident') fromHistory.add(record.incident.id);
      if (!applyRecord(contents, record)) return false;
      note(record, pendingOf(source));
      return true;
    },
    changes(source) {
      const changed = pending.get(source);
      pending.delete(source);
      if (!changed) return null;
      const { incidents, removed, events, learnings } = changed;
      if (incidents.size + removed.size + events.size + learnings.size === 0) return null;
      return {
        source,
        incidents: [...incidents],
        removed: [...removed],
        events: [...events],
        learnings: [...learnings],
      };
    },
    history: () => records((id) => fromHistory.has(id)),
    all: () => records(() => true),
    news() {
      const changed = [...stale.values()];
      stale = new Map();
      return changed.flatMap(({ kind, id }) => recordAt(kind, id) ?? []);
    },
  };
}
