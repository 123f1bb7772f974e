import type { Liveness, LivenessProbe, LocateEnvironment } from '../transcripts';
import { sessionsFolder, stateIn } from './folder';
import { mayRun } from '../shared/process-name';

/** Number of sessions checked at once, the newest: their names begin with their time. */
const MOST = 50;

/** Reads `<session>.json`, which names the process and says whether the session runs. It stays as it is after a kill, so the process decides. */
export function liveness({ home, env }: LocateEnvironment, probe: LivenessProbe): ReadonlyMap<string, Liveness> {
  const folder = sessionsFolder(home, env);
  const found = new Map<string, Liveness>();
  for (const session of [...probe.list(folder)].sort().slice(-MOST)) {
    const { pid, status } = stateIn(probe.read(`${folder}/${session}/${session}.json`));
    if (pid === undefined || !Number.isInteger(pid) || pid <= 0) continue;
    found.set(session, {
      alive: status === 'running' && probe.processStart(pid) !== null && mayRun(/cline/i, pid, probe),
      pid,
    });
  }
  return found;
}
