/** VS Code's chat view with its local agent and a scripted model, offline and without an account. */
import fs from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../support/vscode-host.mjs';

/** Returns why the tests cannot run in this VS Code, or null: they need its built-in chat agent, which 1.100 does not have. */
export function whyNoChat(/** @type {string} */ host) {
  const extension = join(
    projectRoot,
    'test/vscode',
    host,
    'node_modules/code-server/lib/vscode/extensions/copilot/package.json',
  );
  return fs.existsSync(extension)
    ? null
    : `VS Code of test/vscode/${host} has no built-in chat agent (extensions/copilot)`;
}

export const chatSettings = {
  'chat.disableAIFeatures': false,
  'workbench.secondarySideBar.defaultVisibility': 'visible',
  'remote.autoForwardPorts': false,
};
/** Disables the question before a tool runs. Not chat.tools.global.autoApprove, which opens a dialog in the middle of the first call. */
export const allowAll = { ...chatSettings, 'chat.permissions.default': 'autoApprove' };

/**
 * A VS Code whose chat view offers the scripted model.
 * @param {Record<string, unknown>} settings
 * @param {string} [url] of the model
 * @returns {import('../../support/host.mjs').HostOptions}
 */
export const chatHost = (settings, url = '') => ({
  settings,
  timeout: 240_000,
  prepare: (dir) => writeModel(join(dir, 'user'), url),
});

/** Writes the endpoint that the chat view offers as a model. A window reads it when it opens. */
function writeModel(/** @type {string} */ userData, /** @type {string} */ url) {
  const model = {
    id: 'mock-small',
    name: 'Mock Small',
    url,
    toolCalling: true,
    vision: false,
    maxInputTokens: 128_000,
    maxOutputTokens: 16_000,
  };
  const provider = {
    name: 'Mock',
    vendor: 'customendpoint',
    apiKey: 'none',
    apiType: 'chat-completions',
    models: [model],
  };
  fs.writeFileSync(join(userData, 'User/chatLanguageModels.json'), JSON.stringify([provider]));
}

/** Writes a test that fails until `total.js` is there, which sums up. */
export function writeFailingTest(/** @type {string} */ folder) {
  fs.writeFileSync(join(folder, 'sum.js'), 'exports.total = (all) => all.length;\n');
  const check = `const { total } = require(require('node:fs').existsSync('total.js') ? './total.js' : './sum.js');
const got = total([1, 2, 3]);
console.log(got === 6 ? 'test_total: 1 passed' : 'FAIL test_total expected 6 got ' + got);
process.exitCode = got === 6 ? 0 : 1;
`;
  fs.writeFileSync(join(folder, 'check.js'), check);
}

/**
 * Opens the question of *Connect Agent…* for the chat.
 * @param {import('../../e2e/support/workbench.mjs').Workbench} window
 */
export async function connectChat(window) {
  await window.runCommand('Unstuck: Connect Agent…', { timeout: 240_000 });
  await window.pick('VS Code Chat');
  const question = window.dialog;
  await question.waitFor();
  return {
    question,
    agree: async () => {
      await window.dialogButton('Connect').click();
      await window.toast(/is connected/).waitFor();
    },
  };
}

/** A list of models that did not lead to the model is opened again after this time, milliseconds. */
const OPENED_ANEW_AFTER = 20_000;

/** @param {import('playwright-core').Page} page */
export function chatOf(page) {
  const input = page.locator('.interactive-input-part .monaco-editor').first();
  return {
    /**
     * Without an account only the list of models starts the chat extension. A list that is opened before the view has settled closes
     * again without effect. So it is opened again until the model is there, however late, or the test's own time is over.
     */
    async start() {
      const part = page.locator('.interactive-input-part');
      const chosen = part.getByText('Mock Small').first();
      const soon = { timeout: OPENED_ANEW_AFTER };
      while (!(await chosen.isVisible())) {
        await part
          .getByText('Auto', { exact: true })
          .first()
          .click(soon)
          .then(() => page.getByText('Manage Models', { exact: false }).first().click(soon))
          .then(() => chosen.waitFor(soon))
          .catch((error) => (page.isClosed() ? Promise.reject(error) : page.keyboard.press('Escape')));
      }
      await page.keyboard.press('Escape');
    },
    /** Types into the box, and sends nothing. */
    async draft(/** @type {string} */ text) {
      // After a click on a notification the mouse rests on the next one, whose hover may cover the box for as long as it does.
      const editor = await page.locator('.part.editor').boundingBox();
      if (editor) await page.mouse.move(editor.x + editor.width / 2, editor.y + editor.height / 2);
      await input.click();
      await page.keyboard.type(text);
    },
    async send(/** @type {string} */ text) {
      await this.draft(text);
      await page.keyboard.press('Enter');
    },
  };
}
