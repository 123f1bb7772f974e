/** Connects Claude Code in the workspace of a demo, as *Connect Agent* does. The hooks it installs are the real ones. */
import { join } from 'node:path';
import { buildParts } from '../../agents/support/build.mjs';

/** @param {{ home: string, workspace: string }} demo @param {string} folder for the hook and the storage */
export async function connectDemo({ home, workspace }, folder) {
  const { parts, folder: built } = await buildParts(join(folder, 'parts'));
  const bridges = parts.createBridges({
    hookFolder: join(folder, 'hook'),
    hookFiles: async () => parts.readHookFiles(built, await parts.findRuntimes(process.execPath, undefined)),
    home,
    env: { PATH: process.env.PATH, HOME: home },
    now: Date.now,
  });
  const bridge = bridges.get('claude-code');
  const plan = await bridge.plan({ folder: workspace, workspaceFolders: [workspace], scope: 'project' });
  const connected = plan.ok && (await bridge.connect(plan.value));
  if (!connected?.ok) throw new Error(`not connected: ${JSON.stringify(connected || plan)}`);
}
