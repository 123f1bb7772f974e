import type { Liveness, LivenessProbe, LocateEnvironment } from '../transcripts';
import { stateFolder } from './locate';
import { mayRun } from '../shared/process-name';

const LOCK = /^inuse\.(\d{1,10})\.lock$/;
/** Session folders checked at one time, besides those that were alive: a store of years holds thousands. */
const LOOKED_AT = 100;

interface Known {
  readonly folders: Set<string>;
  readonly alive: Set<string>;
  next: number;
}

const known = new WeakMap<LivenessProbe, Known>();

/**
 * Returns the live sessions. `inuse.<pid>.lock` is in the folder of an open session and stays there after a kill, so the process decides whether the
 * session is alive (measured with 1.0.102). New folders are checked first, old ones in turn.
 */
export function liveness(environment: LocateEnvironment, probe: LivenessProbe): ReadonlyMap<string, Liveness> {
  const root = stateFolder(environment);
  const state = known.get(probe) ?? { folders: new Set(), alive: new Set(), next: 0 };
  known.set(probe, state);
  const folders = probe.list(root).filter((name) => !name.includes('.'));
  const found = new Map<string, Liveness>();
  for (const session of chosen(folders, state)) {
    const one = ofSession(`${root}/${session}`, probe);
    if (!one) {
      state.alive.delete(session);
      continue;
    }
    found.set(session, one);
    if (one.alive) state.alive.add(session);
    else state.alive.delete(session);
  }
  return found;
}

function chosen(folders: readonly string[], state: Known): ReadonlySet<string> {
  const now = new Set(folders);
  const names = new Set([...state.alive].filter((name) => now.has(name)));
  for (const name of folders) if (!state.folders.has(name) && names.size < LOOKED_AT) names.add(name);
  for (let n = 0; n < folders.length && names.size < LOOKED_AT; n++) {
    const name = folders[state.next++ % folders.length];
    if (name !== undefined) names.add(name);
  }
  for (const name of names) state.folders.add(name);
  for (const name of state.folders) if (!now.has(name)) state.folders.delete(name);
  return names;
}

function ofSession(folder: string, probe: LivenessProbe): Liveness | undefined {
  let last: Liveness | undefined;
  for (const name of probe.list(folder)) {
    const pid = Number(LOCK.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid)) continue;
    if (probe.processStart(pid) !== null && mayRun(/copilot/i, pid, probe)) return { alive: true, pid };
    last = { alive: false, pid };
  }
  return last;
}
