import { realpath } from 'node:fs/promises';

/** Resolves links in a path; returns the path itself where that fails. */
export async function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
