/**
 * The processes above one, itself first. Ends at the first process of the machine, or where a parent is not known. Pure.
 *
 * @param parentOf null where nobody knows it
 */
export function familyOf(pid: number, parentOf: (pid: number) => number | null): readonly number[] {
  const family: number[] = [];
  // A process that ends meanwhile may give its id to another one: no line is long.
  for (let next: number | null = pid; next !== null && next > 1 && family.length < 64; next = parentOf(next)) {
    if (family.includes(next)) break;
    family.push(next);
  }
  return family;
}

/** Parents by process id, of what `ps -A -o pid=,ppid=` prints. */
export function parentsIn(printed: string): ReadonlyMap<number, number> {
  const parents = new Map<number, number>();
  for (const line of printed.split('\n')) {
    const [pid, parent] = line
      .trim()
      .split(/ {1,20}/)
      .map(Number);
    if (pid && parent !== undefined && Number.isInteger(parent)) parents.set(pid, parent);
  }
  return parents;
}

/** The parent in the text of `/proc/<pid>/stat`: field 4, behind a name that may hold blanks and parentheses; null where there is none. */
export function parentInStat(stat: string | undefined): number | null {
  const field = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  return field !== undefined && /^\d{1,10}$/.test(field) ? Number(field) : null;
}
