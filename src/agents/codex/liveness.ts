import type { Liveness, LivenessProbe, LocateEnvironment } from '../transcripts';
import { codexHome } from './locate';

const LOCK = /^([0-9A-Za-z-]{8,64})\.lock$/;
const CODEX = /^codex/;

/**
 * Reads the locks of live threads. `thread-writer-locks/<thread id>.lock` exists while a process writes the thread; a clean end removes it. A kill
 * leaves it, empty and without a process id (measured with 0.169.0). If no Codex process runs on the whole machine, a lock belongs to a dead one; if
 * one does, the thread may be alive. Where processes cannot be listed (not Linux), a lock says nothing.
 */
export function liveness(environment: LocateEnvironment, probe: LivenessProbe): ReadonlyMap<string, Liveness> {
  const sessions = new Map<string, Liveness>();
  if (environment.platform !== 'linux') return sessions;
  const folder = `${codexHome(environment)}/thread-writer-locks`;
  const threads = probe.list(folder).flatMap((name) => LOCK.exec(name)?.[1] ?? []);
  if (threads.length === 0) return sessions;
  const processes = codexProcesses(probe);
  if (processes === null) return sessions;
  for (const thread of threads) {
    const only = threads.length === 1 && processes.length === 1 ? processes[0] : undefined;
    sessions.set(thread, { alive: processes.length > 0, ...(only !== undefined && { pid: only }) });
  }
  return sessions;
}

/** Returns process ids by the name of the program; null if there is no list of processes. */
function codexProcesses(probe: LivenessProbe): readonly number[] | null {
  const ids = probe.list('/proc').filter((name) => /^\d{1,10}$/.test(name));
  if (ids.length === 0) return null;
  const named = ids.filter((id) => CODEX.test(probe.read(`/proc/${id}/comm`) ?? '')).map(Number);
  // A process that has ended keeps its name until its exit status is collected.
  return named.filter((id) => probe.processStart(id) !== null);
}
