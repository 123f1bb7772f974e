// The overview's real bundle in Chromium, under the content policy of the editor, in the editor's four kinds of theme.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './support/accessibility.mjs';
import { buildOverview, openOverview, send } from './support/overview-page.mjs';
import { lowContrasts, moving, overflows } from './support/panel-checks.mjs';
import { frames, launch, setTheme, setWidth } from './support/panel-page.mjs';
import { THEMES } from './support/panel-themes.mjs';

const PICTURES = resolve(import.meta.dirname, '../../test-output/screenshots');

let browser;
let files;
let page;

beforeAll(async () => {
  [files, browser] = await Promise.all([buildOverview(), launch()]);
});
afterAll(() => browser?.close());
afterEach(async () => {
  if (!page) return;
  const problems = await page.evaluate(() => window.problems);
  page = undefined;
  expect(problems).toEqual([]);
});

async function open(fixture, options) {
  page = await openOverview(browser, files, options);
  await send(page, fixture);
  return page;
}

const sent = () => page.evaluate(() => window.sent.filter((one) => one.type !== 'ready'));
const row = (text) => page.locator('.row', { hasText: text });
const headings = () => page.locator('.group').allInnerTexts();
const list = () => page.locator('.list');

describe('in every theme', () => {
  const themes = Object.keys(THEMES);
  const [first] = themes;
  /** Without this, colours would still be fading. */
  const still = { theme: first, reduced: true };
  const inEach = async (look) => {
    for (const theme of themes) {
      await setTheme(page, theme);
      await look(theme);
    }
  };

  it('every text has a contrast of 4.5 and every icon of 3, even in the selected row', async () => {
    await open('tenAgents', still);
    const isReadable = () => inEach(async (theme) => expect(await lowContrasts(page), theme).toEqual([]));
    await isReadable();
    await list().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await isReadable();
  });

  it('no rule of axe-core is broken, however many agents there are', async () => {
    await open('tenAgents', still);
    // Only the rules about colour depend on the theme.
    const breaksNothing = (what) =>
      inEach(async (theme) =>
        expect(await violations(page, theme === first ? 'all' : 'colour'), `${what}, ${theme}`).toEqual([]),
      );
    for (const fixture of ['tenAgents', 'machines', 'manyAgents', 'hostileAgents', 'restrictedAgents', 'noAgents']) {
      await send(page, fixture);
      await breaksNothing(fixture);
    }
    await send(page, 'tenAgents');
    await page.getByRole('textbox', { name: 'Filter agents' }).fill('nobody');
    await page.getByText('Nothing found for “nobody”.').waitFor();
    await breaksNothing('nothing found');
  });

  it.each([
    ['tenAgents', '10', 1280, 640],
    ['manyAgents', '200', 1280, 900],
    ['tenAgents', '10', 600, 640],
    ['tenAgents', '10', 480, 640],
  ])('has a picture of %s (%s) at %i px', async (fixture, name, width, height) => {
    mkdirSync(PICTURES, { recursive: true });
    await open(fixture, { ...still, width, height });
    await inEach(async (theme) => {
      const path = join(PICTURES, `overview-${name}-${width}-${theme}.png`);
      expect((await page.screenshot({ path })).byteLength).toBeGreaterThan(10_000);
    });
  });
});

it('has a picture of ten agents by folder', async () => {
  await open('tenAgents', { height: 640 });
  await page.getByRole('button', { name: 'By Folder' }).click();
  await frames(page);
  expect(await headings()).toEqual([
    expect.stringContaining('billing'),
    expect.stringContaining('shop'),
    expect.stringContaining('dates'),
  ]);
  await page.screenshot({ path: join(PICTURES, 'overview-10-folders-dark.png') });
});

it('lists the agents of other machines under their machines, in dark and in light', async () => {
  for (const theme of ['dark', 'light']) {
    await open('machines', { height: 760, theme });
    await page.getByRole('button', { name: 'By Machine' }).click();
    await expect
      .poll(headings)
      .toEqual([
        expect.stringMatching(/This machine\s+1 needs you · 3 stuck · 10 agents/),
        expect.stringMatching(/build-1\s+1 stuck · 2 agents/),
        expect.stringMatching(/build-2\s+last seen 4 min ago · 1 agent/),
      ]);
    await page.screenshot({ path: join(PICTURES, `overview-machines-${theme}.png`) });
  }
});

it('offers machines as groups only if there are others', async () => {
  await open('tenAgents');
  expect(await page.getByRole('button', { name: 'By Machine' }).count()).toBe(0);
});

it('nothing overflows an edge at any width', async () => {
  await open('tenAgents');
  for (const fixture of ['tenAgents', 'hostileAgents']) {
    await send(page, fixture);
    for (const width of [320, 400, 480, 640, 800, 1000, 1280, 1600]) {
      await setWidth(page, width);
      expect(await overflows(page), `${fixture}, ${width} px`).toEqual([]);
    }
  }
});

it('fits at a zoom of 200 % (picture)', async () => {
  mkdirSync(PICTURES, { recursive: true });
  await open('tenAgents', { width: 640, height: 450, scale: 2 });
  expect(await overflows(page)).toEqual([]);
  await page.screenshot({ path: join(PICTURES, 'overview-10-zoom-200.png') });
});

it('nothing moves with reduced motion', async () => {
  await open('tenAgents', { reduced: true });
  expect(await moving(page)).toEqual([]);
});

it('its accessibility tree alone says who needs a person, why, where and since when', async () => {
  await open('tenAgents');
  const tree = await page.locator('.list').ariaSnapshot();
  const rows = tree.split('\n').filter((line) => /- '?row "/.test(line));
  const [first = '', ...others] = rows.filter(
    (line) => !/- '?row "(Needs you|Stuck|Watch|Working|Finished)/.test(line),
  );
  expect(first).toContain('Rename the billing tables, waiting for you, 4 minutes, Codex, billing');
  expect(first).toContain('asks: Run the migration on the dev database?');
  expect(others.slice(0, 3)).toEqual([
    expect.stringContaining(
      'Fix the flaky checkout test, stuck, 14 minutes, Claude Code, shop, fix-checkout, same result 8 times: npm test',
    ),
    expect.stringContaining('same result 6 times: pytest -q'),
    expect.stringContaining('Port the date parser to Temporal, stuck, 3 minutes, Gemini CLI, dates'),
  ]);
});

describe('with the mouse', () => {
  it('opens an agent to the side, and sends a nudge from its row', async () => {
    await open('tenAgents');
    await row('Fix the import').click();
    await row('Fix the import').getByRole('button', { name: 'Nudge' }).click();
    await row('Rename the billing').getByRole('button', { name: 'Go There' }).click();
    expect(await sent()).toEqual([
      { type: 'open', session: 'session-002', focus: false },
      { type: 'nudge', session: 'session-002' },
      { type: 'go', session: 'session-000' },
    ]);
  });

  it('folds a group', async () => {
    await open('tenAgents');
    await page.locator('.group', { hasText: 'Stuck' }).click();
    await row('Fix the import').waitFor({ state: 'detached' });
    await page.locator('.group', { hasText: 'Stuck' }).click();
    await row('Fix the import').waitFor();
  });

  it('moves no row under the pointer, and says how many would move', async () => {
    await open('tenAgents');
    await row('Bump the base').hover();
    await send(page, 'oneMoreStuck');
    await page.getByText(/\d+ agents? changed, /).waitFor();
    expect((await headings())[1]).toMatch(/Stuck\s+3/);
    await page.getByRole('button', { name: 'Update Order' }).click();
    await expect.poll(async () => (await headings())[1], { timeout: 20_000 }).toMatch(/Stuck\s+4/);
  });
});

describe('with the keyboard', () => {
  it('goes to the first agent that needs a person, opens it, and nudges the next one', async () => {
    await open('tenAgents');
    await list().focus();
    for (const key of ['ArrowDown', 'ArrowDown', ' ', 'g', 'ArrowDown', 'ArrowDown', 'n', 'Enter'])
      await page.keyboard.press(key);
    expect(await sent()).toEqual([
      { type: 'open', session: 'session-000', focus: false },
      { type: 'go', session: 'session-000' },
      { type: 'nudge', session: 'session-001' },
      { type: 'open', session: 'session-001', focus: true },
    ]);
    const activeText = async () => {
      const active = await list().getAttribute('aria-activedescendant');
      return page.locator(`[id="${active}"]`).innerText();
    };
    await expect.poll(activeText).toContain('Fix the flaky checkout');
  });

  it('filters, and returns to the list', async () => {
    await open('tenAgents');
    await page.keyboard.press('/');
    await page.keyboard.type('billing codex');
    // Rows are drawn in the frame after each key.
    await expect.poll(() => page.locator('.row').count()).toBe(2);
    expect(await row('Fix the import').count()).toBe(0);
    await page.keyboard.type(' nobody');
    await page.getByText('Nothing found for “billing codex nobody”.').waitFor();
    await page.keyboard.press('Escape');
    await row('Fix the import').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toContain('list');
  });

  it('scrolls the last of two hundred agents into view', async () => {
    await open('manyAgents');
    await list().focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('End');
    const active = page.locator('.row.active');
    await active.waitFor();
    const box = await active.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(900);
  });
});

it('renders only the rows in view', async () => {
  await open('manyAgents');
  await page.locator('.group', { hasText: 'Working' }).click();
  await row(', part ').nth(30).waitFor({ state: 'attached' });
  expect(await page.locator('.row').count()).toBeLessThan(70);
  await list().evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await page.locator('.group', { hasText: 'Finished' }).waitFor();
  expect(await page.locator('.row').count()).toBeLessThan(70);
});

it('announces to a screen reader who got stuck', async () => {
  await open('tenAgents');
  await send(page, 'oneMoreStuck');
  await expect
    .poll(() => page.locator('.voice').textContent())
    .toBe('Add rate limiting to the public API: Stuck for 1 min: same result 4 times: npm test');
});

it('keeps what the reader chose when it is shown again', async () => {
  await open('tenAgents');
  await page.getByRole('button', { name: 'By Folder' }).click();
  await page.waitForFunction(() => window.state?.grouping === 'folder');
  await page.reload();
  await send(page, 'tenAgents');
  expect((await headings())[0]).toContain('billing');
});

it('offers the replay while there is no agent', async () => {
  await open('noAgents');
  await page.getByRole('button', { name: 'Replay a Stuck Agent' }).click();
  expect(await sent()).toEqual([{ type: 'replay' }]);
});

it('says that a folder is not trusted', async () => {
  await open('restrictedAgents');
  await page.getByText('Restricted mode: reading only').waitFor();
});

it('shows markup of transcripts as text', async () => {
  await open('hostileAgents');
  expect(await page.locator('.list :is(img, script, svg, b)').count()).toBe(0);
  expect(await page.locator('.list').innerText()).toContain('<img src=x onerror=alert(1)>');
});
