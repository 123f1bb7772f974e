/**
 * The interface in another display language, in a real VS Code: views, status bar, notifications, palette, settings, walkthrough and our pages.
 * In the pseudo-locale each text without its marks was forgotten; in German there are pictures.
 */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { extensionIsActive } from '../../scripts/demo.mjs';
import { projectRoot } from '../../scripts/vscode-host.mjs';
import { SCENARIOS } from '../../src/replay/scenarios.ts';
import { PSEUDO, pseudo, pseudoBundle, unmarked } from '../support/pseudo-locale.ts';
import { forgotten } from './support/forgotten.mjs';
import { seededTitles, seedHistory } from './support/history.mjs';
import { useVSCode } from './support/session.mjs';

const read = (/** @type {string} */ path) => JSON.parse(fs.readFileSync(join(projectRoot, path), 'utf8'));
const manifest = read('package.nls.json');
const words = read('l10n/bundle.l10n.json');
const soon = { timeout: 90_000 };

/** The bundles of the pseudo-locale go where a translation of ours lies. */
function addPseudo(/** @type {string} */ extension) {
  fs.writeFileSync(join(extension, `package.nls.${PSEUDO}.json`), JSON.stringify(pseudoBundle(manifest)));
  fs.writeFileSync(join(extension, 'l10n', `bundle.l10n.${PSEUDO}.json`), JSON.stringify(pseudoBundle(words)));
}

/** The titles of the agents of the replay and of the runs in the history, which come from what a person asked for. */
const TITLES = [...SCENARIOS.map(({ title }) => title.shown), ...seededTitles()];

/** Names, models, calls and results of the replay and of the history of this test, and what is the editor's own. */
const OTHERS =
  /Unstuck|Claude Code|Acme|(?:\d+ failed, )?\d+ passed in [\d.]+s|The file [^⟦⟧]*|Edit src\/calc\.py|opus, high|(?:Bash|Edit|Read)(?=: \d|$)|--tb=short|\/work\/\w+|claude-[\w.-]+|m-(?:large|small)(?:-\d)?|python3? [^·,:⟦⟧]*|pytest -q|recently used|other commands|calculator/;

/** What is no word of ours. */
const DATA = new RegExp([...TITLES.map(wholeOrCut), OTHERS.source].join('|'), 'g');

/** Finds a title whole, or its first words where a row has cut it. @param {string} title */
function wholeOrCut(title) {
  const words = title.split(' ').map((word) => word.replace(/[^\p{L}\p{N}]/gu, String.raw`\$&`));
  const cut = words.slice(1).map((_, dropped) => `${words.slice(0, -1 - dropped).join(' ')}…`);
  return [words.join(' '), ...cut].join('|');
}

describe.each([
  ['the pseudo-locale', PSEUDO, (/** @type {string} */ key) => pseudo(manifest[key]), pseudo],
  [
    'German',
    'de',
    (/** @type {string} */ key) => read('package.nls.de.json')[key],
    (/** @type {string} */ text) => read('l10n/bundle.l10n.de.json')[text],
  ],
])('in %s', (_name, language, titleOf, textOf) => {
  const workspace = fs.mkdtempSync(join(tmpdir(), 'unstuck-e2e-'));
  const runs = fs.mkdtempSync(join(tmpdir(), 'unstuck-e2e-'));
  const session = useVSCode(() => ({ workspace, language, onInstalled: addPseudo }));
  afterAll(() => {
    for (const folder of [workspace, runs]) fs.rmSync(folder, { recursive: true, force: true });
  });

  const isPseudo = language === PSEUDO;
  /** Nothing of these texts was forgotten; only the pseudo-locale tells. */
  const isTranslated = (/** @type {string} */ where, /** @type {readonly string[]} */ texts) => {
    expect(texts.length, where).toBeGreaterThan(0);
    const left = texts.flatMap(unmarked).filter((piece) => /\p{L}{2}/u.test(piece.replaceAll(DATA, '')));
    if (isPseudo) expect.soft(left, where).toEqual([]);
  };
  const run = (/** @type {string} */ key) => session.window.runCommand(`Unstuck: ${titleOf(key)}`);
  const picture = (/** @type {string} */ name) => session.window.screenshot(`${language}-${name}`);
  const pageIsTranslated = async (/** @type {string} */ where) => {
    const frame = await (await session.window.webview().locator('body').elementHandle())?.ownerFrame();
    if (!frame) throw new Error(`${where} has no page`);
    expect(await frame.evaluate(() => document.documentElement.lang)).toBe(language);
    if (isPseudo) expect.soft(await forgotten(frame, DATA), where).toEqual([]);
  };

  it('the empty views', async () => {
    const { window } = session;
    await extensionIsActive(session.host.dir);
    await window.openViewContainer('Unstuck');
    await window.welcome.first().waitFor();
    // One text stands in several elements, its marks in the first and the last.
    isTranslated('welcome', [(await window.welcome.allInnerTexts()).join('\n')]);
    isTranslated('view titles', await window.page.locator('.sidebar .pane-header .title').allInnerTexts());
    await picture('empty');
  });

  it('rows, status bar, and what a notification says', async () => {
    const { window } = session;
    await run('command.replay');
    await window.toasts.first().waitFor(soon);
    isTranslated('notification', await window.toastTexts());
    isTranslated(
      'its buttons',
      await window.toasts.first().locator('.notification-list-item-buttons-container .monaco-button').allInnerTexts(),
    );
    isTranslated('status bar', [await window.statusText('unstuck.status')]);
    isTranslated('rows', await window.rows.allInnerTexts());
    const names = await window.rows.evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
    isTranslated('names of rows', names);
    await picture('tree');
  });

  it('the panel, and its rules', async () => {
    const { window } = session;
    await window.row('Fix the failing').click();
    await window.webview().locator('h1').first().waitFor(soon);
    await window.webview().locator('.vitals').waitFor(soon);
    await pageIsTranslated('panel');
    await picture('panel');
    await window
      .webview()
      .getByRole('button', { name: textOf('More Actions') })
      .click();
    await window
      .webview()
      .getByRole('menuitem', { name: textOf('Rules for This Agent…') })
      .click();
    await window.webview().locator('ul.rules').waitFor(soon);
    await pageIsTranslated('rules');
    await picture('rules');
    await window.closeEditors();
  });

  it('the overview', async () => {
    const { window } = session;
    await run('command.showOverview');
    await window.webview().locator('.row').first().waitFor(soon);
    await pageIsTranslated('overview');
    await picture('overview-in-editor');
    await window.closeEditors();
  });

  it('history and statistics', async () => {
    const { window } = session;
    await run('command.stopReplay');
    seedHistory(session.host.dir, runs, Date.now());
    await run('command.showStatistics');
    await window.webview().locator('section table').first().waitFor(soon);
    await pageIsTranslated('statistics');
    await picture('statistics');
    await run('command.filterIncidents');
    // Until its own rows are drawn, those of the palette are there.
    await window.quickInput.getByPlaceholder(textOf('Show only these; within one kind any of them')).waitFor(soon);
    await window.quickPickRow(textOf('Last 24 hours')).waitFor(soon);
    isTranslated('filter', await window.quickPickNames());
    await picture('filter');
    await window.page.keyboard.press('Escape');
    await window.rows.nth(1).click();
    isTranslated('rows of incidents', await window.rows.allInnerTexts());
    await window.closeEditors();
  });

  it('the palette', async () => {
    const { window } = session;
    await window.page.keyboard.press('F1');
    await window.input.fill('>Unstuck: ');
    await expect.poll(() => window.quickPickRows.count(), soon).toBeGreaterThan(5);
    isTranslated(
      'palette',
      await window.quickPickRows
        .locator('.quick-input-list-rows > .quick-input-list-row:first-child .label-name')
        .allInnerTexts(),
    );
    await picture('palette');
    await window.page.keyboard.press('Escape');
  });

  it('the settings', async () => {
    const { window } = session;
    await window.runCommand('Preferences: Open Settings (UI)');
    await window.page.locator('.settings-editor .suggest-input-container .monaco-editor.focused').waitFor();
    await window.page.keyboard.type('@ext:unstuck.unstuck');
    const descriptions = window.page.locator('.settings-editor .setting-item-description');
    const ours = () => window.page.locator('.settings-editor .setting-item-category').allInnerTexts();
    await expect
      .poll(async () => (await ours()).filter((category) => category.includes('Unstuck')).length, soon)
      .toBeGreaterThan(3);
    await expect.poll(async () => (await ours()).filter((category) => !category.includes('Unstuck')), soon).toEqual([]);
    const texts = await descriptions.allInnerTexts();
    isTranslated(
      'settings',
      texts.filter((text) => text.trim() !== ''),
    );
    await picture('settings');
    await window.closeEditors();
  });

  it('the walkthrough', async () => {
    const { window } = session;
    await window.runCommand('Welcome: Open Walkthrough...');
    await window.input.fill(isPseudo ? titleOf('walkthrough.start.title') : 'Unstuck');
    await window.quickPickRows.first().click();
    const steps = window.page.locator('.getting-started-step');
    await steps.first().waitFor(soon);
    isTranslated('walkthrough', await steps.allInnerTexts());
    await picture('walkthrough');
  });
});
