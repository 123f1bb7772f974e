import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './project-root';

const LONGEST = 256 * 1024;
/** Lines of a transcript that are read in one go: few, so that many beginnings and middles are tried. */
const PASSAGE = 40;

export interface SeedFile {
  /** Absolute path: some formats are recognised by it. */
  readonly name: string;
  readonly text: string;
}

/** The text files below some folders; only the beginning of long ones. */
export function textsBelow(...folders: readonly string[]): SeedFile[] {
  return folders.flatMap((folder) => {
    const base = join(projectRoot, folder);
    return readdirSync(base, { recursive: true, withFileTypes: true, encoding: 'utf8' })
      .filter((entry) => entry.isFile() && /\.(?:jsonl?|md|txt|log)$/.test(entry.name))
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return { name: path, text: readFileSync(path, 'utf8').slice(0, LONGEST) };
      });
  });
}

/** A transcript in passages, with its beginning separate: many formats name their agent there. */
export function passagesOf(text: string): string[] {
  const lines = text.split('\n');
  const passages: string[] = [];
  for (let from = 0; from < lines.length; from += PASSAGE) passages.push(lines.slice(from, from + PASSAGE).join('\n'));
  const [head = ''] = lines;
  return passages.flatMap((passage, index) => (index === 0 ? [passage] : [passage, `${head}\n${passage}`]));
}
