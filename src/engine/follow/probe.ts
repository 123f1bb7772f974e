import { existsSync, readdirSync } from 'node:fs';
import type { LivenessProbe } from '../../agents/transcripts';
import { readTextNow } from '../../base/files';
import { isProcessAlive } from '../../base/util/process';

/** Processes and small files of this machine. Start times are known on Linux only; elsewhere signal 0 shows whether a process runs. */
export const systemProbe: LivenessProbe = {
  list(folder) {
    // Asked again and again of agents that are not there: an error costs ten times the look.
    if (!existsSync(folder)) return [];
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  },
  read: readSmall,
  processStart(pid) {
    const stat = readSmall(`/proc/${pid}/stat`);
    if (stat === undefined) return process.platform !== 'linux' && isProcessAlive(pid) ? '' : null;
    // From field 3 on; the second is the name in parentheses, which may hold blanks and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // It has ended, and nobody has asked for its exit code yet: in a container without an init that stays so.
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  },
};

/** Text of a small file, undefined where it cannot be read or is larger than 256 KB. */
export function readSmall(path: string): string | undefined {
  const read = readTextNow(path, { limit: 256 * 1024 });
  return read.ok ? read.value : undefined;
}
