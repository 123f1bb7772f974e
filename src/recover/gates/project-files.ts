import { readdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../base/files';
import { READ_FILES } from './detect-commands';
import type { ProjectFiles } from './proposal';

/** A larger file is no manifest that a person wrote. Bytes. */
const LARGEST = 1024 * 1024;

/** Reads the files from which a folder's gates are proposed. Files that cannot be read count as missing. */
export async function projectFiles(folder: string): Promise<ProjectFiles> {
  const names = new Set(await readdir(folder).catch(() => []));
  const texts: Record<string, string> = {};
  for (const name of READ_FILES) {
    if (!names.has(name)) continue;
    const read = await readText(join(folder, name), { limit: LARGEST });
    if (read.ok) texts[name] = read.value;
  }
  return { names, texts, has: (path) => existsSync(join(folder, path)) };
}
