/**
 * VS Code's own chat agent in the real VS Code, with the packaged extension: it loops on a failing test, is noticed, reached and freed. Pictures of
 * each stage are in test-output/screenshots.
 */
import fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { messages, receipts } from '../support/inboxes.mjs';
import { useVSCode } from '../e2e/support/session.mjs';
import { allowAll, chatHost, chatOf, chatSettings, connectChat, whyNoChat, writeFailingTest } from './support/chat.mjs';
import { startModel } from './support/model.mjs';

const missing = whyNoChat(process.env.HOST ?? 'current');
if (missing !== null) console.warn(`skipped: ${missing}`);
const soon = { timeout: 240_000, interval: 250 };

const model = missing === null ? await startModel() : undefined;
afterAll(() => model?.close());
const said = (/** @type {string} */ what, /** @type {number} */ from, /** @type {number} */ to) =>
  console.log(`${what}: ${((to - from) / 1000).toFixed(1)} s`);

/** Returns when the model first got a request with this many equal results. */
const askedWith = (/** @type {number} */ results, /** @type {number} */ from = 0) =>
  model?.requests.slice(from).find(({ text }) => text.split('FAIL test_total expected 6 got 3').length > results)?.at;

/** Returns the first request that contains our messages. */
const firstWithMark = () => model?.requests.find(({ marks }) => marks.length > 0);

describe.skipIf(missing !== null)('The chat agent, with the hook', () => {
  const session = useVSCode(() => chatHost(allowAll, model?.url));
  const picture = async (/** @type {string} */ stage) => {
    await session.window.screenshot(`chat-${stage}`);
  };

  it('is offered under Connect, with what is written shown first', async () => {
    const { host, window } = session;
    fs.writeFileSync(join(host.workspace, 'a.txt'), 'alpha\n');
    writeFailingTest(host.workspace);
    window.page.setDefaultTimeout(240_000);
    await chatOf(window.page).start();
    await window.openViewContainer('Unstuck');
    const { question, agree } = await connectChat(window);
    expect(await question.innerText()).toContain('unstuck.json');
    await picture('01-connect');
    await agree();
    expect(fs.existsSync(join(host.home, '.copilot/hooks/unstuck.json'))).toBe(true);
  });

  it('is noticed when it runs the same failing test again and again', async () => {
    const { window } = session;
    await chatOf(window.page).send('task-loop The test of total() fails. Fix it and run the tests.');
    await window.row('task-loop').waitFor();
    await expect.poll(() => window.statusText('unstuck.status'), soon).toContain('1 stuck');
    const noticed = Date.now();
    said('noticed after the request with the 4th equal result', askedWith(4) ?? noticed, noticed);
    await window.toast('is stuck').waitFor();
    await picture('02-alarm');
  });

  it('has the nudge in its next request, once, and changes course', async () => {
    const { host, window } = session;
    await window.toastButton('is stuck', 'Show Evidence').click();
    const send = window.webview().getByRole('button', { name: 'Send Nudge' });
    await send.waitFor();
    await picture('03-evidence');
    const clicked = Date.now();
    await send.click();
    await expect.poll(() => firstWithMark()?.marks.length, soon).toBe(1);
    said('from the click to the request with the nudge', clicked, firstWithMark()?.at ?? 0);
    await expect.poll(() => messages(host.workspace, 'cur').length, soon).toBe(1);
    expect(messages(host.workspace, 'new')).toEqual([]);
    await expect.poll(() => receipts(host.workspace), soon).toEqual(['queued', 'taken', 'seen', 'acted']);
    await picture('04-acted');
  });

  it('is freed, and the panel says by what', async () => {
    const { window } = session;
    await window.row(/freed by nudge/).click();
    const sentence = window.webview().getByText('Freed by your nudge').first();
    await sentence.waitFor();
    await sentence.scrollIntoViewIfNeeded();
    await picture('05-freed');
  });

  it('starts a sub-agent when it is asked to', async () => {
    const { window } = session;
    await chatOf(window.page).send('task-sub look at a.txt');
    await expect.poll(() => model?.requests.some(({ text }) => text.includes('task-subwork')), soon).toBe(true);
    await picture('06-sub-agent');
  });
});

describe.skipIf(missing !== null)('The chat agent, without the hook', () => {
  const session = useVSCode(() => chatHost(allowAll, model?.url));

  it('is steered after a click, and what a person has written in its box stays', async () => {
    const { host, window } = session;
    writeFailingTest(host.workspace);
    window.page.setDefaultTimeout(240_000);
    await chatOf(window.page).start();
    await window.openViewContainer('Unstuck');
    const before = model?.requests.length ?? 0;
    await chatOf(window.page).send('task-loop The test of total() fails, and nothing is connected.');
    // Typed before the alarm, whose notification covers the box.
    await chatOf(window.page).draft('my own words');
    await window.toast('is stuck').waitFor();
    const noticed = Date.now();
    said('without the hook, noticed after the 4th equal result', askedWith(4, before) ?? noticed, noticed);
    await window.toastButton('is stuck', 'Nudge').click();
    const question = window.page.locator('.monaco-dialog-box');
    await question.waitFor();
    expect(await question.innerText()).toContain('comes to the front');
    await window.screenshot('chat-07-steer-question');
    const clicked = Date.now();
    await question.getByRole('button', { name: 'Send to Chat' }).click();
    const steered = () => model?.requests.slice(before).find(({ marks }) => marks.length > 0);
    await expect.poll(() => steered()?.marks.length, soon).toBe(1);
    said('from the click to the request with the steering text', clicked, steered()?.at ?? 0);
    await expect.poll(() => receipts(host.workspace), soon).toEqual(['queued', 'taken', 'seen', 'acted']);
    await window.screenshot('chat-08-steered');
    expect(await window.page.locator('.interactive-input-part').allInnerTexts()).toContainEqual(
      expect.stringMatching(/my.own.words/),
    );
  });
});

describe.skipIf(missing !== null)('The chat agent, with a question before a tool runs', () => {
  const session = useVSCode(() => chatHost(chatSettings, model?.url));

  it('needs you while it waits for permission', async () => {
    const { window } = session;
    window.page.setDefaultTimeout(240_000);
    await chatOf(window.page).start();
    await window.openViewContainer('Unstuck');
    await chatOf(window.page).send('task-wait run it');
    await expect.poll(() => window.statusText('unstuck.status'), soon).toContain('needs you');
    await window.screenshot('chat-09-needs-you');
  });
});
