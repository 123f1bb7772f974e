/** Ten agents of three folders in a real VS Code: which one needs me, why, where and since when; the overview; readable evidence. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { extensionIsActive } from '../support/demo.mjs';
import { violations } from './support/accessibility.mjs';
import { answersOf } from './support/answers.mjs';
import { useVSCode } from './support/session.mjs';
import { lowContrasts, moving, overflows } from './support/panel-checks.mjs';
import { writeTenAgents } from './support/ten-agents.mjs';

const soon = { timeout: 60_000 };

describe('Ten agents in three folders', () => {
  const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-e2e-'));
  const agents = writeTenAgents({ root });
  const session = useVSCode(() => ({
    workspace: agents.workspace,
    home: agents.home,
    settings: { 'unstuck.notifications.waiting': 0.05 },
  }));
  const { home } = agents;

  afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

  // A script reads only the text of the accessibility tree, as a screen reader user hears it.
  it('show in the list and the status bar who needs a person, who is stuck, why, where and since when', async () => {
    const { window, host } = session;
    await extensionIsActive(host.dir);
    await window.openViewContainer('Unstuck');
    await window.row('Bump the base image').waitFor();
    agents.goOn();
    await expect.poll(() => window.statusText('unstuck.status'), soon).toContain('1 needs you · 3 stuck');
    // Rows that move wait for 3 s.
    await expect.poll(() => window.page.locator('body').ariaSnapshot(), soon).toContain('Stuck, 3 agents');
    const tree = await window.page.locator('body').ariaSnapshot();
    await window.screenshot('needs-you-tree');
    const answers = answersOf(tree);
    expect(answers).toMatchObject({ needing: '1', stuck: '3' });
    const [first, ...others] = answers.agents;
    expect(first).toEqual({
      who: 'Rename the billing tables',
      state: 'waiting for you',
      since: expect.stringMatching(/^(just now|\d+ minutes?)$/),
      agent: 'Claude Code',
      // It is alone in its group, so no place is needed to distinguish it.
      where: undefined,
      why: 'asks: Run the migration on the dev database?',
    });
    const stuck = others.slice(0, 3);
    expect(new Map(stuck.map(({ who, where, why }) => [who, `${where}: ${why?.replace(/\d+/, 'n')}`]))).toEqual(
      new Map([
        ['Fix the flaky checkout test', 'shop, main: same result n times: npm test -- checkout'],
        ['Fix the import error', 'shop, fix-import: same result n times: pytest -q'],
        ['Port the date parser', 'dates: same result n times: npm run build'],
      ]),
    );
    for (const { state, since } of stuck)
      expect({ state, since }).toEqual({ state: 'stuck', since: expect.stringMatching(/^(just now|\d+ minutes?)$/) });
    expect(others.slice(3).map(({ state }) => state)).toEqual(Array(6).fill('working'));
  });

  it('notify once about the one that asks', async () => {
    const { window } = session;
    const toast = window.toast('“Rename the billing tables” (billing) asks: Run the migration');
    await toast.waitFor(soon);
    expect(await toast.count()).toBe(1);
    await window.screenshot('needs-you-toast');
  });

  it('can be visited with one shortcut, from anywhere', async () => {
    const { window } = session;
    await window.page.keyboard.press('Control+K');
    await window.page.keyboard.press('Control+N');
    await window.webview().getByRole('heading', { name: 'Rename the billing tables' }).waitFor();
    await window.runCommand('Unstuck: Next Agent That Needs Me');
    await window
      .webview()
      .locator('h1', { hasText: /Fix the|Port the/ })
      .waitFor();
    await window.closeEditors();
  });

  it('are in the overview, which opens the panel to the side', async () => {
    const { window } = session;
    await window.runCommand('Unstuck: Show Overview');
    const row = window.webview().locator('.row');
    await row.nth(9).waitFor();
    expect(await row.first().innerText()).toContain('Rename the billing tables');
    await window.runCommand('Notifications: Clear All Notifications');
    await window.screenshot('overview-in-editor');
    await row.filter({ hasText: 'Fix the import error' }).click();
    await expect
      .poll(() => window.page.locator('iframe.webview.ready').filter({ visible: true }).count(), soon)
      .toBe(2);
    await window.screenshot('overview-beside-panel');
  });

  it.each(['Dark Modern', 'Light Modern', 'Dark High Contrast', 'Light High Contrast'])(
    'break no rule of axe-core in overview and panel, in the theme %s',
    async (theme) => {
      const { window } = session;
      await window.setTheme(theme);
      // Themes fade.
      await window.page.waitForTimeout(600);
      const names = [];
      for (const index of [0, 1]) {
        const body = await window.webview(index).locator('body').elementHandle();
        const frame = await body?.ownerFrame();
        names.push(await frame?.locator('h1').innerText());
        expect(await violations(frame), names.at(-1)).toEqual([]);
      }
      expect(names).toEqual(expect.arrayContaining(['Agents', expect.stringContaining('Fix the import')]));
    },
  );

  it('have a timeline by the clock, which the next panel keeps', async () => {
    const { window } = session;
    await window.closeEditors();
    await window.row('Fix the import').click();
    const mode = window.webview().getByRole('group', { name: 'Arrange steps by' });
    const time = mode.getByRole('button', { name: 'Time' });
    await time.click();
    await mode.getByRole('button', { name: 'Time', pressed: true }).waitFor();
    await window.closeEditors();
    await window.row('Fix the import').click();
    await mode.getByRole('button', { name: 'Time', pressed: true }).waitFor();
    const slider = window.webview().getByRole('slider', { name: 'Timeline, step' });
    await expect
      .poll(() => slider.getAttribute('aria-valuetext'), soon)
      .toMatch(/^Step \d+, [\d:]+, after \d+ (ms|s|min|h)/);
    await window.screenshot('timeline-time');
    const body = await window.webview().locator('body').elementHandle();
    expect(await violations(await body?.ownerFrame())).toEqual([]);
    await mode.getByRole('button', { name: 'Steps' }).click();
    await mode.getByRole('button', { name: 'Steps', pressed: true }).waitFor();
  });

  it('fit at a zoom of 200 % (picture)', async () => {
    const { window } = session;
    await window.setTheme('Dark Modern');
    await window.page.setViewportSize({ width: 700, height: 450 });
    await window.closeEditors();
    await window.row('Fix the import').click();
    await window.webview().getByRole('heading', { name: 'Fix the import' }).waitFor();
    await window.page.waitForTimeout(600);
    await window.screenshot('panel-in-editor-zoom-200');
    const body = await window.webview().locator('body').elementHandle();
    expect(await overflows(await body?.ownerFrame())).toEqual([]);
    await window.page.setViewportSize({ width: 1400, height: 900 });
  });

  it('have readable evidence, with the raw line one step further', async () => {
    const { window } = session;
    await window.closeEditors();
    await window.row('Fix the import').click();
    await window
      .webview()
      .getByText(/^line \d+$/)
      .first()
      .click();
    await window.tab(/Line \d+, Claude Code/).waitFor();
    const text = window.page.locator('.editor-instance .view-lines').last();
    await expect.poll(() => text.innerText(), soon).toContain('Call:');
    await window.screenshot('evidence-readable');
    await window.editorAction('Open Raw Line').click();
    await window.tab('.jsonl').waitFor();
    await expect.poll(() => window.cursor.innerText().catch(() => ''), soon).toMatch(/Ln \d{2,},/);
    expect(fs.existsSync(join(home, '.claude/settings.json'))).toBe(false);
  });

  it('show the first and the last result as a diff of what was compared', async () => {
    const { window } = session;
    await window.closeEditors();
    await window.row('Fix the import').click();
    await window.webview().getByRole('button', { name: 'Compare in Editor' }).click();
    await window.page.locator('.monaco-diff-editor').waitFor();
    await window.tab('first and last').waitFor();
    await window.screenshot('evidence-difference');
  });

  // Last, because turning a rule off ends the incidents that the other tests look at.
  it('have a page of the rules that watch them, where a rule is made less sensitive, turned off and reset', async () => {
    const { window } = session;
    await window.setTheme('Dark Modern');
    await window.closeEditors();
    await window.row('Fix the import').click();
    await window.webview().getByRole('button', { name: 'More Actions' }).click();
    await window.webview().getByRole('menuitem', { name: 'Rules for This Agent…' }).click();
    await window.webview().getByRole('heading', { name: 'Rules for Claude Code' }).waitFor();
    const first = window.webview().getByRole('listitem').first();
    const says = (/** @type {RegExp} */ text) => expect.poll(() => first.innerText(), soon).toMatch(text);
    await says(/Same call again\s+warns at 3, stuck at 4, counts steps in a row/);
    await says(/Now: pytest -q/);
    // What each preset would have reported is read in the background.
    await says(/Last 7 days: eager \d+ \(\d+ stuck\), balanced \d+ \(\d+ stuck\), patient \d+/);
    await window
      .webview()
      .getByText(/What each preset would have reported in the last 7 days: \d+ transcripts/)
      .waitFor();
    await window.screenshot('rules-last-days');
    await window.webview().getByText('All History').click();
    await window
      .webview()
      .getByText(/What each preset would have reported in all history: \d+ transcripts/)
      .waitFor(soon);
    await says(/All history: eager/);
    const press = async (/** @type {string} */ name) => {
      await first.getByRole('button', { name }).focus();
      await window.page.keyboard.press('Enter');
    };
    await press('Less Sensitive');
    await says(/warns at 5, stuck at 6/);
    await press('Turn Off');
    await says(/Same call again \(off\)/);
    await press('Turn On');
    await says(/Same call again\s+warns at 3, stuck at 4/);
    expect(
      await first.getByRole('button', { name: 'Turn Off' }).evaluate((one) => one === document.activeElement),
    ).toBe(true);
    await press('Reset');
    await says(/warns at 3, stuck at 4/);
    // Its incident was muted with the rule, so it would be false to say that the rule came nowhere near.
    await says(/(Now|Earlier): pytest -q/);
  });

  it.each(['Dark Modern', 'Light Modern', 'Dark High Contrast', 'Light High Contrast'])(
    'have rules that can be read in the theme %s, wide and narrow',
    async (theme) => {
      const { window } = session;
      await window.setTheme(theme);
      for (const width of [1400, 700]) {
        await window.page.setViewportSize({ width, height: 900 });
        // Themes fade, and what moved is drawn in the next frame.
        await window.page.waitForTimeout(600);
        await window.screenshot(`rules-${width}-${theme.toLowerCase().replaceAll(' ', '-')}`);
        const frame = await (await window.webview().locator('body').elementHandle())?.ownerFrame();
        expect(await violations(frame)).toEqual([]);
        expect(await lowContrasts(frame)).toEqual([]);
        expect(await overflows(frame)).toEqual([]);
      }
      await window.page.setViewportSize({ width: 1400, height: 900 });
    },
  );

  it('have rules that fit at a zoom of 200 %, and do not move with reduced motion (picture)', async () => {
    const { window } = session;
    // Half of a window of 1400 × 900.
    await window.page.setViewportSize({ width: 700, height: 450 });
    await window.page.emulateMedia({ reducedMotion: 'reduce' });
    await window.page.waitForTimeout(600);
    await window.screenshot('rules-zoom-200');
    const frame = await (await window.webview().locator('body').elementHandle())?.ownerFrame();
    expect(await overflows(frame)).toEqual([]);
    expect(await moving(frame)).toEqual([]);
    await window.page.emulateMedia({ reducedMotion: 'no-preference' });
    await window.page.setViewportSize({ width: 1400, height: 900 });
  });
});
