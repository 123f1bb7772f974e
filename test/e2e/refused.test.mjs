/** A stuck agent is refused the repeated call, once, by a click in a real VS Code. It reads why as the result, and changes course. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createDemo, extensionIsActive } from '../support/demo.mjs';
import { receipts } from '../support/inboxes.mjs';
import { useVSCode } from './support/session.mjs';

const soon = { timeout: 60_000 };

describe('Block This Call Once', () => {
  const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-e2e-'));
  const demo = createDemo({ root, speed: 2, only: ['same-command'] });
  const session = useVSCode(() => ({ workspace: demo.workspace, home: demo.home }));
  const panel = () => session.window.webview();

  afterAll(() => {
    demo.stop();
    fs.rmSync(root, { recursive: true, force: true });
  });

  it('is offered for a stuck agent that is connected', async () => {
    const { window } = session;
    await extensionIsActive(session.host.dir);
    await demo.start();
    await window.toastButton('is stuck', 'Show Evidence').click({ timeout: 60_000 });
    await window.runCommand('Unstuck: Connect Agent…');
    await window.quickPickRow('Claude Code').click();
    await window.dialogButton('Connect').click();
    await window.toast('is connected').waitFor();
    await expect.poll(() => panel().getByText('is not connected').count(), soon).toBe(0);
    await panel().getByRole('button', { name: 'Recover' }).first().click();
    await panel().getByRole('menuitem', { name: 'Block This Call Once' }).click();
    await window.toast('will be blocked once from making this call').waitFor();
  });

  it('refuses the call at its next try, and the agent changes course', async () => {
    const [run] = demo.runs;
    const transcript = () => fs.readFileSync(demo.transcriptOf(run?.session ?? ''), 'utf8');
    await expect.poll(transcript, soon).toContain('PreToolUse:Bash hook error: ');
    await expect.poll(() => receipts(demo.workspace), soon).toEqual(['queued', 'taken', 'seen', 'acted']);
    await panel().getByText('Taken', { exact: true }).first().waitFor();
    await session.window.screenshot('refused');
  });
});
