/**
 * Starts a real VS Code: the server of a sub-project under test/vscode/ and a Chromium that shows it, or the server alone. Everything it writes is in
 * one temporary folder, it listens on 127.0.0.1 only, the browser reaches no other address, and its processes end with the one that started them,
 * however that one ends.
 */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { format } from 'node:util';
import { chromium } from 'playwright-core';
import { checkHistories } from './check-histories.mjs';
import { ensureChromium, ensureHost, hostFolder, projectRoot, serverOf } from './vscode-host.mjs';

/** Quiet, still and offline: no AI features, no update checks, no experiments, no animation. */
const quietSettings = {
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'workbench.editor.useModal': 'off',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  // Without trust a window opens restricted, with the banner and no question: the same in all versions.
  'security.workspace.trust.startupPrompt': 'never',
  'chat.disableAIFeatures': true,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  // A server that another program of the machine starts does not concern the window under test, but VS Code would report it in the middle of a click.
  'remote.autoForwardPorts': false,
};

/**
 * @typedef {object} HostOptions
 * @property {string} [hostDir] the server's sub-project; test/vscode/current by default
 * @property {string | string[]} [vsix] packaged extensions to install first
 * @property {string} [devPath] folder of an extension under development; with testsPath only
 * @property {string} [testsPath] module whose `run` the extension host calls; with devPath only
 * @property {string | null} [workspace] folder or .code-workspace file to open; an empty folder by default; null: none
 * @property {Record<string, unknown>} [settings] user settings on top of the quiet ones
 * @property {Record<string, unknown>} [machineSettings] settings that only the machine may set
 * @property {Record<string, string | undefined>} [env] environment of the server and of the extensions in it; nothing
 *   but PATH is taken over from this process, so that no agent's variables leak in
 * @property {string} [home] HOME of the extensions; an empty folder by default; never removed here
 * @property {string} [language] of the workbench, as a language pack sets it; English by default. Its own texts stay English: only packs
 *   have others
 * @property {(dir: string) => void} [prepare] writes further files into the temporary folder before the server starts
 * @property {'off' | 'on'} [trust] Workspace Trust; off: every folder is trusted and no question is asked
 * @property {string} [token] the connection token that the address must carry; none by default
 * @property {number} [port] a free one by default
 * @property {string[]} [under] a program and its arguments that start the server, for example to limit it
 * @property {boolean} [browser] false: the server alone, for a browser of your own
 * @property {{ width: number, height: number }} [viewport] 1400 x 900 by default
 * @property {number} [scale] device pixels for each CSS pixel, 1 by default
 * @property {boolean} [headless] false shows the browser's window
 * @property {(page: import('playwright-core').Page) => Promise<void>} [onPage] runs on the first page before it opens anything
 * @property {(type: string, text: string) => void} [onLog] receives what the workbench logs during in-host tests
 * @property {number} [timeout] the longest wait for one step of the start, in milliseconds; 120,000 by default
 */

/**
 * @typedef {object} Host
 * @property {import('playwright-core').Page} page the first window; absent with `browser: false`
 * @property {string} url its address, with the token
 * @property {number} port
 * @property {string} version of VS Code
 * @property {string} dir the temporary folder
 * @property {string} home
 * @property {string} workspace the folder or file that the first window opened; '' if none
 * @property {Promise<number>} exited exit code of the in-host tests; `endedEarly` if server or page ended first
 * @property {(workspace?: string | null) => Promise<import('playwright-core').Page>} openWindow a further window with
 *   the same user data, on the same workspace by default
 * @property {(page?: import('playwright-core').Page) => Promise<void>} reload as Developer: Reload Window does
 * @property {(vsix: string) => void} installExtension open windows load it after a reload
 * @property {(name: string, page?: import('playwright-core').Page) => Promise<string>} screenshot see `saveScreenshot`
 * @property {() => string} serverLog
 * @property {() => number[]} extensionHosts process ids, the newest last
 * @property {() => Promise<void>} killServer with all that it started, at once
 * @property {() => Promise<void>} startServer again, at the same address
 * @property {() => Promise<void>} close ends everything, and throws if the history that is left contradicts itself
 */

/** Value of `exited` if the server or the page ended before the tests. */
const endedEarly = 70;

/** The longest wait of one click or check, for a busy machine. The start has its own limit. */
const actionTimeoutMilliseconds = 30_000;

/** The same for server and browser, so that pictures and texts do not depend on the machine. */
const testTimeZone = 'UTC';

/** Functions that end what must not outlive this process: see `endWithThisProcess`. @type {Set<() => void>} */
const cleanups = new Set();

/**
 * @param {HostOptions} [options]
 * @returns {Promise<Host>}
 * @throws {Error} with the end of the server's log when it does not start
 */
export async function startHost(options = {}) {
  const { hostDir = hostFolder('current'), vsix = [], token, timeout = 120_000 } = options;
  const inHostTests = options.testsPath !== undefined;
  await ensureHost(hostDir);
  const server = serverOf(hostDir);
  const place = makePlace(options);

  const exited = settledFromOutside();
  /** @type {ReturnType<typeof startServer> | undefined} */
  let running;
  /** @type {import('playwright-core').Browser | undefined} */
  let browser;
  const endNow = () => {
    running?.signal('SIGKILL');
    place.remove();
  };
  endWithThisProcess(endNow);
  const close = async () => {
    await browser?.close().catch(() => {});
    await running?.end();
    try {
      checkHistories(place.dir);
    } finally {
      endNow();
      cleanups.delete(endNow);
    }
  };

  try {
    for (const file of [vsix].flat()) install(server, place, file);
    options.prepare?.(place.dir);
    const start = async (/** @type {number} */ at) => {
      running = startServer(server, place, options.under ?? [], [
        '--accept-server-license-terms',
        '--disable-getting-started-override',
        '--telemetry-level=off',
        '--host=127.0.0.1',
        `--port=${at}`,
        token === undefined ? '--without-connection-token' : `--connection-token=${token}`,
        ...(options.trust === 'on' ? [] : ['--disable-workspace-trust']),
        // Without it the address cannot name tests; with it no notification toast is shown.
        ...(inHostTests ? ['--enable-smoke-test-driver'] : []),
      ]);
      void running.ended.then(() => exited.settle(endedEarly));
      return running.listening(timeout);
    };
    const port = await start(options.port ?? 0);
    const url = address(port, place.workspace, options);

    if (options.browser !== false) browser = await launchBrowser(options);
    const context = browser && (await newUserData(browser, options));
    if (context && options.language !== undefined) {
      await context.addInitScript((language) => {
        globalThis._VSCODE_NLS_LANGUAGE = language;
      }, options.language);
    }
    const ready = (/** @type {import('playwright-core').Page} */ page) =>
      page.locator('.monaco-workbench .statusbar').waitFor({ timeout });
    const open = async (/** @type {string} */ target, /** @type {boolean} */ first) => {
      if (context === undefined) throw new Error('This host was started without a browser.');
      const page = await context.newPage();
      page.setDefaultTimeout(actionTimeoutMilliseconds);
      page.setDefaultNavigationTimeout(timeout);
      if (first) page.once('crash', () => exited.settle(endedEarly));
      if (first) await options.onPage?.(page);
      if (first && inHostTests) {
        const log = (/** @type {string} */ type, /** @type {unknown[]} */ args) =>
          options.onLog?.(type, format(...args));
        await page.exposeFunction('codeAutomationLog', log);
        await page.exposeFunction('codeAutomationExit', exited.settle);
      }
      await page.goto(target);
      await ready(page);
      if (first && isWorkspaceFile(place.workspace)) await foldersAreOpen(page, ready);
      return page;
    };
    // Absent without a browser, as the type's description says. Other callers need not check for it each time.
    const page = /** @type {import('playwright-core').Page} */ (context && (await open(url, true)));

    return {
      page,
      url,
      port,
      version: server.version,
      dir: place.dir,
      home: place.home,
      workspace: place.workspace ?? '',
      exited: exited.promise,
      openWindow: (folder = place.workspace) =>
        open(address(port, folder, token === undefined ? {} : { token }), false),
      reload: async (which = page) => {
        await which.reload();
        await ready(which);
      },
      installExtension: (file) => install(server, place, file),
      screenshot: (name, which = page) => saveScreenshot(which, name),
      serverLog: () => running?.log() ?? '',
      extensionHosts: () => extensionHostsIn(place.dir),
      killServer: async () => {
        running?.signal('SIGKILL');
        await running?.ended;
      },
      startServer: async () => void (await start(port)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @typedef {{ node: string, main: string }} Server */
/** @typedef {ReturnType<typeof makePlace>} Place */

/** The temporary folder with everything that a run writes, and the environment that points there. */
function makePlace(/** @type {HostOptions} */ options) {
  // Short on purpose: the server's sockets are below it, and their paths may have 107 characters.
  const dir = fs.mkdtempSync(join(tmpdir(), 'vsh-'));
  for (const name of ['user/User', 'user/Machine', 'ext', 'data', 'ws', 'tmp', 'home']) {
    fs.mkdirSync(join(dir, name), { recursive: true });
  }
  const settings = { ...quietSettings, ...options.settings };
  fs.writeFileSync(join(dir, 'user/User/settings.json'), JSON.stringify(settings, null, 2));
  fs.writeFileSync(join(dir, 'user/Machine/settings.json'), JSON.stringify(options.machineSettings ?? {}, null, 2));
  const home = resolve(options.home ?? join(dir, 'home'));
  return {
    dir,
    home,
    workspace: options.workspace === null ? null : resolve(options.workspace ?? join(dir, 'ws')),
    /** @type {Record<string, string | undefined>} */
    env: {
      PATH: process.env.PATH,
      LANG: 'C.UTF-8',
      HOME: home,
      TMPDIR: join(dir, 'tmp'),
      EXTENSIONS_GALLERY: '{}',
      ...(options.browser === false ? {} : { TZ: testTimeZone }),
      ...options.env,
    },
    arguments: ['server-data-dir=data', 'user-data-dir=user', 'extensions-dir=ext'].map((pair) => {
      const [name, folder = ''] = pair.split('=');
      return `--${name}=${join(dir, folder)}`;
    }),
    /** UNSTUCK_KEEP_HOST=1 keeps the folder for inspection. */
    remove: () => {
      if (!process.env.UNSTUCK_KEEP_HOST) {
        fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      }
    },
  };
}

/** @param {Server} server @param {Place} place @param {string} vsix */
function install({ node, main }, { env, arguments: folders }, vsix) {
  const args = [main, '--install-extension', resolve(vsix), '--force', ...folders];
  const { status, stdout, stderr } = spawnSync(node, args, { env, encoding: 'utf8' });
  if (status !== 0 || !stdout.includes('successfully installed')) {
    throw new Error(`VS Code did not install ${vsix}:\n${stdout}\n${stderr}`);
  }
}

/**
 * @param {number} port
 * @param {string | null} workspace
 * @param {Pick<HostOptions, 'token' | 'devPath' | 'testsPath'>} options
 * @returns {string} what the browser opens
 */
function address(port, workspace, { token, devPath, testsPath }) {
  const query = new URLSearchParams();
  if (token !== undefined) query.set('tkn', token);
  if (workspace === null) query.set('ew', 'true');
  else query.set(isWorkspaceFile(workspace) ? 'workspace' : 'folder', resolve(workspace));
  const remote = (/** @type {string} */ path) => `vscode-remote://127.0.0.1:${port}${encodeURI(resolve(path))}`;
  const payload = [];
  if (devPath !== undefined) payload.push(['extensionDevelopmentPath', remote(devPath)]);
  if (testsPath !== undefined) payload.push(['extensionTestsPath', remote(testsPath)]);
  if (payload.length > 0) query.set('payload', JSON.stringify(payload));
  return `http://127.0.0.1:${port}/?${query.toString()}`;
}

const isWorkspaceFile = (/** @type {string | null} */ path) => path?.endsWith('.code-workspace') === true;

/** One in three windows that open a workspace file in a browser lacks its folders. This many failures in a row do not happen. */
const reloadsForFolders = 10;

/**
 * Waits until the Explorer of a new window shows the folders of its workspace file. In a browser VS Code reads that file only when it is connected.
 * If it reads the file exactly between making the workspace and using it, it forgets the folders, and the window stays empty: the Explorer says so,
 * and extensions see no folder. Then the window is reloaded, which may work.
 *
 * @param {import('playwright-core').Page} page
 * @param {(page: import('playwright-core').Page) => Promise<void>} ready
 */
async function foldersAreOpen(page, ready) {
  const shown = page.locator('.explorer-folders-view .monaco-list-row').first();
  for (let reloads = 0; ; reloads++) {
    try {
      return await shown.waitFor({ timeout: 15_000 });
    } catch (error) {
      if (reloads === reloadsForFolders) throw error;
    }
    await page.reload();
    await ready(page);
  }
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} name file name without its ending
 * @returns {Promise<string>} path of the picture, in test-output/screenshots/
 */
export async function saveScreenshot(page, name) {
  const path = join(projectRoot, 'test-output/screenshots', `${name}.png`);
  fs.mkdirSync(dirname(path), { recursive: true });
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  return path;
}

/** Processes on Linux that run extensions and use this folder. */
function extensionHostsIn(/** @type {string} */ dir) {
  const lineOf = (/** @type {string} */ id) => {
    try {
      return fs.readFileSync(`/proc/${id}/cmdline`, 'utf8') + fs.readFileSync(`/proc/${id}/environ`, 'utf8');
    } catch {
      return '';
    }
  };
  return fs
    .readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id))
    .filter((id) => /--type=extensionHost/.test(lineOf(id)) && lineOf(id).includes(dir))
    .map(Number)
    .sort((a, b) => a - b);
}

/**
 * A separate process group for the server, its extension host and whatever that starts. The shell before it keeps a
 * reader on a pipe from this process: when this process is gone, even by SIGKILL, the reader ends the whole group.
 * @param {Server} server
 * @param {Place} place
 * @param {string[]} under
 * @param {string[]} args
 */
function startServer({ node, main }, { dir, env, arguments: folders }, under, args) {
  const logFile = join(dir, 'server.log');
  const log = fs.openSync(logFile, 'w');
  const script = 'exec 3<&0; (read -r _ <&3; kill -KILL 0) & exec "$@" 3<&- </dev/null';
  const child = spawn('/bin/sh', ['-c', script, 'sh', ...under, node, main, ...args, ...folders], {
    env,
    stdio: ['pipe', log, log],
    detached: true,
  });
  fs.closeSync(log);
  const readLog = () => (fs.existsSync(logFile) ? fs.readFileSync(logFile, 'utf8') : '');
  const signal = (/** @type {'SIGTERM' | 'SIGKILL' | 0} */ name) => {
    try {
      return child.pid !== undefined && process.kill(-child.pid, name);
    } catch {
      return false; // the group is gone
    }
  };
  return {
    log: readLog,
    signal,
    /** @type {Promise<void>} */
    ended: new Promise((settle) => {
      child.once('error', () => settle());
      child.once('exit', () => settle());
    }),
    /** @param {number} timeout @returns {Promise<number>} the port */
    async listening(timeout) {
      for (const giveUp = Date.now() + timeout; Date.now() < giveUp && child.exitCode === null; await sleep(50)) {
        const bound = /agent listening on (\d+)/.exec(readLog());
        if (bound) return Number(bound[1]);
        if (readLog().includes('Error occurred in server')) break; // it would keep running without listening
      }
      // Without the stacks of modules that are missing on purpose.
      const said = readLog()
        .split('\n')
        .filter((line) => !/^\s+at |^\s*$/.test(line));
      throw new Error(`The VS Code server did not start:\n${said.slice(-20).join('\n')}`);
    },
    /** Asks the group to end, then kills it. */
    async end() {
      signal('SIGTERM');
      for (const giveUp = Date.now() + 1_000; signal(0) && Date.now() < giveUp; ) await sleep(50);
      signal('SIGKILL');
    },
  };
}

/** @param {HostOptions} options @returns {Promise<import('playwright-core').Browser>} */
async function launchBrowser({ headless = true, timeout = 120_000 }) {
  // Playwright starts it without its sandbox, which root and many containers need. It only opens our own server: no other address exists for it.
  const noOtherHost = '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1';
  const args = ['--disable-gpu', '--disable-dev-shm-usage', noOtherHost];
  return chromium.launch({ executablePath: await ensureChromium(), headless, args, timeout });
}

/** @param {import('playwright-core').Browser} browser @param {HostOptions} options */
function newUserData(browser, { viewport = { width: 1400, height: 900 }, scale = 1, env }) {
  return browser.newContext({
    viewport,
    deviceScaleFactor: scale,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    timezoneId: env?.TZ ?? testTimeZone,
  });
}

/** Runs the clean-up when this process ends by an exit, an exception, Ctrl+C or SIGTERM. */
function endWithThisProcess(/** @type {() => void} */ cleanup) {
  if (!process.listeners('exit').includes(runCleanups)) {
    process.on('exit', runCleanups);
    for (const [name, number] of Object.entries({ SIGHUP: 1, SIGINT: 2, SIGTERM: 15 })) {
      process.once(name, () => process.exit(128 + number));
    }
  }
  cleanups.add(cleanup);
}

function runCleanups() {
  for (const cleanup of cleanups) cleanup();
}

function settledFromOutside() {
  /** @type {(code: number) => void} */
  let settle = () => {};
  /** @type {Promise<number>} */
  const promise = new Promise((resolvePromise) => {
    settle = resolvePromise;
  });
  return { promise, settle };
}

const sleep = (/** @type {number} */ milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
