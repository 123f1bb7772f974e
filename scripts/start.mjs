#!/usr/bin/env node
/**
 * The demo: builds and packages the extension, and opens VS Code on a demo workspace in which three recorded runs are replayed as if they
 * happened now. One is healthy, two are stuck in a loop until they are nudged.
 *
 *   npm start              for a person; Ctrl+C ends it
 *   npm start -- --check   without a person; exits 0 once the alarm was seen and the nudge was taken
 *
 * Opens the desktop VS Code that `code` on the PATH starts, with the extension from the sources, or the one that VSCODE_EXECUTABLE_PATH names.
 * If there is none, or with --browser, VS Code runs as a server, and its address is printed. The output says which one was opened and why.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDemo } from '../test/support/check-demo.mjs';
import { createDemo, extensionIsActive } from '../test/support/demo.mjs';
import { codeOnPath, openInCode } from './desktop.mjs';
import { startHost } from '../test/support/host.mjs';
import { projectRoot } from '../test/support/vscode-host.mjs';

const check = process.argv.includes('--check');
const vsix = join(projectRoot, 'dist/unstuck.vsix');
const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-demo-'));
process.on('exit', () => fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 }));

const desktop = check ? undefined : process.env.VSCODE_EXECUTABLE_PATH;
const inBrowser = check || process.argv.includes('--browser');
const code = inBrowser || desktop ? undefined : codeOnPath(process.env, process.platform);
if (desktop) step(`VSCODE_EXECUTABLE_PATH names a desktop VS Code: ${desktop}`);
else if (code) step(`A desktop VS Code is on the PATH: ${code} (--browser opens the demo in a browser instead)`);
else if (!inBrowser) step('No `code` is on the PATH: VS Code opens in a browser');

step('Building and packaging');
run('npm', ['run', '--silent', code ? 'build' : 'package']);

const demo = createDemo({ root, speed: check ? 3 : 1, log: (text) => console.log(`  ${text}`) });
if (desktop) await onDesktop(desktop);
else if (code) await inCode(code);
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

async function inCode(/** @type {string} */ command) {
  console.log(`\nDemo ready: ${demo.workspace} in ${command}\nClose its window or press Ctrl+C to end it.\n`);
  process.exit(await openInCode({ code: command, root, extension: projectRoot, demo }));
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
