import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { codeOnPath, openInCode } from '../../../scripts/desktop.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unstuck desktop '));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program that stands in for the `code` command: records how it was called, and does what it is told. */
function standIn(does: string): string {
  const path = join(folder, 'code');
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$HOME" "$@" > '${folder}/called'\n${does}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe('the desktop VS Code', () => {
  it('is the first `code` on the PATH', () => {
    const code = standIn('');
    mkdirSync(join(folder, 'empty/code'), { recursive: true });
    expect(codeOnPath({ PATH: ['', join(folder, 'empty'), folder].join(delimiter) }, 'linux')).toBe(code);
    expect(codeOnPath({ PATH: join(folder, 'empty') }, 'linux')).toBeUndefined();
    expect(codeOnPath({}, 'linux')).toBeUndefined();
  });

  it('is not the one of a remote window, which opens no window itself', () => {
    standIn('');
    expect(codeOnPath({ PATH: folder, VSCODE_IPC_HOOK_CLI: '/run/ipc.sock' }, 'linux')).toBeUndefined();
  });

  it('is `code.cmd` on Windows', () => {
    standIn('');
    expect(codeOnPath({ PATH: folder }, 'win32')).toBeUndefined();
  });
});

describe.skipIf(process.platform === 'win32')('the demo in a desktop VS Code', () => {
  const demo = (start: () => Promise<void>) => ({ workspace: join(folder, 'calculator'), home: folder, start });

  it('runs the extension from the sources with user data of its own, and is played once the extension is active', async () => {
    const storage = join(folder, 'user/User/globalStorage/unstuck.unstuck/incidents');
    const code = standIn(`mkdir -p '${storage}'; while [ ! -e '${folder}/played' ]; do sleep 0.05; done`);
    const start = vi.fn(async () => writeFileSync(join(folder, 'played'), ''));
    expect(await openInCode({ code, root: folder, extension: '/the/extension', demo: demo(start) })).toBe(0);
    expect(start).toHaveBeenCalledOnce();
    expect(readFileSync(join(folder, 'called'), 'utf8').trim().split('\n')).toEqual([
      folder,
      '--extensionDevelopmentPath=/the/extension',
      `--user-data-dir=${join(folder, 'user')}`,
      `--extensions-dir=${join(folder, 'extensions')}`,
      '--disable-workspace-trust',
      '--new-window',
      '--wait',
      join(folder, 'calculator'),
    ]);
  });

  it('is not played for a window that was closed at once', async () => {
    const start = vi.fn(() => Promise.resolve());
    expect(await openInCode({ code: standIn('exit 3'), root: folder, extension: '/e', demo: demo(start) })).toBe(3);
    expect(start).not.toHaveBeenCalled();
  });
});
