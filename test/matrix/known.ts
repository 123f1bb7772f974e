import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { linesOf } from './lines';

/** Means every cell of a base; `all but` is followed by the cells that are right. */
const ALL = 'all';
const BUT = 'all but ';
const HEAD = `# Faults of the detectors that are known, one a line: base | cells. A stuck agent that is not found, or a healthy one that is called stuck.
# The list is exact: a cell that comes right must go. \`npm run golden\` takes it out; nothing but a person adds one.
`;

/** The entries of each base, by its name. */
export function knownFaults(): Map<string, string> {
  return new Map(linesOf('known.txt', 2).map(([base = '', cells = '']) => [base, cells]));
}

/** The entry of a base with these cells, some of which are faulty; empty where none is. */
export function entryOf(cells: readonly string[], isFaulty: (cell: string) => boolean): string {
  const faulty = cells.filter(isFaulty);
  const right = cells.filter((cell) => !isFaulty(cell));
  if (right.length === 0) return ALL;
  return faulty.length > right.length ? BUT + right.join(', ') : faulty.join(', ');
}

/** True if an entry names a cell. */
export function names(entry: string, cell: string): boolean {
  if (entry === ALL) return true;
  if (entry.startsWith(BUT)) return !entry.slice(BUT.length).split(', ').includes(cell);
  return entry.split(', ').includes(cell);
}

export function writeKnown(known: ReadonlyMap<string, string>): void {
  const lines = [...known]
    .filter(([, entry]) => entry !== '')
    .map(([base, entry]) => `${base.padEnd(20)} | ${entry}\n`);
  writeFileSync(join(__dirname, 'known.txt'), HEAD + lines.join(''));
}
