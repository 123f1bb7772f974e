/** Clicks through the demo as a person would, and checks what reaches the agent. */
import fs from 'node:fs';
import { extensionIsActive } from './demo.mjs';
import { messages } from './inboxes.mjs';

const WAIT = 60_000;

/**
 * @param {{ host: import('./host.mjs').Host, demo: any, say: (text: string) => void }} parts
 * @returns {Promise<boolean>}
 * @throws {Error} naming the step that did not come
 */
export async function checkDemo({ host, demo, say }) {
  const { page } = host;
  const status = page.locator('[id="unstuck.unstuck.unstuck.status"]');
  const toast = (/** @type {string} */ text) =>
    page.locator('.notifications-toasts .notification-list-item').filter({ hasText: text });

  await extensionIsActive(host.dir);
  await demo.start();
  await status.waitFor({ timeout: WAIT });
  say(`The status bar shows the agents: ${(await status.innerText()).trim()}`);

  await waitFor('an agent that is stuck in the status bar', async () => (await status.innerText()).includes('stuck'));
  say(`The status bar turns: ${(await status.innerText()).trim()}`);
  const alarm = toast('is stuck').first();
  await alarm.waitFor({ timeout: WAIT });
  say(`Notification: ${(await alarm.locator('.notification-list-item-message').innerText()).trim()}`);

  await alarm.getByRole('button', { name: 'Nudge' }).click();
  const question = page.locator('.monaco-dialog-box');
  await question.getByRole('button', { name: 'Connect and Nudge', exact: true }).click({ timeout: WAIT });
  await toast('Nudge queued').first().waitFor({ timeout: WAIT });
  const message = await waitFor(
    'the message in the inbox',
    async () => messages(demo.workspace, 'new')[0] ?? messages(demo.workspace, 'cur')[0],
  );
  say(`The nudge lies in the inbox: ${message}`);

  await waitFor('the taking of the nudge by the hook', async () => messages(demo.workspace, 'cur').includes(message));
  say('The agent’s hook took the nudge at its next tool call.');
  await waitFor('the mark of the nudge in a transcript', async () =>
    demo.runs.some((/** @type {any} */ run) =>
      fs.readFileSync(demo.transcriptOf(run.session), 'utf8').includes(`[unstuck ${message.replace('.json', '')}]`),
    ),
  );
  say('It shows in the transcript; the agent goes another way.');
  return true;
}

/** @template T @param {string} what @param {() => Promise<T>} ask @returns {Promise<NonNullable<T>>} */
async function waitFor(what, ask) {
  for (const end = Date.now() + WAIT; Date.now() < end; ) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`Waited ${WAIT / 1000} s for ${what}; it did not come.`);
}
