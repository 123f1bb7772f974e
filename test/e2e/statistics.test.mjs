/** Past incidents as a person sees them in a real VS Code: figures with their tables, rows, an incident's page, learnings. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { extensionIsActive } from '../support/demo.mjs';
import { violations } from './support/accessibility.mjs';
import { seedHistory } from './support/history.mjs';
import { lowContrasts, moving, overflows } from './support/panel-checks.mjs';
import { useVSCode } from './support/session.mjs';
import { HISTORY_GROUP } from './support/workbench.mjs';

const soon = { timeout: 60_000 };

describe('The history', () => {
  const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-e2e-'));
  const session = useVSCode();
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

  const statistics = () => session.window.webview();
  /** The texts of a table, row by row. */
  const tableOf = async (/** @type {string} */ title) => {
    const rows = statistics().getByRole('region', { name: title, exact: true }).getByRole('row');
    return rows.evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.innerText.trim())));
  };
  const drawnOf = (/** @type {string} */ title) =>
    statistics()
      .getByRole('region', { name: title, exact: true })
      .locator('td.bar svg')
      .evaluateAll((all) => all.map((svg) => svg.querySelector('rect')?.width.baseVal.value ?? 0));
  const frame = async () => (await statistics().locator('body').elementHandle())?.ownerFrame();

  it('is empty at first, and its statistics say so', async () => {
    const { window } = session;
    await extensionIsActive(session.host.dir);
    await window.openViewContainer('Unstuck');
    await window.welcome.filter({ hasText: 'No incidents yet.' }).waitFor();
    await window.runCommand('Unstuck: Show Statistics');
    await statistics().getByText('No sessions in this period.').waitFor();
  });

  it('counts what the command line imports, while the page is open', async () => {
    seedHistory(session.host.dir, root, Date.now());
    const figures = statistics().locator('dl.figures > div');
    await expect.poll(() => figures.count(), soon).toBe(3);
    const [stuck, lost, recovered] = await figures.allInnerTexts();
    expect(stuck).toMatch(/5 times\s+5 of 12 sessions, 41\.7 per 1,000 steps/);
    expect(lost).toMatch(/\d+ min/);
    expect(recovered).toMatch(/0 of 5\s+none yet/);
  });

  it('immediately offers to filter the imported incidents, although no agent is here', async () => {
    const { window } = session;
    await window.runCommand('Unstuck: Search Incidents');
    await window.quickPickRows.filter({ hasText: 'Ended while stuck' }).filter({ hasText: '5' }).waitFor();
    await window.screenshot('incidents-filter');
    await window.page.keyboard.press('Escape');
  });

  it('has the table of numbers for each chart, and draws them', async () => {
    expect(await tableOf('By model')).toEqual([
      ['Model', 'Per 1,000 steps', 'Times', 'Steps', 'Stuck sessions', 'stuck per 1,000 steps'],
      ['m-small', '75.0', '3', '40', '3 of 4', ''],
      ['m-large', '25.0', '2', '80', '2 of 8', ''],
    ]);
    const [whole, part] = await drawnOf('By model');
    expect(part / whole).toBeCloseTo(1 / 3, 1);
    expect(await tableOf('By rule')).toContainEqual(['Same call again', '41.7', '5', '120', '5 of 12', '']);
    const charts = await statistics().locator('section').count();
    expect(await statistics().locator('section > table').count()).toBe(charts);
    expect(await statistics().locator('svg:not([aria-hidden="true"])').count()).toBe(0);
  });

  it.each(['Dark Modern', 'Light Modern', 'Dark High Contrast', 'Light High Contrast'])(
    'can be read in the theme %s, wide and narrow',
    async (theme) => {
      const { page, setTheme, screenshot } = session.window;
      await setTheme(theme);
      for (const width of [1400, 800]) {
        await page.setViewportSize({ width, height: 1500 });
        // Themes fade, and what moved is drawn in the next frame.
        await page.waitForTimeout(600);
        await screenshot(`statistics-${width}-${theme.toLowerCase().replaceAll(' ', '-')}`);
        const shown = await frame();
        expect(await lowContrasts(shown)).toEqual([]);
        expect(await overflows(shown)).toEqual([]);
        expect(await violations(shown)).toEqual([]);
      }
      await page.setViewportSize({ width: 1400, height: 900 });
    },
  );

  it('fits at a zoom of 200 %, and nothing moves with reduced motion (picture)', async () => {
    const { page, screenshot } = session.window;
    // Half of a window of 1400 × 900.
    await page.setViewportSize({ width: 700, height: 450 });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.waitForTimeout(600);
    await screenshot('statistics-zoom-200');
    expect(await overflows(await frame())).toEqual([]);
    expect(await moving(await frame())).toEqual([]);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.setViewportSize({ width: 1400, height: 900 });
  });

  it('keeps the chosen range', async () => {
    await statistics().getByRole('button', { name: 'All' }).click();
    await statistics().getByRole('button', { name: 'All', pressed: true }).waitFor();
    await statistics().getByText('5 of 12 sessions').waitFor();
    await session.window.closeEditors();
  });

  it('has in each row the task, what repeated, and how it ended', async () => {
    const { window } = session;
    await window.setTheme('Dark Modern');
    // Around midnight the runs span two days.
    const folded = window.rows.and(window.page.locator('[aria-expanded="false"]'));
    await window.row(HISTORY_GROUP).waitFor();
    while ((await folded.count()) > 0) await folded.first().click();
    const row = window.row('Fix m-small-0');
    await row.waitFor();
    expect(await row.getAttribute('aria-label')).toMatch(/^Fix m-small-0, pytest -q ×10 · .+ · ended while stuck$/);
  });

  it('opens an incident on its own page', async () => {
    const { window } = session;
    await window.row('Fix m-small-0').click();
    await window.webview().getByRole('heading', { name: 'Fix m-small-0' }).waitFor();
    await window.webview().getByText('Ended while stuck').waitFor();
    await window
      .webview()
      .getByText(/This session is no longer watched/)
      .waitFor();
    await window.screenshot('incident-past');
  });

  it('finds incidents and learnings despite a typing error', async () => {
    const { window } = session;
    await window.runCommand('Unstuck: Search Incidents');
    await window.answer('pytst');
    await window.row('Fix m-').waitFor();
    const learned = window.row(/learned( ×\d+)?$/);
    await learned.waitFor();
    expect(await learned.innerText()).toContain('“pytest -q” kept failing: 1 failed.');
    await window.screenshot('incidents-found');
  });
});
