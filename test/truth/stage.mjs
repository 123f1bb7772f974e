/** The place where the scene is played: a real VS Code, `unstuck watch`, a message server with a relay, and the agents, all on one clock. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createVSIX } from '@vscode/vsce';
import { Machine, Servers, viewer } from '../fleet/support/fleet.mjs';
import { natsServer } from '../fleet/support/nats-server.mjs';
import { extensionIsActive } from '../support/demo.mjs';
import { startHost } from '../support/host.mjs';
import { hostFolder, projectRoot } from '../support/vscode-host.mjs';
import { workbench } from '../e2e/support/workbench.mjs';
import { createClock, preparePages, setPages } from './clock.mjs';
import { createScene } from './scene.mjs';

const CLI = process.env.CLI ?? join(projectRoot, 'dist/cli.js');
const VSIX = process.env.VSIX ?? join(projectRoot, 'dist/unstuck.vsix');
const VIEWPORT = { width: 1300, height: 1100 };
/** The longest wait for one thing in a window, milliseconds: a busy machine is no fault. */
export const PATIENCE = 180_000;
/** The clock advances by the first value at once, and then waits for the second, milliseconds: files are watched and read in real time. */
const JUMP = 5_000;
const PAUSE = 120;

/** @typedef {Awaited<ReturnType<typeof openStage>>} Stage */

/**
 * @template Scene
 * @param {(root: string) => { vsix: string, env: Record<string, string> } | null} also makes a further extension
 * @param {(place: { home: string, workspace: string, start: number, now: () => number }) => Scene & { playTo: (second: number) => void, end: () => void }} makeScene
 */
export async function openStageOf(also, makeScene) {
  const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-truth-'));
  const [home = '', workspace = '', control = ''] = ['home', 'shop', 'control'].map((name) => join(root, name));
  for (const folder of [home, workspace, control]) fs.mkdirSync(folder);
  const clock = createClock(control);
  /** @type {(() => unknown)[]} */
  const ends = [() => fs.rmSync(root, { recursive: true, force: true, maxRetries: 5 })];
  const close = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const helper = join(root, 'truth.vsix');
    const lax = { allowMissingRepository: true, skipLicense: true, dependencies: false };
    await createVSIX({
      cwd: join(import.meta.dirname, 'helper'),
      packagePath: helper,
      allowStarActivation: true,
      ...lax,
    });
    const further = also(root);
    const host = await startHost({
      hostDir: hostFolder(process.env.HOST ?? 'current'),
      vsix: [VSIX, helper, ...(further ? [further.vsix] : [])],
      workspace,
      home,
      env: { UNSTUCK_TRUTH: control, ...further?.env },
      viewport: VIEWPORT,
      onPage: preparePages,
      settings: { 'workbench.hover.delay': 50, 'unstuck.notifications.waiting': 1 },
    });
    ends.push(() => host.close());
    host.page.setDefaultTimeout(PATIENCE);
    const window = workbench(host.page);
    await extensionIsActive(host.dir);
    await window.openViewContainer('Unstuck');
    const scene = makeScene({ home, workspace, start: clock.start, now: clock.now });
    ends.push(() => scene.end());
    const env = { PATH: process.env.PATH, HOME: home, ...clock.env };
    const watched = watch(workspace, env);
    ends.push(() => watched.end());
    const machines = await otherMachine({ home, workspace, env: clock.env });
    ends.push(() => machines.end());
    /** Plays the scene up to a time. `looks`: what is done in between; `others`: further windows. */
    const playTo = async (
      /** @type {number} */ to,
      looks = async () => {},
      others = () => /** @type {import('../e2e/support/workbench.mjs').Workbench[]} */ ([]),
    ) => {
      while (clock.now() < to) {
        clock.moveTo(Math.min(clock.now() + JUMP, to));
        scene.playTo((clock.now() - clock.start) / 1000);
        for (const { page } of [window, ...others()]) await setPages(page, clock.now());
        await looks();
        await sleep(PAUSE);
      }
    };
    return {
      home,
      workspace,
      env,
      cli: CLI,
      clock,
      host,
      window,
      scene,
      watched,
      machines,
      playTo,
      askApi: apiOf(control),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The stage of the thirty minutes. */
export const openStage = () => openStageOf(() => null, createScene);

/** Collects what `unstuck watch` prints, as it comes. */
function watch(/** @type {string} */ workspace, /** @type {NodeJS.ProcessEnv} */ env) {
  const child = spawn(process.execPath, [CLI, 'watch', workspace, '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  /** @type {any[]} */
  const records = [];
  let rest = '';
  child.stdout.on('data', (data) => {
    const lines = (rest + data).split('\n');
    rest = lines.pop() ?? '';
    records.push(...lines.map((line) => JSON.parse(line)));
  });
  return { taken: () => records.splice(0), end: () => child.kill() };
}

/** Reads the agents as another machine sees them, in the words of the command line. Empty without a message server. */
async function otherMachine(
  /** @type {{ home: string, workspace: string, env: Record<string, string> }} */ { home, workspace, env },
) {
  const { path, why } = natsServer();
  if (!path) {
    console.log(`skipped: messages to other machines, ${why}`);
    return { said: () => [], end: () => {} };
  }
  const servers = await Servers.start({ machines: ['shop-1'], viewers: ['me'] });
  const prefix = ['env', ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
  const relay = new Machine('shop-1', servers, { prefix, home, project: workspace });
  relay.relay();
  const client = viewer(servers);
  return {
    said: () =>
      client.agents().map((/** @type {any} */ { record: { session, state } }) => ({
        session,
        state: state.kind,
        for: state.waitingFor,
        ended: state.ended,
        ...(state.until !== undefined && { until: new Date(state.until).toISOString() }),
      })),
    end: async () => {
      client.dispose();
      await relay.stop();
      await servers.stop();
    },
  };
}

/** Queries the API of the extension through the helper next to it. */
function apiOf(/** @type {string} */ control) {
  let asked = 0;
  return async (/** @type {string[]} */ sessions) => {
    const id = ++asked;
    fs.writeFileSync(join(control, 'ask'), JSON.stringify({ id, sessions }));
    const file = join(control, `answer-${id}`);
    for (let waited = 0; !fs.existsSync(file); waited += 50) {
      if (waited > PATIENCE) throw new Error('the API does not answer');
      await sleep(50);
    }
    return /** @type {Record<string, { stuck: boolean }>} */ (JSON.parse(fs.readFileSync(file, 'utf8')));
  };
}
