// Panel and overview in another language: their real bundles in Chromium, under the content policy of the editor.
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PSEUDO, pseudoBundle } from '../support/pseudo-locale.ts';
import { violations } from './support/accessibility.mjs';
import { forgotten } from './support/forgotten.mjs';
import { buildOverview, openOverview, send } from './support/overview-page.mjs';
import { overflows } from './support/panel-checks.mjs';
import { buildPanel, launch, openPanel, settle, show } from './support/panel-page.mjs';

const root = resolve(import.meta.dirname, '../..');
const PICTURES = join(root, 'test-output/screenshots');
const bundle = (name) => JSON.parse(readFileSync(join(root, 'l10n', name), 'utf8'));
const LANGUAGES = {
  [PSEUDO]: { language: PSEUDO, texts: pseudoBundle(bundle('bundle.l10n.json')) },
  de: { language: 'de', texts: bundle('bundle.l10n.de.json') },
};
const STATES = [
  'freed',
  'stuck',
  'recovering',
  'healthy',
  'hinted',
  'waitingForPermission',
  'probablyWaiting',
  'yourTurn',
  'stalled',
  'notMonitored',
  'finished',
  'gone',
  'restricted',
  'escalated',
  'queued',
  'inTurn',
  'automatic',
  'held',
  'idle',
  'checking',
  'manyFailures',
  'messages',
];

/** What the fixtures have of transcripts, names, and texts that they make up: agents, models, places, titles, calls, results, gates. */
const DATA = new RegExp(
  [
    'Claude Code',
    'Codex',
    'Gemini CLI',
    'Aider',
    'Cline',
    'opus-4\\.5(?:, high)?',
    'Unstuck',
    'shop, main',
    'shop, fix-checkout',
    'shop',
    'billing',
    'dates',
    'Rename the billing tables',
    'Fix the flaky checkout test',
    'Fix the import error in the test suite',
    'Port the date parser to Temporal',
    'Speed up the CSV import',
    'Write tests for the template parser',
    'Translate the error messages',
    'Add rate limiting to the public API',
    'Bump the base image',
    'Split the checkout module into parts that can be tested alone, and move the totals',

    'npm (?:test|run)(?: -- [\\w-]+)?(?: (?:build|tests|lint|types of every package))?',
    'pytest -q',
    'gh run view 8812',
    'Edit src/\\S+\\.ts',
    '(?:Bash|Edit|Read)(?=: \\d|$)',
    'commit 4be19c2',
    'edited sitecustomize\\.py',
    'replaced 1 line',

    '(?:\\d+ failed, )?\\d+ passed',
    '\\d+ failed',
    'test_plugin_path_is_first: .*',
    'invoices > .*',
    'expected 12 to be .*',
    'build',
    'tests',
    'lint',
    'types of every package',
    // Near misses and learnings of these very fixtures.

    '41 % with a commit 6 min ago',
    'Progress since',
    '2 messages',
    'tsc passed after them',
    '2 min 10 s in',
    'Builds have 10 min',

    ': 3 equal results',
    ', 4 times',
    'You send the agent a message, or its session ends',
    'the agent went on by itself',
    '“pytest -q” said each time: 1 failed: test_add\\. It went on with: pytest -q passed',
    '2 steps take turns, 6 rounds, each with the same result as before\\.',
    ', stopped after 300 s',
  ].join('|'),
  'g',
);

let browser;
let panel;
let overview;
let page;

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  [panel, overview, browser] = await Promise.all([buildPanel(), buildOverview(), launch()]);
});
afterAll(() => browser?.close());
afterEach(async () => {
  if (!page) return;
  const problems = await page.evaluate(() => window.problems);
  await page.context().close();
  page = undefined;
  expect(problems).toEqual([]);
});

describe('in the pseudo-locale', () => {
  const translation = LANGUAGES[PSEUDO];

  it.each(STATES)('no text of the panel was forgotten: %s', async (state) => {
    page = await openPanel(browser, panel, { translation });
    await show(page, state);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(PSEUDO);
    for (const name of await page.getByRole('button', { name: /Réstárt|Móré Áçtíóñs/ }).all()) {
      await name.click();
      expect(await forgotten(page, DATA)).toEqual([]);
      await page.keyboard.press('Escape');
    }
    expect(await forgotten(page, DATA)).toEqual([]);
  });

  it.each(['tenAgents', 'noAgents', 'restrictedAgents'])(
    'no text of the overview was forgotten: %s',
    async (fixture) => {
      page = await openOverview(browser, overview, { translation });
      await send(page, fixture);
      expect(await forgotten(page, DATA)).toEqual([]);
    },
  );
});

it('nothing of the panel in German breaks a rule of axe-core', async () => {
  page = await openPanel(browser, panel, { translation: LANGUAGES.de });
  for (const state of ['stuck', 'healthy', 'recovering']) {
    await show(page, state);
    expect(await violations(page), state).toEqual([]);
  }
});

describe.each(Object.keys(LANGUAGES))('in %s', (language) => {
  const translation = LANGUAGES[language];

  it.each([320, 480, 900])('nothing of the panel stands over an edge at %i px', async (width) => {
    page = await openPanel(browser, panel, { translation, width, height: 1000 });
    for (const state of STATES) {
      await show(page, state);
      expect(await overflows(page), state).toEqual([]);
    }
  });

  it.each([480, 900, 1280])('nothing of the overview stands over an edge at %i px', async (width) => {
    page = await openOverview(browser, overview, { translation, width });
    for (const fixture of ['tenAgents', 'manyAgents', 'noAgents', 'restrictedAgents']) {
      await send(page, fixture);
      expect(await overflows(page), fixture).toEqual([]);
    }
  });

  it('has pictures', async () => {
    for (const width of [320, 480, 900, 1280]) {
      page = await openPanel(browser, panel, { translation, width, height: 1100 });
      for (const state of ['stuck', 'waitingForPermission', 'stalled', 'recovering', 'freed', 'healthy', 'escalated']) {
        await show(page, state);
        await page.screenshot({ path: join(PICTURES, `${language}-panel-${state}-${width}.png`), fullPage: true });
      }
      await page.context().close();
    }
    page = await openOverview(browser, overview, { translation, width: 1280, height: 640 });
    await send(page, 'tenAgents');
    await settle(page);
    await page.screenshot({ path: join(PICTURES, `${language}-overview.png`) });
  });
});
