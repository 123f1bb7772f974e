/**
 * The main job without a mouse, in a real VS Code: from the alert via the evidence to a message that the agent has taken. The page counts mouse
 * events, and at the end there are none.
 */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createDemo, extensionIsActive } from '../support/demo.mjs';
import { messages, receipts } from '../support/inboxes.mjs';
import { useVSCode } from './support/session.mjs';

const soon = { timeout: 60_000 };

describe('The main job by keyboard alone', () => {
  const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-e2e-'));
  const demo = createDemo({ root, speed: 2, only: ['interleaved'] });
  const session = useVSCode(() => ({ workspace: demo.workspace, home: demo.home }));
  const press = (/** @type {string[]} */ ...keys) =>
    keys.reduce((before, key) => before.then(() => session.window.page.keyboard.press(key)), Promise.resolve());

  /** Returns the name of the focused element in the webview. */
  const focused = () =>
    session.window
      .webview()
      .locator(':focus')
      .evaluate((element) => element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '', undefined, {
        timeout: 1000,
      })
      .catch(() => '');

  /** Presses Tab repeatedly, like a person who does not know how far away the target is. */
  async function tabTo(/** @type {RegExp} */ name) {
    const seen = [];
    for (let tab = 0; tab < 40; tab++) {
      await press('Tab');
      const at = await focused();
      if (name.test(at)) return;
      seen.push(at);
    }
    throw new Error(`Tab does not come to ${name}: ${seen.join(' | ')}`);
  }

  afterAll(() => {
    demo.stop();
    fs.rmSync(root, { recursive: true, force: true });
  });

  it('shows the notification about the stuck agent', async () => {
    const { window } = session;
    await extensionIsActive(session.host.dir);
    await window.page.evaluate(() => {
      globalThis.touched = 0;
      for (const kind of ['pointerdown', 'mousedown', 'wheel'])
        addEventListener(kind, () => globalThis.touched++, { capture: true });
    });
    await demo.start();
    await window.toast('is stuck').waitFor(soon);
  });

  it('opens the evidence with one shortcut, and the panel has the focus', async () => {
    const { window } = session;
    await press('Control+K', 'Control+N');
    await window.webview().getByRole('heading', { name: 'Fix the failing' }).waitFor();
    await tabTo(/^.?\s*Nudge$/u);
    await window.screenshot('keyboard-1-panel');
  });

  it('moves from Nudge to the message and sends it, after one question that connects the agent', async () => {
    const { window } = session;
    await press('Enter');
    await expect.poll(focused, soon).toBe('Message to Claude Code');
    await press('Control+Enter');
    await window.dialogButton('Connect and Nudge').waitFor();
    await window.screenshot('keyboard-2-question');
    await press('Enter');
    await window.dialog.waitFor({ state: 'detached' });
  });

  it('shows that the agent has taken the message', async () => {
    const { window } = session;
    await expect.poll(() => messages(demo.workspace, 'cur').length, soon).toBe(1);
    await expect.poll(() => receipts(demo.workspace), soon).toContain('seen');
    await window.webview().getByText('Taken', { exact: true }).first().waitFor();
    await window.screenshot('keyboard-3-taken');
    expect(await window.page.evaluate(() => globalThis.touched)).toBe(0);
  });
});
