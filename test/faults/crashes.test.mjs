/** The extension host, the server and agents die and come back: nothing is lost, and nothing is reported twice. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { extensionIsActive } from '../support/demo.mjs';
import { useVSCode } from '../e2e/support/session.mjs';
import { agentRow, createAgent } from './support/agents.mjs';
import { incidentsBySession } from './support/history.mjs';

const soon = { timeout: 120_000 };

describe('After a crash', () => {
  const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-faults-'));
  const [home, workspace] = [join(root, 'home'), join(root, 'work')];
  fs.mkdirSync(home);
  fs.mkdirSync(workspace);
  const agent = (/** @type {string} */ session, /** @type {string} */ task) =>
    createAgent({ home, workspace, session: `00000000-0000-4000-8000-00000000000${session}`, task });
  const session = useVSCode(() => ({ workspace, home }));
  const incidents = () => incidentsBySession(session.host.dir);
  const status = () => session.window.statusText('unstuck.status');

  afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

  const first = agent('1', 'Alpha');
  const healthy = agent('2', 'Manual');
  const second = agent('3', 'Beta');
  const broken = agent('4', 'Gamma');
  const third = agent('5', 'Delta');

  it('that has not happened yet, one agent is stuck and another makes progress', async () => {
    await extensionIsActive(session.host.dir);
    await session.window.openViewContainer('Unstuck');
    healthy.work();
    first.loop();
    await expect.poll(status, soon).toContain('1 stuck');
    await session.window.toast('“Alpha” is stuck').waitFor();
    await expect.poll(incidents, soon).toEqual({ [first.session]: 1 });
  });

  it('of the extension host, what happened meanwhile is noticed, and what was known is reported once', async () => {
    const { host, window } = session;
    const [before = 0] = host.extensionHosts().slice(-1);
    expect(before).toBeGreaterThan(0);
    process.kill(before, 'SIGKILL');
    second.loop();
    healthy.work();
    await expect.poll(() => host.extensionHosts().filter((id) => id !== before).length, soon).toBeGreaterThan(0);
    await expect.poll(status, soon).toContain('2 stuck');
    await agentRow(window, 'Beta').waitFor();
    await agentRow(window, 'Manual').waitFor();
    await expect.poll(incidents, soon).toEqual({ [first.session]: 1, [second.session]: 1 });
    await window.page.waitForTimeout(2_000);
    await window.screenshot('faults-extension-host');
    console.log(`After the extension host died, a person sees: ${JSON.stringify(await window.toastTexts())}`);
    expect(incidents()).toEqual({ [first.session]: 1, [second.session]: 1 });
  });

  it('of an agent in the middle of a line, that line is skipped and reported, and what the next run writes is read', async () => {
    const { window } = session;
    broken.work(2);
    broken.dieWithinALine();
    await agentRow(window, 'Gamma').waitFor();
    // Started again, it continues after the half line, and then repeats itself.
    broken.work(2);
    broken.loop();
    await expect.poll(status, soon).toContain('3 stuck');
    await expect.poll(incidents, soon).toEqual({ [first.session]: 1, [second.session]: 1, [broken.session]: 1 });
    await agentRow(window, 'Gamma').hover();
    await window.screenshot('faults-half-line');
    console.log(`Of the half line a person sees: ${await agentRow(window, 'Gamma').getAttribute('aria-label')}`);
  });

  it('of the server, everything is there again, including what happened meanwhile', async () => {
    const { host, window } = session;
    await host.killServer();
    third.loop();
    await window.page.waitForTimeout(1_000);
    await host.startServer();
    await host.reload();
    await window.openViewContainer('Unstuck');
    await expect.poll(status, soon).toContain('4 stuck');
    for (const task of ['Alpha', 'Beta', 'Gamma', 'Delta']) await agentRow(window, task).waitFor();
    const all = { [first.session]: 1, [second.session]: 1, [broken.session]: 1, [third.session]: 1 };
    await expect.poll(incidents, soon).toEqual(all);
    await window.page.waitForTimeout(2_000);
    expect(incidents()).toEqual(all);
    await window.screenshot('faults-server');
    console.log(`After the server died, a person sees: ${JSON.stringify(await window.toastTexts())}`);
  });
});
