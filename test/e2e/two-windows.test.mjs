/** Two windows on one folder: both see the agent, one of them notifies, and a nudge is sent once. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createDemo, extensionIsActive } from '../support/demo.mjs';
import { messages } from '../support/inboxes.mjs';
import { useVSCode } from './support/session.mjs';
import { workbench } from './support/workbench.mjs';

describe('Two windows on one folder', () => {
  const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-e2e-'));
  const demo = createDemo({ root, speed: 2, only: ['interleaved'] });
  const session = useVSCode(() => ({ workspace: demo.workspace, home: demo.home }));
  /** @type {ReturnType<typeof workbench>} */
  let other;

  afterAll(() => {
    demo.stop();
    fs.rmSync(root, { recursive: true, force: true });
  });

  it('shows the agent in both', async () => {
    await extensionIsActive(session.host.dir);
    other = workbench(await session.host.openWindow());
    await other.openViewContainer('Unstuck');
    await other.welcome.first().waitFor();
    await demo.start();
    await other.row('Fix the failing').waitFor();
    await session.window.statusItem('unstuck.status').waitFor();
  });

  it('notifies in one of them', async () => {
    const count = async () =>
      (await session.window.toasts.filter({ hasText: 'is stuck' }).count()) +
      (await other.toasts.filter({ hasText: 'is stuck' }).count());
    await expect.poll(count, { timeout: 60_000 }).toBe(1);
    await expect.poll(() => session.window.statusText('unstuck.status'), { timeout: 30_000 }).toContain('1 stuck');
    await expect.poll(() => other.statusText('unstuck.status'), { timeout: 30_000 }).toContain('1 stuck');
    await session.window.page.waitForTimeout(2_000);
    expect(await count()).toBe(1);
  });

  it('sends one message if both nudge at once', async () => {
    await session.window.openViewContainer('Unstuck');
    const nudge = async (/** @type {ReturnType<typeof workbench>} */ window) => {
      await window.clickRowAction(window.row('Fix the failing'), 'Nudge Agent');
      await window.dialogButton('Connect and Nudge').waitFor();
    };
    const agree = (/** @type {ReturnType<typeof workbench>} */ window) =>
      window.dialogButton('Connect and Nudge').click();
    const sent = () => messages(demo.workspace, 'new').length + messages(demo.workspace, 'cur').length;
    await Promise.all([nudge(session.window), nudge(other)]);
    await Promise.all([agree(session.window), agree(other)]);
    await expect.poll(sent, { timeout: 30_000 }).toBe(1);
    await session.window.page.waitForTimeout(2_000);
    expect(sent()).toBe(1);
  });
});
