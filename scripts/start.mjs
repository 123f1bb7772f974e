#!/usr/bin/env node
/**
 * The demo: builds and packages the extension, and opens VS Code on a demo workspace in which three recorded runs are replayed as if they
 * happened now. One is healthy, two are stuck in a loop until somebody nudges them.
 *
 *   npm start              for a person; Ctrl+C ends it
 *   npm start -- --check   without a person; exits 0 once the alarm was seen and the nudge was taken
 *
 * VSCODE_EXECUTABLE_PATH opens that desktop VS Code; else VS Code runs as a server, and its address is printed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDemo } from './check-demo.mjs';
import { createDemo, extensionIsActive } from './demo.mjs';
import { startHost } from './host.mjs';
import { projectRoot } from './vscode-host.mjs';

const check = process.argv.includes('--check');
const vsix = join(projectRoot, 'dist/unstuck.vsix');
const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-demo-'));
process.on('exit', () => fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 }));

step('Building and packaging');
run('npm', ['run', '--silent', 'package']);

const demo = createDemo({ root, speed: check ? 3 : 1, log: (text) => console.log(`  ${text}`) });
const desktop = check ? undefined : process.env.VSCODE_EXECUTABLE_PATH;
if (desktop) await onDesktop(desktop);
else await onServer();

async function onServer() {
  step('Starting the VS Code server (the first time it is installed, which takes about a minute)');
  const token = randomBytes(12).toString('hex');
  const host = await startHost({
    vsix,
    workspace: demo.workspace,
    home: demo.home,
    browser: check,
    ...(check ? {} : { token }),
    settings: { 'workbench.startupEditor': 'none', 'workbench.colorTheme': 'Default Dark Modern' },
  });
  if (check) {
    const passed = await checkDemo({ host, demo, say: step }).catch(async (error) => {
      console.error(`${error instanceof Error ? error.message : error}`);
      console.error(`What it looked like: ${await host.screenshot('demo-check-failed')}`);
      return false;
    });
    demo.stop();
    await host.close();
    console.log(passed ? 'Demo check passed: the alarm was seen and the nudge was taken.' : 'Demo check failed.');
    process.exit(passed ? 0 : 1);
  }
  console.log(`\nDemo ready: ${host.url}\nPress Ctrl+C to end it.\n`);
  openBrowser(host.url);
  await extensionIsActive(host.dir);
  await demo.start();
  await new Promise(() => {});
}

async function onDesktop(/** @type {string} */ executable) {
  const folders = ['--user-data-dir', join(root, 'user'), '--extensions-dir', join(root, 'extensions')];
  const { resolveCliArgsFromVSCodeExecutablePath } = await import('@vscode/test-electron');
  const [cli] = resolveCliArgsFromVSCodeExecutablePath(executable);
  run(cli ?? executable, ['--install-extension', vsix, '--force', ...folders]);
  const env = { ...process.env, HOME: demo.home };
  const editor = spawn(executable, [...folders, '--disable-workspace-trust', demo.workspace], { env, stdio: 'ignore' });
  console.log(`\nDemo ready: ${demo.workspace} in ${executable}\nPress Ctrl+C to end it.\n`);
  process.on('exit', () => editor.kill());
  await demo.start();
  await new Promise((done) => editor.once('exit', done));
  process.exit(0);
}

function openBrowser(/** @type {string} */ url) {
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY && process.platform === 'linux') return;
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  spawn(opener, [url], { stdio: 'ignore', detached: true }).on('error', () => {});
}

function run(/** @type {string} */ command, /** @type {string[]} */ args) {
  const { status } = spawnSync(command, args, { cwd: projectRoot, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) {
    console.error(`${command} ${args.join(' ')} failed.`);
    process.exit(1);
  }
}

function step(/** @type {string} */ text) {
  console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`);
}
