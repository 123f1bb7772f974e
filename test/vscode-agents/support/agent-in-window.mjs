/** A real agent in a terminal of a real VS Code, as a person runs it: offline, against a scripted model. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { ScriptedModel } from '../../agents/model/server.mjs';
import { Sandbox } from '../../agents/support/sandbox.mjs';
import { extensionIsActive } from '../../support/demo.mjs';
import { useVSCode } from '../../e2e/support/session.mjs';

/** Number of consecutive checks of the terminal, one each 100 ms, that must show the agent's prompt before the test types into it. */
const CALM_LOOKS = 20;
/** Some programs take Enter right after other keys for a line of a paste. Milliseconds. */
const AFTER_TEXT = 300;
/** A program that is still busy with its start ignores Enter, so it is pressed again. Milliseconds. */
const PRESSED_AGAIN = 3_000;
/** Milliseconds. */
const PATIENCE = 240_000;
const INTERVAL = 250;

/**
 * One VS Code on the agent's own home and project; `open` starts the agent there.
 * @param {object} agent of test/agents/agents
 * @param {string} program
 * @param {Record<string, unknown>} settings
 */
export function useAgentInWindow(agent, program, settings) {
  const sandbox = new Sandbox(`window-${agent.id}`);
  const stage = { agent, sandbox, model: /** @type {ScriptedModel} */ (/** @type {unknown} */ (null)), session: null };
  stage.session = useVSCode(async () => {
    stage.model = await ScriptedModel.start();
    const env = { ...sandbox.env, ...agent.environment(sandbox, stage.model.address, program), SHELL: '/bin/bash' };
    agent.prepare(sandbox, stage.model.address);
    agent.interactive.prepare?.(sandbox);
    await agent.trust(sandbox, { program, env, bridge: null });
    agent.interactive.prepareInVSCode?.(sandbox);
    writeFileSync(join(sandbox.home, '.bashrc'), "PS1='shell> '\n");
    return {
      workspace: sandbox.workspace,
      home: sandbox.home,
      env,
      timeout: 240_000,
      settings: {
        'workbench.colorTheme': 'Default Dark Modern',
        'terminal.integrated.gpuAcceleration': 'off',
        'terminal.integrated.shellIntegration.enabled': false,
        ...settings,
      },
      machineSettings: { 'unstuck.launch': { [agent.id]: { program, args: agent.args } } },
    };
  });
  afterAll(async () => {
    await stage.model?.close();
    await sandbox.dispose();
  });
  const page = () => stage.session.window.page;
  return Object.assign(stage, {
    /** The text of the active terminal. */
    screen: async () =>
      (await page().locator('.terminal-wrapper.active .xterm-rows').innerText()).replaceAll('\u00a0', ' '),
    async sees(what, pattern) {
      await expectSoon(what, async () => pattern.test(await this.screen()));
    },
    /** Opens a terminal of the window, starts the agent in it and gives it a task. */
    async open(task) {
      await extensionIsActive(stage.session.host.dir);
      await stage.session.window.openViewContainer('Unstuck');
      await stage.session.window.runCommand('Terminal: Create New Terminal');
      await this.sees('the prompt of the shell', /shell>/);
      const words = agent.interactive.command(program).map((word) => `'${word}'`);
      await this.type(words.join(' '));
      let calm = 0;
      await expectSoon(
        'the prompt of the agent',
        async () => {
          const screen = await this.screen();
          calm = agent.interactive.ready.test(screen) ? calm + 1 : 0;
          return calm >= CALM_LOOKS;
        },
        100,
      );
      await this.type(task);
      let pressed = Date.now();
      await expectSoon('the first request to the model', async () => {
        if (stage.model.main().length > 0) return true;
        if (Date.now() - pressed > PRESSED_AGAIN) {
          pressed = Date.now();
          await page().keyboard.press('Enter');
        }
        return false;
      });
    },
    /** Types into the terminal that has the focus. */
    async type(text) {
      await page().locator('.terminal-wrapper.active .xterm').click();
      await page().keyboard.type(text, { delay: 5 });
      await page().waitForTimeout(AFTER_TEXT);
      await page().keyboard.press('Enter');
    },
    async picture(name) {
      await page().waitForTimeout(800);
      return stage.session.window.screenshot(`${agent.id}-${name}`);
    },
  });
}

/** Checks repeatedly until the condition holds. */
async function expectSoon(what, holds, interval = INTERVAL) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
    if (await holds().catch(() => false)) return;
    await new Promise((done) => setTimeout(done, interval));
  }
  throw new Error(`waited ${PATIENCE / 1000} s for ${what}; it did not come`);
}
