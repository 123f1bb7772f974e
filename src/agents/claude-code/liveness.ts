import { asNumber, asText, parseRecord } from '../shared/decode';
import type { Liveness, LivenessProbe, LocateEnvironment } from '../transcripts';
import { configFolder } from './locate';

/**
 * Lists live sessions from `sessions/<pid>.json`. The CLI updates the file within 100 ms and removes it when it ends. After a kill the file remains,
 * so the process and its start time are checked, because process ids are reused.
 */
export function liveness(environment: LocateEnvironment, probe: LivenessProbe): ReadonlyMap<string, Liveness> {
  const folder = `${configFolder(environment)}/sessions`;
  const found = new Map<string, Liveness>();
  for (const name of probe.list(folder)) {
    if (!/^\d{1,10}\.json$/.test(name)) continue;
    const entry = parseRecord(probe.read(`${folder}/${name}`) ?? '');
    const session = asText(entry?.['sessionId']);
    if (!entry || session === undefined) continue;
    const pid = asNumber(entry['pid']) ?? Number.parseInt(name, 10);
    const one = read(entry, pid, isAlive(probe.processStart(pid), entry['procStart'], environment.platform));
    const other = found.get(session);
    if (!other || isBetter(one, other)) found.set(session, one);
  }
  return found;
}

function isAlive(start: string | null, recorded: unknown, platform: NodeJS.Platform): boolean {
  if (start === null) return false;
  // The unit of the recorded start time is known only on Linux: clock ticks, as in /proc.
  if (platform !== 'linux' || (typeof recorded !== 'string' && typeof recorded !== 'number')) return true;
  return start === String(recorded);
}

function read(entry: Readonly<Record<string, unknown>>, pid: number, alive: boolean): Liveness {
  if (!alive) return { alive, pid };
  const status = entry['status'];
  const since = asNumber(entry['statusUpdatedAt']);
  const known = status === 'idle' || status === 'busy' || status === 'waiting';
  const reason = asText(entry['waitingFor']);
  return {
    alive,
    pid,
    ...(known && { status }),
    ...(status === 'waiting' && {
      waitingFor: reason === undefined || /permission/i.test(reason) ? 'permission' : 'question',
    }),
    ...(since !== undefined && { since }),
  };
}

/** A resumed session has a stale file and a live one; of two live ones (possible, and harmful) the newer counts. */
function isBetter(one: Liveness, other: Liveness): boolean {
  if (one.alive !== other.alive) return one.alive;
  return (one.since ?? 0) > (other.since ?? 0);
}
