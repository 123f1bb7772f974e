/** The four kinds of theme, and a package that sets one from within the window: the palette would take the focus, and so close some views. */
import fs from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packExtension } from '../../bench/support/extension.mjs';

/** Names of the themes as settings know them, with the class of the window that then has it. */
export const THEMES = {
  dark: { setting: 'Default Dark Modern', window: 'vs-dark' },
  light: { setting: 'Default Light Modern', window: 'vs' },
  hc: { setting: 'Default High Contrast', window: 'hc-black' },
  hcl: { setting: 'Default High Contrast Light', window: 'hc-light' },
};

const source = `
const vscode = require('vscode');
exports.activate = () => require('node:http').createServer((request, response) => {
  const theme = decodeURIComponent(request.url.slice(1));
  vscode.workspace.getConfiguration('workbench').update('colorTheme', theme, true).then(() => response.end(), (error) => response.end(String(error)));
}).listen(process.env.UNSTUCK_THEMES);
`;

/**
 * @param {string} folder for the package and its socket
 * @returns the package, the environment that it needs, and a function that sets the theme of a window
 */
export function themes(folder) {
  const socketPath = join(folder, 'themes.sock');
  return {
    vsix: packExtension(join(folder, 'themes'), { name: 'themes', displayName: 'Themes', source }),
    env: { UNSTUCK_THEMES: socketPath },
    ready: async () => {
      while (!fs.existsSync(socketPath)) await sleep(200);
    },
    put: async (/** @type {import('playwright-core').Page} */ page, /** @type {keyof typeof THEMES} */ theme) => {
      await new Promise((done, fail) => {
        const path = `/${encodeURIComponent(THEMES[theme].setting)}`;
        http.get({ socketPath, path }, (response) => response.on('end', done).resume()).on('error', fail);
      });
      await page.locator(`.monaco-workbench.${THEMES[theme].window}`).waitFor();
    },
  };
}
