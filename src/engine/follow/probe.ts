import { readdirSync } from 'node:fs';
import type { LivenessProbe } from '../../agents/transcripts';
import { readTextNow } from '../../base/files';
import { isProcessAlive } from '../../base/util/process';

/** Processes and small files of this machine. Start times are known on Linux only; elsewhere signal 0 shows whether a process runs. */
export const systemProbe: LivenessProbe = {
  list(folder) {
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
    const fields = fieldsIn(stat);
    // It has ended, and its exit code has not been collected yet: in a container without an init it stays like that.
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  },
};

/** Reads the parent from the text of `/proc/<pid>/stat`. Null if there is none. */
export function parentInStat(stat: string | undefined): number | null {
  const field = fieldsIn(stat ?? '')[1];
  return field !== undefined && /^\d{1,10}$/.test(field) ? Number(field) : null;
}

/** Returns the fields of `/proc/<pid>/stat` from the third on; the second is a name in parentheses, which may hold blanks and parentheses itself. */
function fieldsIn(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Returns the text of a small file; undefined if it cannot be read or is larger than 256 KB. */
export function readSmall(path: string): string | undefined {
  const read = readTextNow(path, { limit: 256 * 1024 });
  return read.ok ? read.value : undefined;
}
