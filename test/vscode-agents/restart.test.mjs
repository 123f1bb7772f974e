/** A stuck agent in a terminal of a real VS Code is ended and resumed there by clicks: same terminal, same session. */
import { describe, expect, it } from 'vitest';
import { AGENTS } from '../agents/agents/index.mjs';
import { TASK, loopScript } from '../agents/actions/loop.mjs';
import { programOf } from '../agents/support/install.mjs';
import { useAgentInWindow } from './support/agent-in-window.mjs';

const isPrompt = (/** @type {{ text: string }} */ { text }) => text.includes('Unstuck, an automated watcher');

/** UNSTUCK_AGENT=codex runs only the agent with this id. */
const chosen = AGENTS.filter(({ id }) => [undefined, id].includes(process.env.UNSTUCK_AGENT));

describe.each(chosen)('$name in a terminal of the window', (agent) => {
  const { program, why } = programOf(agent);
  if (why) console.log(`skipped: ${agent.name}: ${why}`);
  describe.skipIf(program === null)('that is stuck', () => {
    const stage = useAgentInWindow(agent, program ?? '', {});

    it('is noticed', async () => {
      stage.model.play(loopScript(agent, isPrompt));
      await stage.open(TASK);
      await stage.session.window.toastButton('is stuck', 'Show Evidence').click({ timeout: 240_000 });
      await stage.session.window.webview().getByRole('button', { name: 'Recover' }).first().waitFor();
      await stage.picture('restart-1-stuck');
    });

    it('is ended and continues in the same terminal and session', async () => {
      const { window } = stage.session;
      const panel = window.webview();
      await panel.getByRole('button', { name: 'Recover' }).first().click();
      await panel.getByRole('menuitem', { name: /Restart with Feedback/ }).click();
      await window.dialogButton('Restart').click();
      const request = await stage.model.request('with the prompt', isPrompt);
      expect(request.text).toContain(TASK);
      await stage.picture('restart-2-restarted');
      await stage.sees('its last words', /The test passes now\./);
      await stage.picture('restart-3-freed');
    });
  });
});
