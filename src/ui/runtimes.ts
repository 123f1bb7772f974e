import { access, constants, realpath } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/**
 * JavaScript runtimes that can run the hook, the best first: what the user names, `node` on the path, and this process itself where it
 * is a plain Node.js (remote and web hosts). A desktop's own binary is left out: it would open a window.
 */
export async function findRuntimes(named: string, path: string, self: string): Promise<string[]> {
  const found: string[] = [];
  if (named !== '') found.push(named);
  for (const folder of path.split(delimiter).filter((one) => one !== '')) {
    const candidate = join(folder, process.platform === 'win32' ? 'node.exe' : 'node');
    if (await isExecutable(candidate)) found.push(await realpath(candidate));
  }
  if (/(^|[\\/])node(\.exe)?$/.test(self)) found.push(self);
  return [...new Set(found)];
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
