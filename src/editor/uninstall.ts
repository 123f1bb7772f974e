import { readdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { createBridges } from '../agents/bridges';
import { readRecords } from '../agents/shared/connect/connection-record';
import { storagesOf } from '../agents/shared/connect/storages';
import { cacheFolder } from '../base/files';

/**
 * Runs after the extension was uninstalled (`vscode:uninstall` in package.json), by Node and without the editor. Removes what Connect wrote from the
 * agents' settings, and removes the cache. What cannot be removed stays, but sends nothing to its agent, since the program that it starts is gone.
 */
async function main(): Promise<void> {
  const home = homedir();
  const list = (folder: string): readonly string[] => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  };
  rmSync(cacheFolder(process.env, process.platform, home), { recursive: true, force: true });
  const extension = resolve(import.meta.dirname, '..');
  for (const storage of storagesOf({ extension, home, env: process.env, platform: process.platform, list })) {
    const hookFolder = join(storage, 'hook');
    const bridges = createBridges({
      hookFolder,
      hookFiles: () => Promise.reject(new Error('nothing is installed')),
      home,
      env: process.env,
      now: Date.now,
    });
    for (const { agent, file } of await readRecords(hookFolder)) {
      for (const bridge of bridges.values()) if (bridge.agent === agent) await bridge.disconnectFrom(file);
    }
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
