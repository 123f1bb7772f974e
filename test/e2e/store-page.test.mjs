/**
 * The page of the extension as an editor shows it. Its pictures are in the public repository, which cannot be reached from here: the files of this
 * folder stand in for it.
 */
import fs from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../support/vscode-host.mjs';
import { useVSCode } from './support/session.mjs';

const { repository } = JSON.parse(fs.readFileSync(join(projectRoot, 'package.json'), 'utf8'));
const PICTURES = `${repository.url.replace(/^git\+|\.git$/g, '')}/raw/HEAD/`;

const session = useVSCode(() => ({}));

it('draws every picture of README.md', async () => {
  const { window } = session;
  await window.page.context().route(`${PICTURES}**`, (route) => {
    const path = route.request().url().slice(PICTURES.length);
    return route.fulfill({ path: join(projectRoot, path) });
  });
  await window.runCommand('Extensions: Show Installed Extensions');
  await window.page.locator('.extensions-list .monaco-list-row', { hasText: 'Unstuck' }).first().click();
  // The page is VS Code's own, not one of ours.
  const page = window.page.frameLocator('iframe.webview.ready').first().frameLocator('#active-frame');
  const written = fs.readFileSync(join(projectRoot, 'README.md'), 'utf8');
  const drawn = () =>
    page
      .locator('img')
      .evaluateAll((all) =>
        all
          .map((one) => one.getAttribute('src'))
          .filter((_, at) => /** @type {HTMLImageElement} */ (all[at]).naturalWidth > 0),
      );
  await expect
    .poll(drawn, { timeout: 30_000 })
    .toEqual([...written.matchAll(/[\w/-]+\.webp/g)].map(([path]) => `${PICTURES}${path}`));
  await window.screenshot('store-page');
});
