// The overview outside the editor: its real bundle in Chromium, with the content policy that the editor sets.
import { buildPage, openPage, post } from './panel-page.mjs';

/** Builds page, style sheet and fixtures as the project does. */
export function buildOverview() {
  return buildPage(
    'overview',
    'src/editor/webview/entries/overview.ts',
    'test/unit/editor/webview/support/overview-fixtures.ts',
  );
}

/** Opens the page in a theme and size. */
export function openOverview(browser, files, options) {
  return openPage(browser, files, 'overview', options);
}

/** Sends the rows of a fixture, as the host does, and waits until they are drawn. */
export function send(page, fixture, ...args) {
  return post(page, fixture, null, ...args);
}
