/**
 * A laptop that sleeps, a clock that is set back, and a slow file system. Clock and disk belong to the whole machine, so a test extension in the same
 * extension host moves `Date` and delays the calls of `node:fs`. Sleep is a stopped process whose clock has advanced when it runs again.
 */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createVSIX } from '@vscode/vsce';
import { afterAll, describe, expect, it } from 'vitest';
import { projectRoot } from '../support/vscode-host.mjs';
import { extensionIsActive } from '../support/demo.mjs';
import { useVSCode } from '../e2e/support/session.mjs';
import { agentRow, createAgent } from './support/agents.mjs';
import { incidentsBySession } from './support/history.mjs';

const soon = { timeout: 120_000 };
const HOUR = 60 * 60_000;

describe('Clock and disk', () => {
  const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-faults-'));
  const [home, workspace] = [join(root, 'home'), join(root, 'work')];
  for (const folder of [home, workspace]) fs.mkdirSync(folder);
  const control = { ahead: 0, delay: 0 };
  const set = (/** @type {Partial<typeof control>} */ values) => {
    Object.assign(control, values);
    fs.writeFileSync(join(home, 'faults.json'), JSON.stringify(control));
  };
  const agent = (/** @type {number} */ number, /** @type {string} */ task) =>
    createAgent({
      home,
      workspace,
      session: `00000000-0000-4000-8000-00000000003${number}`,
      task,
      now: () => Date.now() + control.ahead,
    });
  const session = useVSCode(async () => {
    const packagePath = join(root, 'faults.vsix');
    const helper = join(projectRoot, 'test/faults/helper');
    const lax = { allowMissingRepository: true, skipLicense: true, dependencies: false };
    await createVSIX({ cwd: helper, packagePath, allowStarActivation: true, ...lax });
    const vsix = [process.env.VSIX ?? join(projectRoot, 'dist/unstuck.vsix'), packagePath];
    return { workspace, home, vsix };
  });
  const incidents = () => incidentsBySession(session.host.dir);
  /** Reads the text of an agent's row; an agent that was silent for hours counts as finished, so the status bar counts fewer. */
  const rowOf = (/** @type {string} */ task) => agentRow(session.window, task).getAttribute('aria-label');

  afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

  const alpha = agent(1, 'Alpha');
  const manual = agent(2, 'Manual');

  it('at first nothing is wrong: one agent is stuck, another makes progress', async () => {
    const { host, window } = session;
    await extensionIsActive(host.dir);
    await expect.poll(() => fs.existsSync(join(home, 'faults-ready')), soon).toBe(true);
    await window.openViewContainer('Unstuck');
    alpha.loop();
    manual.work();
    await expect.poll(() => rowOf('Alpha'), soon).toContain('stuck');
    await expect.poll(incidents, soon).toEqual({ [alpha.session]: 1 });
  });

  it('eight hours of sleep are no stall: an agent that continues is working, and one that loops is noticed', async () => {
    const { host, window } = session;
    const [id = 0] = host.extensionHosts().slice(-1);
    process.kill(id, 'SIGSTOP');
    await wait(3_000);
    set({ ahead: 8 * HOUR });
    process.kill(id, 'SIGCONT');
    await wait(1_000);
    manual.work();
    const beta = agent(3, 'Beta');
    beta.loop();
    await expect.poll(() => rowOf('Beta'), soon).toContain('stuck');
    await agentRow(window, 'Manual').waitFor();
    await wait(5_000);
    await window.screenshot('faults-sleep');
    console.log(`After sleep a person sees: ${JSON.stringify(await window.rows.allInnerTexts())}`);
    expect(incidents()).toEqual({ [alpha.session]: 1, [beta.session]: 1 });
  });

  it('a clock that is set back by an hour ends nothing and begins nothing', async () => {
    const { window } = session;
    const before = incidents();
    set({ ahead: 7 * HOUR });
    manual.work();
    await wait(5_000);
    expect(incidents()).toEqual(before);
    const gamma = agent(4, 'Gamma');
    gamma.loop();
    await expect.poll(() => rowOf('Gamma'), soon).toContain('stuck');
    await expect.poll(incidents, soon).toEqual({ ...before, [gamma.session]: 1 });
    await window.screenshot('faults-clock-back');
    console.log(`With the clock set back a person sees: ${JSON.stringify(await window.rows.allInnerTexts())}`);
  });

  it('a file system that takes half a second for each look delays what is seen, and loses nothing', async () => {
    const { window } = session;
    const before = incidents();
    set({ delay: 500 });
    await wait(1_000);
    const delta = agent(5, 'Delta');
    delta.loop();
    manual.work();
    await expect.poll(() => rowOf('Delta'), soon).toContain('stuck');
    await window.screenshot('faults-slow-disk');
    set({ delay: 0 });
    await expect.poll(incidents, soon).toEqual({ ...before, [delta.session]: 1 });
  });
});
