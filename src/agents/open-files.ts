import { readdir, readlink } from 'node:fs/promises';

const MOST_PROCESSES = 20_000;
/** Open files of a process that are looked at. */
const MOST_OPEN = 2_000;

/**
 * Those of some files that a process of this machine has open. Linux only, elsewhere none; of the processes of others nothing is seen.
 *
 * @param files absolute, without links
 * @param proc where the system shows its processes
 */
export async function openFiles(files: ReadonlySet<string>, proc = '/proc'): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const ids = (await readdir(proc).catch(() => [])).filter((name) => /^\d{1,10}$/.test(name));
  for (const id of ids.slice(0, MOST_PROCESSES)) {
    const open = await readdir(`${proc}/${id}/fd`).catch(() => []);
    for (const name of open.slice(0, MOST_OPEN)) {
      const file = await readlink(`${proc}/${id}/fd/${name}`).catch(() => '');
      if (files.has(file)) found.add(file);
    }
    if (found.size === files.size) break;
  }
  return found;
}
