/** The same query in the view and on the command line, over a history of recorded runs, and the look of the history in three themes. */
import fs from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { extensionIsActive } from '../support/demo.mjs';
import { projectRoot } from '../support/vscode-host.mjs';
import { command, storeOf } from './support/history.mjs';
import { useVSCode } from './support/session.mjs';
import { HISTORY_GROUP } from './support/workbench.mjs';

const soon = { timeout: 60_000 };
/** The number of rows that are visible without scrolling. */
const COMPARED = 8;

/** Recorded runs: the whole collection next to the repository if it is there, otherwise the runs in the repository that were taken from it. */
const collection = join(projectRoot, '../shared');
const all = [join(collection, 'transcripts'), join(collection, 'eval/dev')].filter((folder) => fs.existsSync(folder));
if (all.length === 0)
  console.log('The collected transcripts are not there: only the runs of the repository are searched.');
const runs = all.length > 0 ? all : [join(projectRoot, 'test/golden/fixtures')];

describe('A search of the history', () => {
  const session = useVSCode();
  /** Labels of the visible rows, each starting with the title of its session. */
  const rows = () =>
    session.window.rows.evaluateAll((found) =>
      found
        .sort((a, b) => Number(a.dataset['index']) - Number(b.dataset['index']))
        .map((row) => row.getAttribute('aria-label') ?? ''),
    );

  const search = async (/** @type {string} */ words) => {
    const { window } = session;
    await window.runCommand('Unstuck: Search Incidents');
    await window.answer(words);
    await window.page.locator('.sidebar').getByText(`for “${words}”`).waitFor(soon);
  };

  beforeAll(async () => {
    await extensionIsActive(session.host.dir);
    await session.window.openViewContainer('Unstuck');
    await session.window.welcome.filter({ hasText: 'No incidents yet.' }).waitFor();
    command('scan', '--store', storeOf(session.host.dir), ...runs);
    await session.window.row(HISTORY_GROUP).waitFor(soon);
  });

  it.each(['stuck repeating', 'stuk repeatng', 'pytest', 'src/calc.py', 'AssertionError'])(
    'for “%s” gives the same results in the same order as the command line',
    async (words) => {
      await search(words);
      const found = command(
        'recall',
        '--store',
        storeOf(session.host.dir),
        '--json',
        '--limit',
        String(COMPARED),
        words,
      )
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const titles = found.map((hit) => (hit.kind === 'learning' ? `Learned: ` : hit.title));
      expect(titles.length).toBeGreaterThan(0);
      await expect
        .poll(async () => (await rows()).slice(0, titles.length), soon)
        .toEqual(titles.map((title) => expect.stringContaining(title)));
      await session.window.screenshot(`search-${words.replaceAll(/[^\w]+/g, '-')}`);
    },
  );

  it.each(['Dark Modern', 'Light Modern', 'Dark High Contrast'])(
    'looks right in the theme %s, with its filters and its page',
    async (theme) => {
      const { window } = session;
      const name = theme.toLowerCase().replaceAll(' ', '-');
      await window.setTheme(theme);
      await search('pytest');
      await window.rows.first().click();
      await window.webview().getByRole('heading').first().waitFor();
      await window.screenshot(`search-page-${name}`);
      await window.runCommand('Unstuck: Search Incidents');
      await window.quickPickRows.first().waitFor();
      await window.screenshot(`search-filter-${name}`);
      await window.page.keyboard.press('Escape');
      await window.closeEditors();
    },
  );
});
