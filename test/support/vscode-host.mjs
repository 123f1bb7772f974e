#!/usr/bin/env node
/**
 * Sets up what the tests inside a real VS Code need: a VS Code server from the npm package `code-server`, installed in its own sub-project under
 * test/vscode/, and a Chromium to show it in. It is safe to run it again, and safe to run it twice at once: what exists is left alone, and one set-up
 * waits for the other.
 *
 *   node test/support/vscode-host.mjs [current] [minimum]     both if none is named
 *
 * Only the npm registry and, on Debian, the distribution's packages are used. Nothing here is part of the extension.
 */
import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

export const projectRoot = resolve(import.meta.dirname, '../..');

/** The VS Code servers: `current` is the newest, `minimum` the oldest that package.json declares. */
export const hostNames = /** @type {const} */ (['current', 'minimum']);
/** @typedef {typeof hostNames[number]} HostName */

const lockFile = join(projectRoot, 'node_modules/.cache/unstuck-test-hosts.lock');
const lockWaitMilliseconds = 15 * 60_000;

/** @param {string} name @returns {string} the folder of the sub-project */
export const hostFolder = (name) => join(projectRoot, 'test/vscode', name);

/** Returns the start file of a VS Code server, its version, and the Node that it needs: its own if the sub-project contains one. */
export function serverOf(/** @type {string} */ hostDir) {
  const bundledNode = join(hostDir, `node_modules/node-linux-${process.arch}/bin/node`);
  const application = join(hostDir, 'node_modules/code-server/lib/vscode');
  return {
    node: process.platform === 'linux' && fs.existsSync(bundledNode) ? bundledNode : process.execPath,
    main: join(application, 'out/server-main.js'),
    version: /** @type {string} */ (JSON.parse(fs.readFileSync(join(application, 'package.json'), 'utf8')).version),
  };
}

/**
 * Installs a VS Code server when its lock file has changed since the last installation.
 * @param {string} hostDir folder of the sub-project
 */
export async function ensureHost(hostDir) {
  if (isInstalled(hostDir)) return;
  await withLock(async () => {
    if (isInstalled(hostDir)) return;
    // `minimum` borrows ripgrep: its own package fetches the program in an install script, and install scripts do not run here.
    const donor = hostFolder('current');
    if (resolve(hostDir) === hostFolder('minimum') && !isInstalled(donor)) installHost(donor);
    installHost(hostDir);
  });
}

/** Installs the locked packages and completes what their install scripts would have done. */
function installHost(/** @type {string} */ hostDir) {
  installPackages(hostDir);
  const modules = join(hostDir, 'node_modules');
  // The server finds its packages by walking up from its own folder; the browser requests them by address, below it.
  const link = join(modules, 'code-server/lib/vscode/node_modules');
  fs.rmSync(link, { recursive: true, force: true });
  fs.symlinkSync('../../..', link, 'dir');
  const ripgrep = join(modules, '@vscode/ripgrep');
  if (fs.existsSync(ripgrep)) {
    const platform = `${process.platform}-${process.arch}`;
    const source = join(hostFolder('current'), 'node_modules/@vscode/ripgrep-universal/bin', platform, 'rg');
    fs.mkdirSync(join(ripgrep, 'bin'), { recursive: true });
    fs.copyFileSync(source, join(ripgrep, 'bin/rg'));
  }
  fs.writeFileSync(stampFile(hostDir), wantedStamp(hostDir));
}

/** @returns {string | undefined} path of a Chromium or Chrome on this machine, CHROMIUM_PATH first */
function findChromium() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) {
    if (fs.existsSync(chosen)) return chosen;
    throw new Error(`CHROMIUM_PATH names ${chosen}, and there is no such file.`);
  }
  return [
    '/usr/bin/chromium',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    unpackedChromium,
  ].find((path) => fs.existsSync(path));
}

const unpackedChromium = join(hostFolder('chromium'), 'node_modules/.unpacked/chromium');

/**
 * Finds a Chromium or installs one: Debian's package if apt-get may be used, otherwise the one in an npm package.
 * @returns {Promise<string>} its path
 */
export async function ensureChromium() {
  return (
    findChromium() ??
    withLock(async () => {
      const found = findChromium() ?? installDebianChromium() ?? unpackChromium();
      if (found) return found;
      throw new Error('No Chromium here: install Chromium or Chrome, or set CHROMIUM_PATH to one, and run this again.');
    })
  );
}

/** Debian only: on Ubuntu the package of that name is a stub for a snap. */
function installDebianChromium() {
  const release = fs.existsSync('/etc/os-release') ? fs.readFileSync('/etc/os-release', 'utf8') : '';
  if (!/^ID=debian$/m.test(release) || !fs.existsSync('/usr/bin/apt-get')) return undefined;
  const rights = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  if (rights.length > 0 && spawnSync('sudo', ['-n', 'true']).status !== 0) return undefined;
  console.log('Installing the Debian package chromium (about 410 MB on disk).');
  const env = [...rights, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', '-o', 'DPkg::Lock::Timeout=300'];
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const [command = '', ...args] = [...env, ...step];
    if (spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0) return undefined;
  }
  return findChromium();
}

/** A headless Chromium for Linux on x64 from an npm package, for machines without the right to install one. */
function unpackChromium() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const project = hostFolder('chromium');
  console.log('Unpacking a headless Chromium from npm (about 280 MB on disk).');
  installPackages(project);
  const packed = join(project, 'node_modules/@sparticuz/chromium/bin/chromium.br');
  const part = `${unpackedChromium}.part`;
  fs.mkdirSync(dirname(part), { recursive: true });
  fs.writeFileSync(part, brotliDecompressSync(fs.readFileSync(packed)), { mode: 0o755 });
  const trial = spawnSync(part, ['--version', '--no-sandbox'], { encoding: 'utf8' });
  if (trial.status !== 0) throw new Error(`The Chromium from npm does not start on this machine: ${trial.stderr}`);
  fs.renameSync(part, unpackedChromium);
  return unpackedChromium;
}

function installPackages(/** @type {string} */ project) {
  console.log(`Installing ${project}`);
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', args, { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${project} (exit ${status}).`);
}

const stampFile = (/** @type {string} */ hostDir) => join(hostDir, 'node_modules/.installed');

const wantedStamp = (/** @type {string} */ hostDir) =>
  `${process.platform}-${process.arch} ` +
  createHash('sha256')
    .update(fs.readFileSync(join(hostDir, 'package-lock.json')))
    .digest('hex');

/** The stamp is in node_modules and is written last, so an interrupted installation has none. */
function isInstalled(/** @type {string} */ hostDir) {
  const stamp = stampFile(hostDir);
  return fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wantedStamp(hostDir);
}

/**
 * Runs the work while no other process does. The lock is a file with the holder's process id, created in one step by a
 * hard link so that it is never seen empty. The lock of a process that is gone is removed.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function withLock(work) {
  fs.mkdirSync(dirname(lockFile), { recursive: true });
  const own = `${lockFile}.${randomUUID()}`;
  fs.writeFileSync(own, String(process.pid));
  try {
    for (const giveUp = Date.now() + lockWaitMilliseconds; !tryLink(own); ) {
      if (Date.now() > giveUp) throw new Error(`Another set-up holds ${lockFile} for too long.`);
      await new Promise((done) => setTimeout(done, 200));
    }
    try {
      return await work();
    } finally {
      fs.rmSync(lockFile, { force: true });
    }
  } finally {
    fs.rmSync(own, { force: true });
  }
}

function tryLink(/** @type {string} */ own) {
  try {
    fs.linkSync(own, lockFile);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  }
  try {
    process.kill(Number(fs.readFileSync(lockFile, 'utf8')), 0);
  } catch (error) {
    // ESRCH: the holder is gone. ENOENT: it has just released the lock. EPERM: it lives and belongs to another user.
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH') fs.rmSync(lockFile, { force: true });
  }
  return false;
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === import.meta.filename) {
  const asked = process.argv.slice(2);
  const unknown = asked.filter((name) => !hostNames.some((known) => known === name));
  if (unknown.length > 0) throw new Error(`No such host: ${unknown.join(', ')}. There are ${hostNames.join(', ')}.`);
  for (const name of asked.length > 0 ? asked : hostNames) {
    await ensureHost(hostFolder(name));
    console.log(`VS Code server ${serverOf(hostFolder(name)).version} is ready (${name}).`);
  }
  console.log(`Chromium: ${await ensureChromium()}`);
}
