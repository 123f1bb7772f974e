import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HookFiles } from '../inbox';
import { findRuntimes } from './runtimes';

/** The hook as this version of the extension ships it, and the runtimes of this machine that can run it. */
export async function hookFiles(extensionFolder: string, namedRuntime: string): Promise<HookFiles> {
  const file = (name: string) => readFile(join(extensionFolder, 'dist', name), 'utf8');
  const runtimes = await findRuntimes(namedRuntime, process.env['PATH'] ?? '', process.execPath);
  return { script: await file('hook.sh'), bundle: await file('hook.js'), runtimes };
}
