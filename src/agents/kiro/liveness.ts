import type { Liveness, LivenessProbe, LocateEnvironment } from '../transcripts';
import { asNumber, parseRecord } from '../shared/decode';
import { sessionsFolder } from './places';
import { mayRun } from '../shared/process-name';

const LOCK = /^([^/\\]{1,200})\.lock$/;
/** Number of locks checked at once. */
const MOST = 200;

/** Returns the live sessions. `<session>.lock` names the process that has a session open. It stays behind after a kill, so the process decides. */
export function liveness(environment: LocateEnvironment, probe: LivenessProbe): ReadonlyMap<string, Liveness> {
  const folder = sessionsFolder(environment);
  const found = new Map<string, Liveness>();
  for (const name of probe.list(folder)) {
    const session = LOCK.exec(name)?.[1];
    if (session === undefined) continue;
    if (found.size >= MOST) break;
    const pid = asNumber(parseRecord(probe.read(`${folder}/${name}`) ?? '')?.['pid']);
    if (pid === undefined || !Number.isInteger(pid) || pid <= 0) continue;
    found.set(session, { alive: probe.processStart(pid) !== null && mayRun(/kiro/i, pid, probe), pid });
  }
  return found;
}
