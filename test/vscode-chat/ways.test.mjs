/** The other ways to VS Code's own chat agent: a refused call, the end of its turn, one of two sessions, and a window that is reloaded. */
import fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { messages, receipts } from '../support/inboxes.mjs';
import { useVSCode } from '../e2e/support/session.mjs';
import { allowAll, chatHost, chatOf, connectChat, whyNoChat, writeFailingTest } from './support/chat.mjs';
import { startModel } from './support/model.mjs';

const missing = whyNoChat(process.env.HOST ?? 'current');
/** A row of the side bar: an agent or an incident. */
const ROW = '.sidebar .pane-body .monaco-list-row';
const soon = { timeout: 120_000, interval: 250 };
const model = missing === null ? await startModel() : undefined;
afterAll(() => model?.close());

const said = (/** @type {string} */ what, /** @type {number} */ clicked, /** @type {number | undefined} */ asked) =>
  console.log(`${what}: ${(((asked ?? Number.NaN) - clicked) / 1000).toFixed(1)} s from the click to the request`);
/** Requests of the session whose task has these words. */
const requestsOf = (/** @type {string} */ words) => model?.requests.filter(({ text }) => text.includes(words)) ?? [];
/** The first request of that session that contains our messages. */
const reached = (/** @type {string} */ words) => requestsOf(words).find(({ marks }) => marks.length > 0);
const marksOf = (/** @type {string} */ words) => reached(words)?.marks ?? [];

describe.skipIf(missing !== null)('The chat agent, reached in other ways', () => {
  const session = useVSCode(() => chatHost(allowAll, model?.url));
  const picture = async (/** @type {string} */ stage) => {
    await session.window.page.waitForTimeout(600);
    await session.window.screenshot(`chat-ways-${stage}`);
  };
  /** Opens a new chat in which the test fails again: the repair from the previous chat is removed. */
  const newChat = async () => {
    fs.rmSync(join(session.host.workspace, 'total.js'), { force: true });
    await session.window.page.locator('.part.auxiliarybar .title .codicon-plus').first().click();
    await session.window.page.waitForTimeout(500);
  };

  /** Waits for the end of a chat. The chats run one at a time, because they repair the same files. */
  const endOf = (/** @type {string} */ words) =>
    session.window.rows
      .filter({ hasText: words })
      .and(session.window.page.locator('[aria-label*="your turn"]'))
      .first()
      .waitFor({ timeout: soon.timeout });

  it('is connected', async () => {
    const { host, window } = session;
    writeFailingTest(host.workspace);
    window.page.setDefaultTimeout(240_000);
    await chatOf(window.page).start();
    await window.openViewContainer('Unstuck');
    await (await connectChat(window)).agree();
  });

  it('is refused the repeated call once, and changes course', async () => {
    const { host, window } = session;
    await chatOf(window.page).send('task-loop in the first chat');
    await window.toastButton('is stuck', 'Show Evidence').click();
    const panel = window.webview();
    await panel.getByRole('button', { name: 'Send Nudge' }).waitFor();
    await picture('01-panel');
    await panel.getByRole('button', { name: 'Recover' }).first().click();
    await picture('02-menu');
    await panel.getByRole('menuitem', { name: 'Block This Call Once' }).click();
    const clicked = Date.now();
    await expect.poll(() => marksOf('in the first chat').length, soon).toBe(1);
    said('a refused call', clicked, reached('in the first chat')?.at);
    await expect.poll(() => receipts(host.workspace), soon).toEqual(['queued', 'taken', 'seen', 'acted']);
    await picture('03-refused');
  });

  it('gets a nudge at the end of its turn, instead of an end', async () => {
    const { host, window } = session;
    await newChat();
    await chatOf(window.page).send('task-ends in the second chat');
    await window.toastButton('is stuck', 'Nudge').click();
    await expect.poll(() => messages(host.workspace, 'new').length, soon).toBe(1);
    model?.release();
    // VS Code 1.139 puts the reason of a hook that blocks the end into the request twice.
    await expect.poll(() => new Set(marksOf('in the second chat')).size, soon).toBe(1);
    expect(reached('in the second chat')?.text).toContain('I cannot find it.');
    await endOf('in the second');
    await picture('04-end-of-turn');
  });

  it('is reached in one of two sessions, and the other continues', async () => {
    const { window } = session;
    await newChat();
    await chatOf(window.page).send('task-loop in the third chat');
    await window.row('in the third').waitFor();
    await newChat();
    await chatOf(window.page).send('task-sub in the fourth chat');
    await window.toastButton('is stuck', 'Nudge').click();
    const clicked = Date.now();
    await expect.poll(() => marksOf('in the third chat').length, soon).toBe(1);
    said('a nudge to one of two', clicked, reached('in the third chat')?.at);
    expect(marksOf('in the fourth chat')).toEqual([]);
    await endOf('in the third');
    await picture('05-two-sessions');
  });

  it('is stopped by a click: its turn ends, and the model gets no further request', async () => {
    const { window } = session;
    await newChat();
    await chatOf(window.page).send('task-loop in the last chat');
    await window.toastButton('is stuck', 'Show Evidence').click();
    const panel = window.webview();
    await panel.getByRole('button', { name: 'Recover' }).first().click();
    await panel.getByRole('menuitem', { name: 'Stop' }).click();
    await window.page.getByRole('button', { name: 'Stop', exact: true }).click();
    await endOf('in the last');
    const asked = requestsOf('in the last chat').length;
    await picture('06-stopped');
    // Otherwise the model would get the next request within three seconds.
    await window.page.waitForTimeout(6_000);
    expect(requestsOf('in the last chat')).toHaveLength(asked);
    // The chat came to the front as an editor, whose box would take the next prompt.
    await window.runCommand('View: Close All Editors');
  });

  it('is cancelled, and its task continues in a new chat', async () => {
    const { window } = session;
    await newChat();
    await chatOf(window.page).send('task-loop in the sixth chat');
    await window.toastButton('is stuck', 'Show Evidence').click();
    const panel = window.webview();
    // The panel takes the focus when it is drawn. Text typed earlier would go there.
    await panel.getByRole('button', { name: 'Recover' }).first().waitFor();
    await chatOf(window.page).draft('unfinished');
    await window.page.locator('.interactive-input-part').filter({ hasText: 'unfinished' }).waitFor();
    await panel.getByRole('button', { name: 'Recover' }).first().click();
    await panel.getByRole('menuitem', { name: 'Restart with Fresh Context' }).click();
    await picture('07-question');
    await window.page.getByRole('button', { name: 'Restart', exact: true }).click();
    const clicked = Date.now();
    const takesOver = () => requestsOf('in the sixth chat').filter(({ text }) => text.includes('You take over from'));
    await expect.poll(() => takesOver().length, soon).toBeGreaterThan(0);
    said('a new chat', clicked, takesOver()[0]?.at);
    const before = requestsOf('in the sixth chat').length - takesOver().length;
    await window.row('freed by restart').waitFor({ timeout: soon.timeout });
    await endOf('in the sixth');
    await picture('08-new-chat');
    // The person's draft is neither sent nor lost.
    expect(requestsOf('unfinished')).toEqual([]);
    const box = window.page.locator('.interactive-input-part').filter({ hasText: 'unfinished' });
    expect(await box.count()).toBe(1);
    await box.locator('.monaco-editor').first().click();
    await window.page.keyboard.press('ControlOrMeta+A');
    await window.page.keyboard.press('Delete');
    expect(requestsOf('in the sixth chat').length - takesOver().length).toBe(before);
  });

  it('has the same incidents after the window was reloaded in the middle of its turn, and does not notify again', async () => {
    const { host, window } = session;
    // The chat that was begun is in an editor, whose box would take the prompt.
    await window.runCommand('View: Close All Editors');
    await newChat();
    await chatOf(window.page).send('task-loop in the fifth chat');
    await window.toast('is stuck').waitFor();
    const tasks = ['in the first', 'in the second', 'in the third'];
    const rows = () => Promise.all(tasks.map((words) => window.page.locator(ROW).filter({ hasText: words }).count()));
    const before = await rows();
    await host.reload();
    await window.openViewContainer('Unstuck');
    await window.row('in the fifth').waitFor();
    await expect.poll(rows, soon).toEqual(before);
    await picture('09-reloaded');
    expect(await window.toast('is stuck').count()).toBe(0);
  });
});
