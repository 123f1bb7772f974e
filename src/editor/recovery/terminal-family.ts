/**
 * Returns a process and the processes above it, itself first. Ends at the first process of the machine, or where a parent is unknown. Pure.
 *
 * @param parentOf returns the parent, or null if it is unknown
 */
export function familyOf(pid: number, parentOf: (pid: number) => number | null): readonly number[] {
  const family: number[] = [];
  // A process that ends in the meantime may pass its id to another one, so the length is limited.
  for (let next: number | null = pid; next !== null && next > 1 && family.length < 64; next = parentOf(next)) {
    if (family.includes(next)) break;
    family.push(next);
  }
  return family;
}

/** Reads parents by process id from the output of `ps -A -o pid=,ppid=`. */
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
