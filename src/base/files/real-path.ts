import { realpath } from 'node:fs/promises';

/** Where a path leads, through links; the path itself where that cannot be seen. */
export async function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
