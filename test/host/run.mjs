#!/usr/bin/env node
/**
 * Runs the suite of test/host/ inside the extension host of a real VS Code, on the installed package, and prints which
 * VS Code it was. It never passes without having run.
 *
 *   node test/host/run.mjs [current | minimum]     the VS Code server of test/vscode/
 *
 * TEST_HOST   `auto` (default): desktop VS Code when VSCODE_EXECUTABLE_PATH names one, else the server;
 *             `server`; `desktop`, which downloads VS Code when no path is given
 * VSIX        the package to test, dist/unstuck.vsix by default
 * GREP        only the tests whose title contains this
 *
 * Exit: 0 all passed; 1 some failed; 2 could not start; 3 the host exited with success, but nothing passed or something failed;
 * 70 server or page went away; 124 no end within the time limit.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startHost } from '../support/host.mjs';
import { hostFolder, hostNames, projectRoot } from '../support/vscode-host.mjs';

const timeLimitMilliseconds = 10 * 60_000;

/**
 * @typedef {object} Report what test/host/index.cjs writes
 * @property {{ version: string, desktop: boolean, node: string }} [host]
 * @property {string[]} passed
 * @property {{ title: string, error: string }[]} failed
 * @property {string[]} skipped
 */

const harness = join(projectRoot, 'test/host/harness');
const tests = join(projectRoot, 'test/host/index.cjs');

async function main() {
  const { TEST_HOST = 'auto', VSCODE_EXECUTABLE_PATH: executable } = process.env;
  const [server = 'current'] = process.argv.slice(2);
  const vsix = resolve(process.env.VSIX ?? join(projectRoot, 'dist/unstuck.vsix'));
  if (!hostNames.some((name) => name === server))
    throw new Error(`There is no server ${server}; it may be ${hostNames.join(' or ')}.`);
  if (!['auto', 'server', 'desktop'].includes(TEST_HOST)) throw new Error(`TEST_HOST is ${TEST_HOST}.`);
  if (!fs.existsSync(vsix)) throw new Error(`There is no package to test: ${vsix}. Build and package first.`);
  const desktop = TEST_HOST === 'desktop' || (TEST_HOST === 'auto' && executable !== undefined);

  // Private to this run: two runs at once must not read each other's report.
  const outputs = join(projectRoot, 'test-output');
  const reportFile = join(outputs, `in-host-${process.pid}.json`);
  fs.mkdirSync(outputs, { recursive: true });
  const env = { UNSTUCK_TEST_REPORT: reportFile, UNSTUCK_TEST_GREP: process.env.GREP };
  const hostCode = desktop ? await runOnDesktop(executable, vsix, env) : await runOnServer(server, vsix, env);

  /** @type {Report} */
  let report = { passed: [], failed: [], skipped: [] };
  if (fs.existsSync(reportFile)) {
    report = JSON.parse(fs.readFileSync(reportFile, 'utf8'));
    fs.renameSync(reportFile, join(outputs, `in-host-${desktop ? 'desktop' : server}.json`));
  }
  for (const title of report.passed) console.log(`ok    ${title}`);
  for (const title of report.skipped) console.log(`skip  ${title}`);
  for (const { title, error } of report.failed) console.log(`FAIL  ${title}\n${error.replace(/^/gm, '      ')}`);

  const { passed, failed, host } = report;
  const code = hostCode === 0 && (passed.length === 0 || failed.length > 0) ? 3 : hostCode;
  if (code !== 0) console.log(`exit ${code}${host ? '' : ': the suite did not report'}`);
  const name = host
    ? `VS Code ${host.desktop ? 'desktop' : 'server'} ${host.version}`
    : `VS Code ${desktop ? 'desktop' : `server ${server}`} (no report)`;
  console.log(`in-host tests on ${name}: ${passed.length} passed, ${failed.length} failed`);
  return code;
}

/** @param {string} name @param {string} vsix @param {Record<string, string | undefined>} env */
async function runOnServer(name, vsix, env) {
  /** @type {string[]} */
  const log = [];
  const host = await startHost({
    hostDir: hostFolder(name),
    vsix,
    devPath: harness,
    testsPath: tests,
    env,
    onLog: (type, text) => log.push(`${type}: ${text}`),
  });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const tooLong = new Promise((settle) => {
    timer = setTimeout(settle, timeLimitMilliseconds, 124);
  });
  const code = /** @type {number} */ (await Promise.race([host.exited, tooLong]));
  clearTimeout(timer);
  // The workbench's log is mostly noise. It is printed only when the tests themselves could not say what went wrong.
  if (code > 1 || !fs.existsSync(env.UNSTUCK_TEST_REPORT ?? '')) console.log([...log, host.serverLog()].join('\n'));
  await host.close();
  return code;
}

/** @param {string | undefined} executable @param {string} vsix @param {Record<string, string | undefined>} env */
async function runOnDesktop(executable, vsix, env) {
  const electron = await import('@vscode/test-electron');
  const vscodeExecutablePath = executable ?? (await electron.downloadAndUnzipVSCode('stable'));
  const [command = '', ...args] = electron.resolveCliArgsFromVSCodeExecutablePath(vscodeExecutablePath);
  const install = spawnSync(command, [...args, '--install-extension', vsix, '--force'], { stdio: 'inherit' });
  if (install.status !== 0) throw new Error(`${vscodeExecutablePath} did not install ${vsix}.`);
  // A separate home and workspace, so that the developer's transcripts are neither read nor written.
  const dir = fs.mkdtempSync(join(tmpdir(), 'vsh-'));
  const home = join(dir, 'home');
  const workspace = join(dir, 'ws');
  for (const folder of [home, workspace]) fs.mkdirSync(folder);
  try {
    return await electron.runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: harness,
      extensionTestsPath: tests,
      launchArgs: [workspace, '--disable-workspace-trust'],
      extensionTestsEnv: { ...env, HOME: home, USERPROFILE: home },
    });
  } catch (error) {
    return Number(/** @type {{ code?: number }} */ (error).code) || 1;
  } finally {
    fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`in-host tests did not run: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
}
