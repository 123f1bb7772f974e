import { type Contents, applyRecord, createContents } from './contents';
import type { StoreRecord } from '../journal/records';
import type { StoreChange } from '../types';

type Source = StoreChange['source'];

/** What this window knows, and who needs to hear of what changed in it. */
export interface Memory {
  readonly contents: Contents;
  /** Applies a record. False where it said nothing new. */
  apply(record: StoreRecord, source: Source): boolean;
  /** What changed by this source since the last time, or null. */
  changes(source: Source): StoreChange | null;
  /** What was read of the history, with what was heard of it since. */
  history(): Generator<StoreRecord>;
  /** Documents of the search that changed since the last time: `incident:` or `learning:` and the id. */
  staleDocuments(): readonly string[];
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
  let documents = new Set<string>();
  const fromHistory = new Set<string>();

  function pendingOf(source: Source): Changed {
    const known = pending.get(source);
    if (known) return known;
    const made: Changed = { incidents: new Set(), removed: new Set(), events: new Set(), learnings: new Set() };
    pending.set(source, made);
    return made;
  }

  function note(record: StoreRecord, changed: Changed): void {
    switch (record.k) {
      case 'incident':
        changed.incidents.add(record.incident.id);
        documents.add(`incident:${record.incident.id}`);
        return;
      case 'remove':
        changed.removed.add(record.id);
        documents.add(`incident:${record.id}`);
        documents.add(`learning:${record.id}`);
        return;
      case 'event':
        changed.events.add(record.event.id);
        return;
      case 'learning':
        changed.learnings.add(record.learning.id);
        documents.add(`learning:${record.learning.id}`);
        return;
      case 'session':
      case 'journal':
        return;
    }
  }

  return {
    contents,
    apply(record, source) {
      if (source === 'history' && record.k === 'incident') fromHistory.add(record.incident.id);
      if (applyRecord(contents, record) === null) return false;
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
    *history() {
      for (const [id, removal] of contents.removed) yield { k: 'remove', id, ...removal };
      for (const [id, kept] of contents.incidents) if (fromHistory.has(id)) yield { k: 'incident', ...kept };
      for (const event of contents.events.values()) yield { k: 'event', event };
      for (const learning of contents.learnings.values()) yield { k: 'learning', learning };
      for (const session of contents.sessions.values()) yield { k: 'session', session };
    },
    staleDocuments() {
      const stale = [...documents];
      documents = new Set();
      return stale;
    },
  };
}
