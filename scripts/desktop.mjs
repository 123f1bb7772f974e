/** Opens the demo in a desktop VS Code: finds one, and opens it with the extension under development. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { delimiter, join } from 'node:path';
import { extensionIsActive } from '../test/support/demo.mjs';

/**
 * Returns the `code` command on the PATH; undefined if there is none, or if it would open a window of another machine.
 *
 * @param {Record<string, string | undefined>} env
 * @param {string} platform
 * @returns {string | undefined} its path
 */
export function codeOnPath(env, platform) {
  // In the terminal of a remote window `code` talks to that window: it starts no VS Code of its own.
  if (env.VSCODE_IPC_HOOK_CLI) return undefined;
  const name = platform === 'win32' ? 'code.cmd' : 'code';
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    if (folder !== '' && fs.statSync(path, { throwIfNoEntry: false })?.isFile()) return path;
  }
  return undefined;
}

/**
 * Opens the demo in a separate window, with separate user data and the extension from the sources, and plays it once the extension runs. Resolves
 * with the exit code when the window is closed.
 *
 * @param {{ code: string, root: string, extension: string, demo: { workspace: string, home: string, start: () => Promise<void> } }} parts root: a
 * folder for what the editor writes; extension: the folder of package.json, built
 * @returns {Promise<number>}
 */
export async function openInCode({ code, root, extension, demo }) {
  const args = [
    `--extensionDevelopmentPath=${extension}`,
    `--user-data-dir=${join(root, 'user')}`,
    `--extensions-dir=${join(root, 'extensions')}`,
    '--disable-workspace-trust',
    '--new-window',
    '--wait',
    demo.workspace,
  ];
  const env = { ...process.env, HOME: demo.home };
  // On Windows a command file runs only in a shell.
  const editor = spawn(code, args, { env, stdio: 'ignore', shell: process.platform === 'win32' });
  const stop = () => editor.kill();
  process.on('exit', stop);
  const ended = new Promise((done, failed) => {
    editor.once('error', failed);
    editor.once('exit', (status) => done(status ?? 1));
  });
  // Whichever comes first: a window that was closed at once needs no demo.
  if ((await Promise.race([ended, extensionIsActive(root)])) === undefined) await demo.start();
  const status = await ended;
  process.off('exit', stop);
  return status;
}
