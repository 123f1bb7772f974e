/**
 * From an empty profile: the package is installed, a folder is opened, an agent appears, gets stuck, is nudged and connected, and takes the nudge.
 * Every click of the person is counted.
 */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createDemo, extensionIsActive } from '../support/demo.mjs';
import { receipts } from '../support/inboxes.mjs';
import { useVSCode } from './support/session.mjs';

/** The clicks a person needs from the installed package to the freed agent: two to trust the folder, two for Unstuck. */
const MOST_CLICKS = 4;
const soon = { timeout: 60_000 };

describe('The first run', () => {
  const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-e2e-'));
  const demo = createDemo({ root, speed: 2, only: ['interleaved'] });
  const session = useVSCode(() => ({ workspace: demo.workspace, home: demo.home, trust: 'on' }));
  let clicks = 0;
  const click = async (/** @type {import('playwright-core').Locator} */ target) => {
    await target.click();
    clicks++;
  };

  afterAll(() => {
    demo.stop();
    fs.rmSync(root, { recursive: true, force: true });
  });

  it('trusts the folder, as for every folder', async () => {
    const { window, host } = session;
    await click(window.restrictedModeBanner.getByText('Manage'));
    await click(window.page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }));
    await window.page.locator('.workspace-trust-editor.trusted').waitFor();
    await extensionIsActive(host.dir);
  });

  it('sees the agent and its alarm without doing anything', async () => {
    await demo.start();
    await session.window.toast('is stuck').waitFor({ timeout: 60_000 });
  });

  it('nudges from the notification: one question connects the agent, and the nudge follows', async () => {
    await click(session.window.toastButton('is stuck', 'Nudge'));
    await click(session.window.dialogButton('Connect and Nudge'));
    await session.window.toast('Nudge queued').waitFor();
  });

  it(`has freed the agent after at most ${MOST_CLICKS} clicks`, async () => {
    await expect.poll(() => receipts(demo.workspace), soon).toEqual(['queued', 'taken', 'seen', 'acted']);
    console.log(`clicks from the installed package to the freed agent: ${clicks}`);
    expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
  });
});
