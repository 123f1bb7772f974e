/**
 * The main job, in a real VS Code in a browser, by mouse and keyboard: a recorded run gets stuck, is noticed, shown, nudged, connected and freed.
 * Each stage leaves a picture in test-output/screenshots.
 */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createDemo, extensionIsActive } from '../support/demo.mjs';
import { messages, receipts } from '../support/inboxes.mjs';
import { useVSCode } from './support/session.mjs';

const soon = { timeout: 60_000 };

describe('The main path', () => {
  const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-e2e-'));
  const demo = createDemo({ root, speed: 2, only: ['interleaved', 'healthy'] });
  const session = useVSCode(() => ({
    workspace: demo.workspace,
    home: demo.home,
    settings: { 'workbench.colorTheme': 'Default Dark Modern' },
  }));
  const picture = async (/** @type {string} */ stage) => {
    await session.window.screenshot(stage);
  };

  afterAll(() => {
    demo.stop();
    fs.rmSync(root, { recursive: true, force: true });
  });

  it('says what to do while there is no agent', async () => {
    await extensionIsActive(session.host.dir);
    await session.window.openViewContainer('Unstuck');
    await session.window.welcome
      .filter({ hasText: 'No coding agent has written a transcript for this folder yet.' })
      .waitFor();
    await picture('01-empty');
  });

  it('shows agents as they appear', async () => {
    await demo.start();
    await session.window.row('Fix the failing').waitFor();
    await session.window.row('Fix total(), add a mean').waitFor();
    await picture('02-agents');
  });

  it('changes the status bar and notifies once when an agent is stuck', async () => {
    const { window } = session;
    await expect.poll(() => window.statusText('unstuck.status'), soon).toContain('1 stuck');
    await window.toast('is stuck').waitFor();
    const [text] = await window.toastTexts();
    expect(text).toMatch(
      /“Fix the failing total\(\) test” is stuck: pytest -q --tb=short gave the same result \d times\./,
    );
    expect(await window.toasts.filter({ hasText: 'is stuck' }).count()).toBe(1);
    await picture('03-stuck');
  });

  it('shows the evidence, and that nothing delivers a nudge yet', async () => {
    const { window } = session;
    await window.toastButton('is stuck', 'Show Evidence').click();
    await window.webview().getByText('This agent is not connected').first().waitFor();
    await window.page.setViewportSize({ width: 1400, height: 1500 });
    await picture('04-panel');
    await window.page.setViewportSize({ width: 1400, height: 900 });
  });

  it('opens what happened at the line of an evidence row, and from there its raw line', async () => {
    const { window } = session;
    const link = window
      .webview()
      .getByText(/^line \d+$/)
      .first();
    // Read and clicked in one step: the agent keeps working, and another rule may report the same streak with other lines.
    const text = await link.evaluate((element) => {
      element.click();
      return element.textContent ?? '';
    });
    const line = Number(text.replace('line ', ''));
    await window.tab(`Line ${line}, Claude Code`).waitFor();
    await picture('05-evidence');
    await window.editorAction('Open Raw Line').click();
    await expect.poll(() => window.cursor.innerText().catch(() => ''), soon).toContain(`Ln ${line},`);
    await picture('05-transcript');
    await window.row('Fix the failing').click();
    await window.webview().getByText('This agent is not connected').first().waitFor();
  });

  it('shows what it writes, connects, and sends the nudge, with one question', async () => {
    const { window } = session;
    await window.webview().getByRole('button', { name: 'Connect and Nudge' }).click();
    await window.dialog.waitFor();
    expect(await window.dialog.innerText()).toContain('settings.local.json');
    await picture('06-connect');
    expect(messages(demo.workspace, 'new')).toEqual([]);
    await window.dialogButton('Connect and Nudge').click();
    await window.webview().getByRole('button', { name: 'Send Nudge' }).waitFor();
  });

  it('delivers the nudge with the next hook call of the running session, and sees it in the transcript', async () => {
    const { window } = session;
    await expect.poll(() => messages(demo.workspace, 'cur').length, soon).toBe(1);
    expect(messages(demo.workspace, 'new')).toEqual([]);
    await window.webview().getByText('Taken', { exact: true }).first().waitFor();
    await expect.poll(() => receipts(demo.workspace), soon).toContain('seen');
    const panel = window.webview();
    // On a busy machine the next five calls may come before the panel is read. Then the panel shows their effect.
    const acted = panel.getByText(/, (changed|same result)$/);
    await panel
      .getByText(/seen in its transcript/)
      .or(acted)
      .first()
      .waitFor();
    await picture('07-taken');
  });

  it('recovers, and says that the next calls changed', async () => {
    await expect.poll(() => receipts(demo.workspace), soon).toEqual(['queued', 'taken', 'seen', 'acted']);
    await session.window.webview().getByText('Acted', { exact: true }).first().waitFor();
    await picture('09-recovered');
  });

  it('keeps the incident in the history after a reload, and does not notify again', async () => {
    const { window, host } = session;
    await host.reload();
    await window.openViewContainer('Unstuck');
    await window.row('pytest -q --tb=short').waitFor();
    await window.page.waitForTimeout(3_000);
    expect(await window.toasts.filter({ hasText: 'stuck' }).count()).toBe(0);
    await picture('10-history');
  });
});
