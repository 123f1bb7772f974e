/** A folder that is trusted later: what was read before continues, and what was not allowed before is allowed then. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { extensionIsActive } from '../support/demo.mjs';
import { useVSCode } from '../e2e/support/session.mjs';
import { agentRow, createAgent } from './support/agents.mjs';
import { incidentsBySession } from './support/history.mjs';

const soon = { timeout: 120_000 };

describe('Trust that is given later', () => {
  const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-faults-'));
  const [home, workspace] = [join(root, 'home'), join(root, 'work')];
  fs.mkdirSync(home);
  fs.mkdirSync(workspace);
  const agent = (/** @type {number} */ number, /** @type {string} */ task) =>
    createAgent({ home, workspace, session: `00000000-0000-4000-8000-00000000002${number}`, task });
  const session = useVSCode(() => ({ workspace, home, trust: 'on' }));
  const incidents = () => incidentsBySession(session.host.dir);

  afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

  const alpha = agent(1, 'Alpha');
  const beta = agent(2, 'Beta');

  it('does not keep an agent from being noticed before that, and nothing is written into the folder', async () => {
    const { host, window } = session;
    await window.restrictedModeBanner.waitFor();
    await extensionIsActive(host.dir);
    await window.openViewContainer('Unstuck');
    alpha.loop();
    await expect.poll(() => window.statusText('unstuck.status'), soon).toContain('1 stuck');
    await expect.poll(incidents, soon).toEqual({ [alpha.session]: 1 });
    expect(fs.existsSync(join(workspace, '.unstuck'))).toBe(false);
  });

  it('loses and invents nothing when it is given, and then offers what is allowed', async () => {
    const { window } = session;
    // The palette closes when a notification takes the focus.
    await window.page.waitForTimeout(2_000);
    await window.trustFolder();
    beta.loop();
    await window.openViewContainer('Unstuck');
    await expect.poll(() => window.statusText('unstuck.status'), soon).toContain('2 stuck');
    await expect.poll(incidents, soon).toEqual({ [alpha.session]: 1, [beta.session]: 1 });
    await agentRow(window, 'Alpha').hover();
    await agentRow(window, 'Alpha').locator('.actions .action-label[aria-label^="Nudge Agent"]').waitFor();
    await window.screenshot('faults-trust');
    console.log(`After trust a person sees: ${JSON.stringify(await window.toastTexts())}`);
    expect(await window.page.getByText('Restricted mode: reading only.').count()).toBe(0);
  });
});
