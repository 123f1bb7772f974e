import { existsSync, readdirSync } from 'node:fs';
import type { LivenessProbe } from '../../agents/transcripts';
import { readTextNow } from '../../base/files';
import { isProcessAlive } from '../../base/util/process';

/** Processes and small files of this machine. Start times are known on Linux only; elsewhere signal 0 shows whether a process runs. */
export const systemProbe: LivenessProbe = {
  list(folder) {
    // Called again and again for agents that are not there: an error costs ten times as much as the check.
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
    // It has ended, and its exit code has not been collected yet: in a container without an init it stays like that.
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  },
};

/** Returns the text of a small file; undefined if it cannot be read or is larger than 256 KB. */
export function readSmall(path: string): string | undefined {
  const read = readTextNow(path, { limit: 256 * 1024 });
  return read.ok ? read.value : undefined;
}
