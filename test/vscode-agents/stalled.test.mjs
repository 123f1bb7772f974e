/**
 * An agent that hangs, in a terminal of a real VS Code: its model never answers, or a command never ends. A person sees it, looks, and gets it going
 * again by clicks alone.
 */
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../agents/agents/claude-code.mjs';
import { inTurn } from '../agents/model/scripts.mjs';
import { REPAIR } from '../agents/support/sandbox.mjs';
import { TASK } from '../agents/actions/loop.mjs';
import { programOf } from '../agents/support/install.mjs';
import { useAgentInWindow } from './support/agent-in-window.mjs';

const { program, why } = programOf(claudeCode);
if (why) console.log(`skipped: ${why}`);
/** Minutes, short enough for a test: nobody wants to wait for ten. */
const settings = { 'unstuck.detectors': { stall: { warn: 0.2, tool: 0.2, build: 0.2, asked: 0.2 } } };
/** Never resolves. */
const hold = new Promise(() => {});
const hangs = claudeCode.shell('tail -f /dev/null');

describe.skipIf(program === null).each([
  ['A model that never answers', 'model', () => ({ text: 'never', hold }), 'while the model answers'],
  ['A command that never ends', 'command', () => ({ calls: [hangs] }), 'while running'],
])('%s', (_name, id, script, cause) => {
  const stage = useAgentInWindow(claudeCode, program ?? '', settings);

  it('is shown as silent, without a notification', async () => {
    stage.model.play(script);
    await stage.open(TASK);
    await stage.session.window.row('no output for').waitFor({ timeout: 240_000 });
    await stage.picture(`${id}-1-row`);
    expect(await stage.session.window.toastTexts()).toEqual([]);
  });

  it('opens with the cause, and with what can be done', async () => {
    await stage.session.window.row('no output for').click();
    const panel = stage.session.window.webview();
    await panel.getByText(cause).first().waitFor();
    await panel.getByRole('button', { name: 'Recover' }).first().click();
    await panel.getByRole('menuitem', { name: 'Recommended: Restart with Feedback' }).waitFor();
    await stage.picture(`${id}-2-menu`);
  });

  it('continues in the same terminal and session after two clicks', async () => {
    const { window } = stage.session;
    stage.model.play(inTurn([claudeCode.shell(REPAIR), claudeCode.shell('npm test')], 'The test passes now.'));
    await window.webview().getByRole('menuitem', { name: 'Recommended: Restart with Feedback' }).click();
    await window.dialogButton('Restart').click();
    const request = await stage.model.request('with the prompt', ({ text }) =>
      text.includes('Unstuck, an automated watcher'),
    );
    expect(request.text).toContain(TASK);
    expect(request.text).not.toContain('Avoid:');
    await stage.picture(`${id}-3-restarted`);
    await window.page.locator('.statusbar-item', { hasText: 'Freed by your restart' }).waitFor();
    await stage.sees('its last words', /The test passes now\./);
    await window.row('your turn').waitFor();
    await stage.picture(`${id}-4-freed`);
  });

  it('is reported as freed by the restart', async () => {
    const { window } = stage.session;
    await window.rows.last().click();
    await window
      .webview()
      .getByText(/Freed by your restart after/)
      .waitFor();
    await stage.picture(`${id}-5-past`);
  });
});
