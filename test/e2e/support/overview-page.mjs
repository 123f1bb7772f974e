// The overview outside the editor: its real bundle in Chromium, with the content policy that the editor sets.
import { buildPage, openPage, settle } from './panel-page.mjs';

/** Builds page, style sheet and fixtures as the project does. */
export function buildOverview() {
  return buildPage(
    'overview',
    'src/editor/webview/overview/main.ts',
    'test/unit/editor/webview/support/overview-fixtures.ts',
  );
}

/** Opens the page in a theme and size. */
export function openOverview(browser, files, options) {
  return openPage(browser, files, 'overview', options);
}

/** Sends the rows of a fixture, as the host does, and waits until they are drawn. */
export async function send(page, fixture, ...args) {
  await page.evaluate(([name, rest]) => window.postMessage(window.fixtures[name](...rest), '*'), [fixture, args]);
  await page.locator('h1').waitFor();
  await settle(page);
}
