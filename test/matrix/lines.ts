import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The lines of a list in this folder, in the columns that ` | ` separates; the last column holds the rest. */
export function linesOf(name: string, columns: number): string[][] {
  const text = readFileSync(join(__dirname, name), 'utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const parts = line.split(/\s+\|\s+/);
      return [...parts.slice(0, columns - 1), parts.slice(columns - 1).join(' | ')];
    });
}
