import { readdir, readlink } from 'node:fs/promises';

const MOST_PROCESSES = 20_000;
/** Limit for the open files of a process that are checked. */
const MOST_OPEN = 2_000;

/**
 * Creates a check for which of some files a process of this machine has open. Linux only, elsewhere none; other users' processes are not visible.
 * Checking all processes takes a tenth of a second of processor time, so later checks begin with the processes that had the files open.
 *
 * @param proc where the system shows its processes
 */
export function createOpenFiles(proc = '/proc'): (files: ReadonlySet<string>) => Promise<ReadonlySet<string>> {
  /** Processes that had files open at the last check. */
  let holders = new Set<string>();
  /** @param files absolute, without links */
  return async (files) => {
    const found = new Set<string>();
    const holding = new Set<string>();
    const look = async (id: string) => {
      const open = await readdir(`${proc}/${id}/fd`).catch(() => []);
      for (const name of open.slice(0, MOST_OPEN)) {
        const file = await readlink(`${proc}/${id}/fd/${name}`).catch(() => '');
        if (!files.has(file)) continue;
        found.add(file);
        holding.add(id);
      }
    };
    for (const id of holders) await look(id);
    if (found.size < files.size) {
      const ids = (await readdir(proc).catch(() => [])).filter((name) => /^\d{1,10}$/.test(name));
      for (const id of ids.slice(0, MOST_PROCESSES)) {
        if (found.size === files.size) break;
        if (!holders.has(id)) await look(id);
      }
    }
    holders = holding;
    return found;
  };
}
