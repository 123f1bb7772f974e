import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { IncidentKey } from './types';

/** Paths in the folder of a store. docs/storage.md describes them. */
export interface StorePaths {
  readonly folder: string;
  /** The SQLite file. */
  readonly snapshot: string;
  /** Records of the last days in the format of a journal, readable without a database engine. */
  readonly recent: string;
  /** The search index; missing parts are built. */
  readonly searchIndex: string;
  /** Damage that was found last, and repaired. */
  readonly damage: string;
  readonly journals: string;
  /** Line counts of the journals. */
  readonly counts: string;
  readonly lock: string;
  readonly claims: string;
  readonly claim: (key: IncidentKey, what: string) => string;
}

export function storePaths(folder: string): StorePaths {
  const claims = join(folder, 'claims');
  return {
    folder,
    snapshot: join(folder, 'incidents.sqlite'),
    recent: join(folder, 'recent.jsonl'),
    searchIndex: join(folder, 'search.index'),
    damage: join(folder, 'damage.json'),
    journals: join(folder, 'journal'),
    // Sorted before the journals by name, so that a backup copies it first: it never claims more lines than they have.
    counts: join(folder, 'counts'),
    lock: join(folder, 'lock'),
    claims,
    claim: (key, what) =>
      join(
        claims,
        createHash('sha256')
          .update(JSON.stringify([key.agent, key.session, key.key, what]))
          .digest('hex')
          .slice(0, 32),
      ),
  };
}
