import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createBridges } from '../../../src/agents/bridges';
import { storagesOf } from '../../../src/agents/shared/connect/storages';
import { hookBundle, hookScript, scratch } from './inbox/hook-kit';

const project = resolve(__dirname, '../../..');
let place: { path: string; remove: () => void };
beforeEach(() => {
  place = scratch();
});
afterEach(() => place.remove());

it('VS Code uninstalls the extension: what Connect wrote is removed from the settings of all agents, and nothing else is', async () => {
  const home = join(realpathSync(place.path), 'home');
  const work = join(home, 'work');
  const server = join(home, '.vscode-server');
  const hookFolder = join(server, 'data/User/globalStorage/unstuck.unstuck/hook');
  mkdirSync(work, { recursive: true });
  spawnSync('git', ['init', '-q'], { cwd: work });
  const before = {
    [join(home, '.codex/hooks.json')]:
      '{\n  "hooks": { "Stop": [ { "hooks": [ { "type": "command", "command": "mine" } ] } ] }\n}\n',
    [join(home, '.gemini/settings.json')]: '{ "ui": { "theme": "GitHub" } } // mine\n',
  };
  for (const [file, text] of Object.entries(before)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const bridges = createBridges({
    hookFolder,
    hookFiles: () =>
      Promise.resolve({ script: hookScript, bundle: hookBundle(), plugin: '', runtimes: [process.execPath] }),
    home,
    env: {},
    now: Date.now,
  });
  for (const bridge of bridges.values()) {
    const plan = await bridge.plan({ folder: work, workspaceFolders: [work], scope: bridge.scopes[0] });
    if (!plan.ok) throw new Error(plan.error.message);
    expect(await bridge.connect(plan.value)).toMatchObject({ ok: true });
  }
  const written = [join(work, '.claude/settings.local.json'), join(home, '.config/opencode/plugin/unstuck.js')];
  expect([...written, join(home, '.copilot/hooks/unstuck.json')].every((file) => existsSync(file))).toBe(true);

  const script = join(server, 'extensions/unstuck.unstuck-0.1.0/dist/uninstall.mjs');
  buildSync({
    entryPoints: [join(project, 'src/editor/uninstall.ts')],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
  });
  const ran = spawnSync(process.execPath, [script], {
    env: { HOME: home, PATH: process.env['PATH'] },
    encoding: 'utf8',
  });
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  for (const [file, text] of Object.entries(before)) expect(readFileSync(file, 'utf8')).toBe(text);
  for (const file of written) expect(existsSync(file)).toBe(false);
  expect(existsSync(join(home, '.copilot/hooks/unstuck.json'))).toBe(false);
});

it('finds the storage of desktop editors, of servers and of portable installations by the folder of the extension', () => {
  const found = (platform: NodeJS.Platform, extension: string, there: string) =>
    storagesOf({
      extension,
      home: '/home/dev',
      env: {},
      platform,
      list: (folder) => {
        if (folder === there) return ['hook'];
        return folder.endsWith('.config') || folder.endsWith('Application Support') ? ['Code', 'VSCodium'] : [];
      },
    });
  const codium = '/home/dev/.config/VSCodium/User/globalStorage/unstuck.unstuck';
  expect(found('linux', '/home/dev/.vscode-oss/extensions/unstuck.unstuck-0.2.0', codium)).toEqual([codium]);
  const mac = '/home/dev/Library/Application Support/Code/User/globalStorage/unstuck.unstuck';
  expect(found('darwin', '/home/dev/.vscode/extensions/unstuck.unstuck-0.2.0-universal', mac)).toEqual([mac]);
  const portable = '/opt/code/data/user-data/User/globalStorage/unstuck.unstuck';
  expect(found('linux', '/opt/code/data/extensions/unstuck.unstuck-0.2.0', portable)).toEqual([portable]);
  expect(found('linux', '/work/unstuck', codium)).toEqual([]);
});
