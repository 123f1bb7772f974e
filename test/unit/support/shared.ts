import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../../../../shared');
let told = false;

/**
 * Path of a file of the collection of real transcripts next to the project, or undefined if it is absent: then the tests that need it are skipped,
 * and the reason is printed once.
 */
export function shared(...parts: string[]): string | undefined {
  const path = join(root, ...parts);
  if (existsSync(path)) return path;
  if (!told) {
    told = true;
    console.warn(`skipped: ${root} is absent, so tests that read its real transcripts do not run`);
  }
  return undefined;
}
