import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import type { HookBridgeEnvironment } from '../../../src/agents/shared/connect/hook-agent';
import { folder } from '../support/folder';

/** Code of ours that agents load, as it is shipped. */
const plugin = buildSync({
  entryPoints: [resolve(__dirname, '../../../src/agents/opencode-plugin.ts')],
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  mainFields: ['module', 'main'],
  write: false,
}).outputFiles[0]?.text;

/** A home, a folder in which the agent works, and the storage of the extension; removed after the test. */
export function pluginFolders() {
  const base = folder();
  const made = { home: join(base, 'home'), root: join(base, 'work'), hookFolder: join(base, 'storage/hook') };
  for (const path of [made.home, made.root]) mkdirSync(path, { recursive: true });
  return made;
}

/** The machine, as the bridge of such an agent sees it. */
export function pluginEnvironment({ home, hookFolder }: { home: string; hookFolder: string }): HookBridgeEnvironment {
  const git = () => Promise.resolve({ code: 1, stdout: '', stderr: '', milliseconds: 1 });
  return {
    home,
    env: {},
    hookFolder,
    hookFiles: () =>
      Promise.resolve({ script: 's', bundle: 'b', runtimes: [process.execPath], ...(plugin && { plugin }) }),
    processes: { git, shell: git },
    now: Date.now,
  };
}
