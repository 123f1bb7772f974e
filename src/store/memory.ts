import { type Contents, applyRecord, createContents } from './contents';
import type { StoreRecord } from './records';
import type { StoreChange } from './types';

/** What this window knows, and who needs to hear of what changed in it. */
export interface Memory {
  readonly contents: Contents;
  /** Takes a record in. False where it said nothing new. */
  take(record: StoreRecord): boolean;
  /** What changed since the last time, or null. */
  changes(source: StoreChange['source']): StoreChange | null;
  /** Documents of the search that changed since the last time: `incident:` or `learning:` and the id. */
  staleDocuments(): readonly string[];
}

export function createMemory(): Memory {
  const contents = createContents();
  let incidents = new Set<string>();
  let removed = new Set<string>();
  let events = new Set<string>();
  let learnings = new Set<string>();
  let documents = new Set<string>();

  return {
    contents,
    take(record) {
      const changed = applyRecord(contents, record);
      if (changed === null) return false;
      switch (record.k) {
        case 'incident':
          incidents.add(record.incident.id);
          documents.add(`incident:${record.incident.id}`);
          break;
        case 'remove':
          removed.add(record.id);
          documents.add(`incident:${record.id}`);
          documents.add(`learning:${record.id}`);
          break;
        case 'event':
          events.add(record.event.id);
          break;
        case 'learning':
          learnings.add(record.learning.id);
          documents.add(`learning:${record.learning.id}`);
          break;
        case 'session':
        case 'journal':
          break;
      }
      return true;
    },
    changes(source) {
      if (incidents.size + removed.size + events.size + learnings.size === 0) return null;
      const change: StoreChange = {
        source,
        incidents: [...incidents],
        removed: [...removed],
        events: [...events],
        learnings: [...learnings],
      };
      incidents = new Set();
      removed = new Set();
      events = new Set();
      learnings = new Set();
      return change;
    },
    staleDocuments() {
      const stale = [...documents];
      documents = new Set();
      return stale;
    },
  };
}
