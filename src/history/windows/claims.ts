import { type Hold, type Owner, acquire } from './exclusive';
import type { StorePaths } from '../store-paths';
import { prepareKey } from '../prepare';
import type { Claim, IncidentKey } from '../types';

/** Claims of one window. */
export interface Claims {
  claim(key: IncidentKey, what: string): Promise<Claim | null>;
  /** Returns unfinished claims. */
  close(): Promise<void>;
}

export function createClaims(places: StorePaths, owner: Owner, onError: (error: unknown) => void): Claims {
  const open = new Map<string, Hold>();
  /** Claims in memory: if nothing can be written, this window can still keep order within itself. */
  const alone = new Map<string, 'held' | 'done'>();

  function claimAlone(path: string): Claim | null {
    if (alone.has(path)) return null;
    alone.set(path, 'held');
    return {
      done: () => Promise.resolve(void alone.set(path, 'done')),
      release: () => Promise.resolve(void (alone.get(path) === 'held' && alone.delete(path))),
    };
  }

  return {
    async claim(key, what) {
      const path = places.claim({ ...key, key: prepareKey(key.key) }, what);
      if (open.has(path) || alone.has(path)) return null;
      let hold: Hold | null;
      try {
        hold = await acquire(path, owner);
      } catch (error) {
        onError(error);
        return claimAlone(path);
      }
      if (!hold) return null;
      open.set(path, hold);
      const end = async (how: () => Promise<void>) => {
        if (open.get(path) !== hold) return;
        open.delete(path);
        await how().catch(onError);
      };
      return { done: () => end(() => hold.finish()), release: () => end(() => hold.release()) };
    },
    async close() {
      const holds = [...open.values()];
      open.clear();
      await Promise.all(holds.map((hold) => hold.release().catch(onError)));
    },
  };
}
