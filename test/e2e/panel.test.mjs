// The panel's real bundle in Chromium, under the content policy of the editor, in the editor's four kinds of theme.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './support/accessibility.mjs';
import { lowContrasts, moving, overflows } from './support/panel-checks.mjs';
import { buildPanel, frames, launch, openPanel, setTheme, setWidth, show } from './support/panel-page.mjs';
import { THEMES } from './support/panel-themes.mjs';

const STATES = [
  'freed',
  'stuck',
  'recovering',
  'healthy',
  'hinted',
  'waitingForPermission',
  'stoppedByError',
  'limitOpened',
  'missedNotice',
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
  'long',
  'hostile',
  'automatic',
  'held',
  'idle',
  'checking',
  'manyFailures',
  'messages',
  'counted',
  'remote',
  'remoteSilent',
  'remoteHostile',
];

const PICTURES = resolve(import.meta.dirname, '../../test-output/screenshots');

let browser;
let files;
let page;

beforeAll(async () => {
  [files, browser] = await Promise.all([buildPanel(), launch()]);
});
afterAll(() => browser?.close());
afterEach(async () => {
  if (!page) return;
  const problems = await page.evaluate(() => window.problems);
  page = undefined;
  expect(problems).toEqual([]);
});

async function open(fixture, options) {
  page = await openPanel(browser, files, options);
  await show(page, fixture);
  return page;
}

/** Returns the requests of one type, without the agent and incident that each names as drawn. */
const sent = async (type) => {
  const requests = await page.evaluate((wanted) => window.sent.filter((one) => one.type === wanted), type);
  for (const request of requests) {
    delete request.session;
    delete request.shown;
  }
  return requests;
};
const button = (name) => page.getByRole('button', { name, exact: true });

describe('in every theme', () => {
  const themes = Object.keys(THEMES);
  const [first] = themes;
  /** Texts must have a contrast of 4.5, icons of 3, and no rule of axe-core may be broken. Only the rules about colour depend on the theme. */
  const isReadable = async (what) => {
    for (const theme of themes) {
      await setTheme(page, theme);
      expect(await lowContrasts(page), `${what}, ${theme}`).toEqual([]);
      expect(await violations(page, theme === first ? 'all' : 'colour'), `${what}, ${theme}`).toEqual([]);
    }
  };
  /** Without this, colours would still be fading. */
  const still = { theme: first, reduced: true };

  it('the page can be read before the first snapshot', async () => {
    page = await openPanel(browser, files, still);
    expect(await violations(page)).toEqual([]);
  });

  it('every state can be read', { timeout: 400_000 }, async () => {
    await open('stuck', still);
    for (const state of STATES) {
      await show(page, state);
      await isReadable(state);
    }
  });

  it('every item of the menus can be read, even those that are not possible now', async () => {
    await open('stuck', still);
    for (const name of ['Recover', 'More Actions']) {
      await button(name).click();
      await page.getByRole('menuitem').first().waitFor();
      await isReadable(name);
      await page.keyboard.press('Escape');
    }
  });

  it.each([
    ['stuck', 1280, 'Recover'],
    ['stuck', 480, 'Recover'],
    ['automatic', 1280, null],
    ['checking', 1280, 'More Actions'],
    ['manyFailures', 640, null],
    ['messages', 1280, null],
    ['idle', 1280, null],
    ['stalled', 1280, 'Recover'],
    ['freed', 1280, null],
    ['healthy', 1280, null],
    ['remote', 1280, 'Recover'],
    ['remoteSilent', 1280, null],
  ])('has a picture of %s at %i px, menu %s', async (state, width, menu) => {
    mkdirSync(PICTURES, { recursive: true });
    await open(state, { ...still, width });
    if (menu) {
      await button(menu).click();
      await page.getByRole('menuitem').first().waitFor();
    }
    for (const theme of themes) {
      await setTheme(page, theme);
      const path = join(PICTURES, `panel-${state}-${width}-${theme}.png`);
      expect((await page.screenshot({ path, fullPage: true })).byteLength).toBeGreaterThan(10_000);
    }
  });
});

describe('at every width', () => {
  const fits = async (what) => {
    for (const width of [320, 400, 480, 600, 640, 800, 1000, 1280, 1400]) {
      await setWidth(page, width);
      expect(await overflows(page), `${what}, ${width} px`).toEqual([]);
    }
  };

  it('no state scrolls sideways and nothing overflows an edge', async () => {
    await open('stuck');
    for (const state of STATES) {
      await show(page, state);
      await fits(state);
    }
  });

  it('the menus open within the page', async () => {
    await open('stuck');
    for (const state of ['stuck', 'restricted']) {
      await show(page, state);
      for (const name of ['Recover', 'More Actions']) {
        await button(name).click();
        await page.getByRole('menuitem').first().waitFor();
        await fits(`${name} of ${state}`);
        await page.keyboard.press('Escape');
        await expect.poll(() => page.getByRole('menu').count()).toBe(0);
      }
    }
  });
});

describe('the order of the page', () => {
  it('is sentence, figures, picture, evidence, action', async () => {
    await open('stuck');
    const headings = await page.locator('h1, h2, h3').allInnerTexts();
    expect(headings).toEqual([
      'Fix the import error in the test suite',
      'Timeline',
      'Evidence',
      'First and last',
      'What would clear this',
      'Quality gates',
      'Recovery',
      'Nudge 2',
      'Nudge 1',
      'Seen before',
    ]);
    await expect
      .poll(() => page.locator('.lead').innerText())
      .toMatch(/^pytest -q gave the same result 6 times in the last 12 steps/);
    expect(await page.locator('.rule-line').innerText()).toMatch(/Same result again\s+Counted, not guessed\s*$/);
    expect(await page.locator('.vitals dt').allInnerTexts()).toEqual([
      'Same result',
      'Last new result of this call',
      'Context',
    ]);
    expect(await page.locator('.coverage').innerText()).toMatch(
      /^214 of 214 steps seen\s+3 lines skipped, Show Why\s+Read just now$/,
    );
  });

  it('starts at its top for each other agent', async () => {
    await open('stuck');
    await page.evaluate(() => scrollTo(0, 600));
    await show(page, 'stuck');
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
    await page.evaluate(() => {
      const snapshot = { ...window.fixtures.healthy(), session: 'another' };
      window.postMessage({ type: 'snapshot', snapshot }, '*');
    });
    await page.getByRole('heading', { name: 'Add rate limiting' }).waitFor();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  });

  it('has two columns from 1000 px', async () => {
    await open('stuck', { width: 1048 });
    const columns = () =>
      page.locator('.columns').evaluate((one) => getComputedStyle(one).gridTemplateColumns.split(' ').length);
    expect(await columns()).toBe(2);
    await page.setViewportSize({ width: 1040, height: 900 });
    expect(await columns()).toBe(1);
  });

  it('explains silence: a healthy agent shows how close each rule came', async () => {
    await open('healthy');
    expect(await page.locator('tbody tr').first().innerText()).toMatch(
      /Same result again\s+gh run view 8812: 3 equal results\s+3 of 4/,
    );
    await button('Show All Rules').click();
    await frames(page);
    expect(await page.locator('tbody tr').count()).toBe(18);
  });
});

describe('loop health', () => {
  it('opens what each of its numbers counts', async () => {
    await open('counted');
    const health = page.locator('details.health');
    expect(await health.getByRole('button').first().isVisible()).toBe(false);
    await health.locator('summary').click();
    for (const name of [
      'Calls: 143',
      'mcp__server__tool_0: 20',
      'Failed calls: 14',
      'Malformed calls: 3',
      'Said it was done: 2',
    ])
      await health.getByRole('button', { name, exact: true }).click();
    await health.getByRole('button', { name: 'Write the migration guide: 3' }).click();
    expect(await sent('showCounted')).toEqual([
      { type: 'showCounted', thing: 'calls' },
      { type: 'showCounted', thing: 'calls', name: 'mcp__server__tool_0' },
      { type: 'showCounted', thing: 'failures' },
      { type: 'showCounted', thing: 'malformed' },
      { type: 'showCounted', thing: 'claims' },
      { type: 'showCounted', thing: 'blocked', name: '2' },
    ]);
    expect(await health.innerText()).toContain('1.9M in all');
    mkdirSync(PICTURES, { recursive: true });
    await health.screenshot({ path: join(PICTURES, 'panel-loop-health.png') });
  });

  it('is also opened from the figures above', async () => {
    await open('counted');
    await button('Show malformed calls').click();
    await page
      .locator('.vitals')
      .getByRole('button', { name: /^step \d+$/ })
      .click();
    const requests = await page.evaluate(() => window.sent.slice(-2));
    expect(requests.map(({ type }) => type)).toEqual(['showCounted', 'openStep']);
    // The host leaves a request alone that was made for another agent, or another incident.
    expect(requests.map(({ session, shown }) => [session, shown])).toEqual([
      ['rate', ''],
      ['rate', ''],
    ]);
  });
});

describe('with the keyboard', () => {
  it('Tab follows the order of the page', async () => {
    await open('stuck');
    const seen = [];
    for (let press = 0; press < 31; press++) {
      await page.keyboard.press('Tab');
      seen.push(
        await page.evaluate(() => {
          const one = document.activeElement;
          return one?.getAttribute('aria-label') ?? one?.textContent?.trim() ?? '';
        }),
      );
    }
    expect(
      seen.map((name) =>
        name
          .replace(/[\ue000-\uf8ff]/g, '')
          .trim()
          .slice(0, 24),
      ),
    ).toEqual([
      'Nudge',
      'Recover',
      'More Actions',
      'Steps',
      'Time',
      'Zoom Out',
      'Zoom In',
      'Show Whole Session',
      'Timeline, step',
      'line 1391',
      'Open All in Transcript',
      '17:09:38, pytest -q, sam',
      'Compare in Editor',
      'First result, line 1204',
      'Copy Output',
      'First result',
      'Last result, line 1391',
      'Copy Output',
      'Last result',
      'Open tests/test_bootstra',
      'Send to Agent: What Fail',
      'Run Again: Quality Gates',
      'Nudge',
      'Next model',
      'Ask you',
      'Message to claude-code',
      'Send Nudge',
      'Show Text',
      'Show 3 Similar Incidents',
      'Loop health for the whol',
      'Show Why',
    ]);
  });

  it('the timeline is a slider that reads out its step', async () => {
    await open('stuck');
    const slider = page.getByRole('slider', { name: 'Timeline, step' });
    await slider.focus();
    const value = () => slider.getAttribute('aria-valuetext');
    expect(await value()).toBe('Step 214, 17:09:38: pytest -q, same result as step 203');
    await page.keyboard.press('Control+ArrowLeft');
    await expect.poll(value).toBe('Step 212, 17:08:20: pytest -q, same result as step 203');
    await page.keyboard.press('Home');
    await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe('1');
    await expect.poll(() => button('Show Newest').count()).toBe(1);
    await page.keyboard.press('Enter');
    expect(await sent('openStep')).toEqual([{ type: 'openStep', step: 0 }]);
    await button('Show Newest').click();
    await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe('214');
  });

  it('unknown names of steps are requested', async () => {
    await open('stuck');
    await page.locator('.timeline').focus();
    await page.keyboard.press('Home');
    await expect.poll(async () => (await sent('describeSteps')).at(-1)?.from).toBe(0);
    await page.evaluate(() => {
      window.postMessage({ type: 'subjects', subjects: { from: 0, subjects: ['Read README.md', 'ls'] } }, '*');
    });
    await expect.poll(() => page.locator('.readout').innerText()).toMatch(/: Read README\.md, new result/);
  });

  it('arrow keys move between the rows of evidence, and the timeline follows', async () => {
    await open('stuck');
    await page.getByRole('button', { name: /^17:09:38/ }).focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => page.locator('.readout').innerText()).toMatch(/^Step 210, 17:06:40/);
    await page.keyboard.press('Enter');
    expect(await sent('openLine')).toMatchObject([{ line: 1299, offset: 519_600 }]);
  });

  it('the menu opens, moves and closes', async () => {
    await open('stuck');
    await button('More Actions').focus();
    await page.keyboard.press('Enter');
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
    await expect.poll(focused).toBe('Save Checkpoint');
    await page.keyboard.press('End');
    await expect.poll(focused).toBe('Rules for This Agent…');
    await page.keyboard.press('ArrowUp');
    await expect.poll(focused).toBe('Share…');
    await page.keyboard.press('Enter');
    expect(await sent('share')).toHaveLength(1);
    await expect.poll(() => page.getByRole('menu').count()).toBe(0);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('menu').count()).toBe(1);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('menu').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('More Actions');
  });

  it('F6 moves from column to column, Alt+F8 to the next stuck agent', async () => {
    await open('stuck');
    const inside = (selector) => page.evaluate((wanted) => document.activeElement?.closest(wanted) !== null, selector);
    await page.keyboard.press('F6');
    expect(await inside('.head')).toBe(true);
    await page.keyboard.press('F6');
    await page.keyboard.press('F6');
    expect(await inside('.column:first-child')).toBe(true);
    await page.keyboard.press('F6');
    expect(await inside('aside')).toBe(true);
    await page.keyboard.press('Shift+F6');
    expect(await inside('.column:first-child')).toBe(true);
    await page.keyboard.press('Alt+F8');
    expect(await sent('nextNeedingMe')).toHaveLength(1);
  });
});

describe('recovery', () => {
  const rung = (at) => page.locator('.ladder li').nth(at);
  const command = (name) => page.locator('.command').getByText(name, { exact: true });
  const item = (name) => page.getByRole('menuitem').filter({ has: command(name) });
  const commands = () => page.locator('[role=menuitem] > .command').allInnerTexts();
  const focusedCommand = () =>
    page.evaluate(() => document.activeElement?.querySelector('.command')?.textContent ?? '');

  it('shows what was done on each step, and its effect', async () => {
    await open('stuck');
    const words = () =>
      page.locator('.ladder li').evaluateAll((all) => all.map((one) => one.innerText.split(/\s*\n\s*/).join(': ')));
    expect(await words()).toEqual([
      'Nudge: nudged 17:06, no change',
      'Next model: opus-4.5',
      'Top model: opus-4.5, --effort high',
      'Ask you',
    ]);
    expect(await page.locator('.ladder [aria-current=step] .name').allInnerTexts()).toEqual(['Nudge']);
    await show(page, 'idle');
    expect(await page.locator('.after-ladder').innerText()).toMatch(/only you or its supervisor can do\.$/);
    await show(page, 'escalated');
    expect(await rung(0).getByText(', done').count()).toBe(1);
  });

  it('counts down to the next automatic step, can be held and continues', async () => {
    await open('automatic');
    const label = () => page.locator('aside .heading .label').first().innerText();
    const left = async () => Number(/^automatic, next in (\d+) s$/.exec(await label())?.[1]);
    const first = await left();
    expect(first).toBeGreaterThan(30);
    await expect.poll(left, { timeout: 5000 }).toBeLessThan(first);
    const hold = page.getByRole('button', { name: 'Hold automatic recovery' });
    await hold.focus();
    await page.keyboard.press('Enter');
    expect(await sent('hold')).toEqual([{ type: 'hold', on: true }]);
    await show(page, 'held');
    expect(await label()).toBe('automatic, held');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Continue');
    await page.keyboard.press('Enter');
    expect((await sent('hold')).at(-1)).toEqual({ type: 'hold', on: false });
  });

  it('offers no Hold if it is the reader’s turn or automatic mode is off', async () => {
    await open('stuck');
    expect(await button('Hold automatic recovery').count()).toBe(0);
    await show(page, 'escalated');
    expect(await page.locator('.ladder [aria-current=step] .name').innerText()).toBe('Ask you');
    expect(await button('Hold automatic recovery').count()).toBe(0);
  });

  it('the menu offers what can be done and says why the rest cannot', async () => {
    await open('stuck');
    await button('Recover').press('ArrowDown');
    await item('Stop Agent…').waitFor();
    expect(await commands()).toEqual([
      'Recommended: Nudge',
      'Block This Call Once',
      'Restart with Feedback',
      'Fork with Feedback',
      'Restart with Fresh Context',
      'Restart with opus-4.5',
      'Reassign to Another Agent…',
      'I’ll Take Over',
      'Suggest a Smaller Step',
      'Restart with More Thinking',
      'Stop Agent…',
    ]);
    expect(await page.locator('.menu .part').innerText()).toBe('Not possible now');
    expect(await item('Restart with Fresh Context').locator('.meaning').innerText()).toMatch(
      /^Ends the process and starts a new session/,
    );
    await expect.poll(focusedCommand).toBe('Recommended: Nudge');
    const off = item('Restart with More Thinking');
    expect(await off.getAttribute('aria-disabled')).toBe('true');
    expect(await off.locator('.hindrance').innerText()).toMatch(/^No models are set for this agent/);
    await page
      .getByRole('menuitem', { name: /^Restart with More Thinking No models are set for this agent/ })
      .waitFor();
    await off.click({ force: true });
    expect(await sent('recover')).toEqual([]);
    expect(await page.getByRole('menu').count()).toBe(1);
    await item('Restart with opus-4.5').click();
    expect(await sent('recover')).toEqual([{ type: 'recover', action: 'next_model' }]);
    await expect.poll(() => page.getByRole('menu').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-haspopup'))).toBe('menu');
    await button('Recover').press('ArrowUp');
    await expect.poll(focusedCommand).toBe('Stop Agent…');
    await button('More Actions').click();
    await expect.poll(() => page.getByRole('menu').count()).toBe(1);
    await item('Save Checkpoint').click();
    expect(await sent('saveCheckpoint')).toHaveLength(1);
  });

  it('takes a step of the ladder with one click: feedback is read first', async () => {
    await open('stuck');
    const step = (name) => page.locator('.ladder').getByRole('button', { name });
    expect(await page.locator('.ladder button').count()).toBe(3);
    await step('Next model').click();
    await step('Ask you').click();
    expect(await sent('recover')).toEqual([
      { type: 'recover', action: 'next_model' },
      { type: 'recover', action: 'ask' },
    ]);
    await step('Nudge').click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
    expect(await sent('recover')).toHaveLength(2);
  });

  it('leads to the drafted text if a nudge is recommended', async () => {
    await open('stuck');
    await button('Recover').press('ArrowDown');
    await item('Recommended: Nudge').click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
    expect(await sent('recover')).toEqual([]);
  });

  it('offers a silent agent a restart first, with what helped before', async () => {
    await open('stalled');
    await button('Recover').press('ArrowDown');
    await item('Recommended: Restart with Feedback, helped 2 of 2').waitFor();
    const names = await commands();
    expect(names[0]).toBe('Recommended: Restart with Feedback, helped 2 of 2');
    expect(names.filter((name) => name?.includes('Restart with Feedback'))).toHaveLength(1);
    await item('Recommended: Restart with Feedback, helped 2 of 2').click();
    expect(await sent('recover')).toEqual([{ type: 'recover', action: 'resume' }]);
  });

  it('has no Recover if there is nothing to recover, and nothing to mute', async () => {
    await open('healthy');
    expect(await button('Recover').count()).toBe(0);
    await button('More Actions').click();
    await item('Run Quality Gates').waitFor();
    expect(await item('Mute for 1 Hour').count()).toBe(0);
    await item('Run Quality Gates').click();
    expect(await sent('runGates')).toHaveLength(1);
    await show(page, 'restricted');
    await button('More Actions').click();
    await item('Save Checkpoint').waitFor();
    expect(await item('Run Quality Gates').getAttribute('aria-disabled')).toBe('true');
    await item('Share…').click();
    expect(await sent('share')).toHaveLength(1);
  });

  it('restarts an agent that died, and offers it no message', async () => {
    await open('stuck');
    await show(page, 'finished', 'died');
    expect(await button('Nudge').count()).toBe(0);
    await button('Restart').click();
    expect(await sent('restart')).toEqual([{ type: 'restart' }]);
    await show(page, 'finished');
    expect(await button('Restart').count()).toBe(0);
  });

  it('offers to continue if the agent stopped before its work was done', async () => {
    await open('missedNotice');
    expect(await page.locator('.lead').innerText()).toBe(
      'npm run build failed with exit code 1, 6 min ago. The agent was not told.',
    );
    expect(await page.locator('.facts').innerText()).toContain('run 7');
    for (const state of ['missedNotice', 'limitOpened', 'stoppedByError']) {
      await show(page, state);
      await page.locator('aside').getByRole('button', { name: 'Continue' }).click();
    }
    expect((await sent('sendNudge')).map(({ text }) => text.split('\n\n')[1])).toEqual(
      Array.from({ length: 3 }, () => 'Continue with the task where you left off.'),
    );
  });

  it('says what helped before, but only if that is known', async () => {
    await open('stuck');
    expect((await page.locator('.ways').innerText()).replace(/\s+/g, ' ')).toMatch(
      /Fresh context helped 2 of 2 . Nudge did not help 0 of 1/,
    );
    await button('Show 3 Similar Incidents').click();
    expect(await sent('showSimilar')).toHaveLength(1);
    await show(page, 'inTurn');
    expect(await page.getByText('Seen before', { exact: true }).count()).toBe(0);
  });

  it('messages of other kinds have their own names', async () => {
    await open('messages');
    // Waiting messages are above the message box, delivered ones below it.
    expect(await page.locator('aside h3').allInnerTexts()).toEqual([
      'Restart',
      'Nudge 1',
      'Stop',
      'Blocked call',
      'Gate feedback',
      'Checkpoint',
      'Seen before',
    ]);
    expect(await page.locator('.after-gates').innerText()).toBe(
      '1 gate failed after TASK_COMPLETE. Sent to the agent at 17:06.',
    );
    expect(await page.getByText('Send to Agent').count()).toBe(0);
  });
});

describe('quality gates', () => {
  const row = (at) => page.locator('.gates > li').nth(at);

  it('are next to what would clear the incident, each with sign, name and words', async () => {
    await open('stuck');
    const section = page.locator('.quality-gates');
    expect(await section.locator('.heading').innerText()).toMatch(/^Quality gates\s+at 16:58$/);
    expect(await row(0).innerText()).toMatch(/\[x\]\s+build\s+passed in 12 s$/);
    expect(await row(1).locator('> [aria-hidden]').allInnerTexts()).toEqual(['[ ]', 'tests', '1 failed, 46 passed']);
    expect(await row(1).locator('> .voice').textContent()).toBe('tests, failed: 1 failed, 46 passed');
    expect(await row(2).innerText()).toMatch(/\[~\]\s+lint\s+skipped, needs tests$/);
    expect(await section.locator('.after-gates').innerText()).toBe(
      '1 gate failed after TASK_COMPLETE. Not sent: a nudge waits for the agent already.',
    );
    const clears = await page.getByRole('region', { name: 'What would clear this' }).boundingBox();
    const gates = await section.boundingBox();
    expect([gates.y, gates.x > clears.x + clears.width]).toEqual([clears.y, true]);
    expect(await page.locator('.spin').count()).toBe(0);
  });

  it('open the place of a failure, are sent to the agent and run again', async () => {
    await open('stuck');
    await button('Open tests/test_bootstrap.py:31').click();
    expect(await sent('openFailure')).toEqual([{ type: 'openFailure', gate: 'tests', failure: 0 }]);
    await button('Send to Agent: What Failed').click();
    expect(await sent('sendGates')).toHaveLength(1);
    await button('Run Again: Quality Gates').click();
    expect(await sent('runGates')).toHaveLength(1);
  });

  it('can be cancelled while they run, and show the only spinner', async () => {
    await open('checking');
    expect(await row(1).locator('> .voice').textContent()).toMatch(/^tests, running \d+ s$/);
    expect(await page.locator('.spin').count()).toBe(1);
    expect(await page.locator('.spin').evaluate((one) => getComputedStyle(one).animationName)).toBe('spin');
    await button('Cancel Quality Gates').click();
    expect(await sent('cancelGates')).toHaveLength(1);
    expect(await button('Run Again: Quality Gates').count()).toBe(0);
  });

  it('of a healthy agent are in the right column', async () => {
    await open('healthy');
    expect(await page.locator('aside .quality-gates .after-gates').innerText()).toBe('All gates passed.');
  });

  it('list three failures, then all known ones, and count the rest', async () => {
    await open('manyFailures');
    expect(await page.locator('.failures code').count()).toBe(3);
    await button('Show 7 More').click();
    await expect.poll(() => page.locator('.failures code').count()).toBe(10);
    expect(await page.locator('.failures li').last().innerText()).toBe('and 34 more');
    await page.locator('.failures .link').nth(9).click();
    expect((await sent('openFailure')).at(-1)).toMatchObject({ gate: 'tests', failure: 9 });
  });

  it('offer nothing without trust', async () => {
    await open('restricted');
    expect(await page.locator('.quality-gates .links').count()).toBe(0);
  });
});

describe('the message box', () => {
  it('is reached with Nudge, which never sends', async () => {
    await open('stuck', { height: 500 });
    await page.locator('.head').getByRole('button', { name: 'Nudge' }).click();
    const selection = await page
      .locator('textarea')
      .evaluate((box) => [
        box.value.slice(box.selectionStart).slice(0, 30),
        box.selectionEnd - box.selectionStart,
        box.scrollTop,
      ]);
    // The first key must not erase the draft.
    expect(selection).toEqual(['pytest -q has given the same r', 0, 0]);
    await expect.poll(() => page.locator('textarea').evaluate((box) => box === document.activeElement)).toBe(true);
    expect(await sent('sendNudge')).toEqual([]);
  });

  it('has the only primary button while it is in view', async () => {
    await open('stuck', { height: 500 });
    const primary = () =>
      page
        .locator('.button:not(.secondary):visible')
        .evaluateAll((all) =>
          all
            .filter((one) => one.getBoundingClientRect().bottom > 0 && one.getBoundingClientRect().top < innerHeight)
            .map((one) => one.textContent?.trim().replace(/^\W*/, '')),
        );
    expect(await primary()).toEqual(['Nudge']);
    await page.locator('.message .bar').scrollIntoViewIfNeeded();
    await expect.poll(primary).toEqual(['Send Nudge']);
    await show(page, 'healthy');
    expect(await primary()).toEqual([]);
  });

  it('sends once on Ctrl+Enter, and waits for the answer', async () => {
    await open('stuck');
    const box = page.locator('textarea');
    await box.fill('Read the fixture first.');
    await expect.poll(() => page.locator('.message .bar .label').innerText()).toBe('Edited');
    // Faster than the page draws: both keys in one task.
    await box.evaluate((element) => {
      const press = () =>
        element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }));
      press();
      press();
    });
    await box.press('Control+Enter');
    expect(await sent('sendNudge')).toEqual([
      { type: 'sendNudge', text: 'Read the fixture first.', incident: '01JDSTUCK' },
    ]);
    await expect.poll(() => button('Send Nudge').isDisabled()).toBe(true);
    await show(page, 'queued');
    // The waiting message is above the box, which is free for another one.
    await expect.poll(() => box.inputValue()).toBe('');
    const [waits, writes] = await Promise.all([page.locator('.delivery').first().boundingBox(), box.boundingBox()]);
    expect(waits?.y).toBeLessThan(writes?.y ?? 0);
    expect(await page.locator('.delivery').first().innerText()).toMatch(
      /Queued\s+17:10:14\s+Taken\s+at the next tool call/,
    );
    await button('Undo').click();
    expect(await sent('withdraw')).toEqual([{ type: 'withdraw', id: '01NUDGE2' }]);
  });

  it('keeps what was written across new snapshots and Escape', async () => {
    await open('stuck');
    await page.locator('textarea').fill('half a thou');
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
    await show(page, 'stuck');
    expect(await page.locator('textarea').inputValue()).toBe('half a thou');
  });

  it('grows with its text, from 96 to 400', async () => {
    await open('stuck');
    const height = () => page.locator('textarea').evaluate((box) => box.clientHeight);
    await page.locator('textarea').fill('short');
    expect(await height()).toBe(96);
    await page.locator('textarea').fill('line\n'.repeat(80));
    expect(await height()).toBe(400);
  });

  it('is disabled if a message may not be sent, and says why', async () => {
    await open('restricted');
    expect(await button('Send Nudge').isDisabled()).toBe(true);
    expect(await page.locator('.reach').innerText()).toMatch(/^Nudges are off until you trust this folder\./);
    await page.locator('textarea').press('Control+Enter');
    expect(await sent('sendNudge')).toEqual([]);
  });

  it('opens empty for a healthy agent', async () => {
    await open('healthy');
    expect(await page.locator('textarea').count()).toBe(0);
    await page.locator('.head').getByRole('button', { name: 'Nudge' }).click();
    await expect.poll(() => page.locator('textarea').count()).toBe(1);
    expect(await page.locator('.message .bar .label').innerText()).toBe('Your own');
    expect(await button('Send Nudge').isDisabled()).toBe(true);
  });
});

describe('the timeline', () => {
  const colors = (selector) =>
    page.locator(selector).evaluate((canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const found = new Set();
      for (let at = 0; at < data.length; at += 4)
        if (data[at + 3] === 255) found.add(`${data[at]},${data[at + 1]},${data[at + 2]}`);
      return [...found];
    });

  it('draws trouble in its own colour, and uses none of that for a healthy agent', async () => {
    await open('stuck');
    expect(await colors('canvas.detail')).toContain('204,167,0');
    await show(page, 'healthy');
    expect(await colors('canvas.detail')).not.toContain('204,167,0');
  });

  it('is redrawn when the theme changes', async () => {
    await open('stuck');
    await page.evaluate(() =>
      document.documentElement.style.setProperty('--vscode-list-warningForeground', 'rgb(1, 2, 3)'),
    );
    await expect.poll(() => colors('canvas.detail')).toContain('1,2,3');
  });

  it('dragging the strip moves the window; Ctrl and the wheel zoom at the pointer', async () => {
    await open('stuck');
    const strip = await page.locator('canvas.session').boundingBox();
    await page.mouse.move(strip.x + 1100, strip.y + 20);
    await page.mouse.down();
    await page.mouse.move(strip.x + 300, strip.y + 20, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => button('Show Newest').count()).toBe(1);
    const detail = await page.locator('canvas.detail').boundingBox();
    await page.mouse.move(detail.x + 600, detail.y + 60);
    await expect.poll(() => page.locator('.readout').innerText()).toMatch(/^Step \d{1,2}, /);
    const before = await page.locator('.readout').innerText();
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -120);
    await page.keyboard.up('Control');
    await frames(page);
    const step = (text) => Number(/\d+/.exec(text)?.[0]);
    await page.mouse.move(detail.x + 601, detail.y + 60);
    await frames(page);
    expect(Math.abs(step(await page.locator('.readout').innerText()) - step(before))).toBeLessThanOrEqual(1);
  });

  it('marks the row of evidence under the pointer', async () => {
    await open('stuck');
    const detail = await page.locator('canvas.detail').boundingBox();
    await page.locator('.timeline').focus();
    await page.keyboard.press('Control+ArrowLeft');
    await expect.poll(() => page.locator('.evidence li.current').innerText()).toMatch(/17:08:20/);
    await page.mouse.move(detail.x + 300, detail.y + 8);
    await frames(page);
    expect(detail.height).toBe(152);
  });

  it.each(Object.keys(THEMES))('places steps by the clock on request, by keyboard too, in %s', async (theme) => {
    await open('stuck', { theme });
    const pixels = () => page.locator('canvas.detail').evaluate((canvas) => canvas.toDataURL());
    const bySteps = await pixels();
    const slider = page.getByRole('slider', { name: 'Timeline, step' });
    await page.getByRole('group', { name: 'Arrange steps by' }).getByRole('button', { name: 'Time' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(pixels).not.toBe(bySteps);
    expect(await button('Time').getAttribute('aria-pressed')).toBe('true');
    expect(await button('Steps').getAttribute('aria-pressed')).toBe('false');
    await slider.focus();
    await page.keyboard.press('Control+ArrowLeft');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^Step 212, 17:08:20, after \d+ (s|min)/);
    expect(await violations(page)).toEqual([]);
    expect(await lowContrasts(page)).toEqual([]);
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, `panel-time-1280-${theme}.png`) });
    expect(await sent('timelineMode')).toEqual([{ type: 'timelineMode', mode: 'time' }]);
    await show(page, 'healthy');
    expect(await button('Time').getAttribute('aria-pressed')).toBe('true');
    await page.reload();
    await page.evaluate(() => window.postMessage({ type: 'timelineMode', mode: 'time' }, '*'));
    await show(page, 'stuck');
    expect(await button('Time').getAttribute('aria-pressed')).toBe('true');
    await button('Steps').click();
    await page.keyboard.press('Tab');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).not.toContain('after');
  });

  it('cuts a long wait, and says in words how long it was', async () => {
    await open('stuck', { width: 1000 });
    await page.evaluate(() => {
      const snapshot = window.fixtures.stuck();
      for (let step = 0; step < 205; step++) snapshot.timeline.at[step] -= 42 * 60_000;
      for (let step = 0; step < 180; step++) snapshot.timeline.at[step] -= 12 * 60_000;
      window.postMessage({ type: 'snapshot', snapshot }, '*');
    });
    await button('Time').click();
    const slider = page.getByRole('slider', { name: 'Timeline, step' });
    await slider.focus();
    for (let press = 0; press < 8; press++) await page.keyboard.press('ArrowLeft');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^Step 206, [\d:]+, after 4\d min/);
    await frames(page);
    await page.screenshot({ path: join(PICTURES, 'panel-time-cut-1000-dark.png') });
  });

  it('a click on the strip moves to the time under the pointer', async () => {
    await open('stuck');
    await button('Time').click();
    await frames(page);
    const strip = await page.locator('canvas.session').boundingBox();
    await page.mouse.click(strip.x + 230, strip.y + 20);
    await expect.poll(() => button('Show Newest').count()).toBe(1);
    const detail = await page.locator('canvas.detail').boundingBox();
    await page.mouse.move(detail.x + 230, detail.y + 60);
    await expect.poll(() => page.locator('.readout').innerText()).toMatch(/^Step \d{1,2}, /);
  });

  it('has a lane for each letter', async () => {
    await open('inTurn');
    await expect.poll(() => page.locator('canvas.detail').evaluate((one) => one.clientHeight)).toBe(172);
  });

  it('shows 100,000 steps without blocking the page', async () => {
    await open('stuck');
    await show(page, 'long', 100_000);
    await page.locator('.timeline').focus();
    const longest = await page.evaluate(async () => {
      const tasks = [];
      const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((one) => one.duration)));
      observer.observe({ entryTypes: ['longtask'] });
      for (const key of ['Home', '0', 'End']) {
        document.querySelector('.timeline').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        await new Promise((done) => setTimeout(done, 200));
      }
      observer.disconnect();
      return Math.max(0, ...tasks);
    });
    // Two shared cores without a graphics card. On a normal computer it takes a few milliseconds.
    expect(longest).toBeLessThan(500);
  });
});

describe('text of a transcript', () => {
  it('stays text, whatever it looks like', async () => {
    await open('hostile');
    expect(await page.title()).toBe('panel');
    expect(await page.locator('img, script:not([nonce]), #root iframe').count()).toBe(0);
    expect(await page.locator('h1').getAttribute('title')).toContain('<script>');
    expect(await page.locator('body').innerText()).not.toMatch(
      /[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]/,
    );
  });

  it('marks what the comparison ignored', async () => {
    await open('stuck');
    const ignored = page.locator('.ignored');
    expect(await ignored.allInnerTexts()).toEqual(['41', '3.41s', '46', '3.38s']);
    expect(await ignored.first().getAttribute('title')).toBe('Ignored in the comparison');
    expect(
      await ignored
        .first()
        .evaluate((one) => [getComputedStyle(one).fontStyle, getComputedStyle(one).textDecorationStyle]),
    ).toEqual(['italic', 'dotted']);
  });

  it('keeps its lines and spaces', async () => {
    await open('stuck');
    const text = await page
      .locator('.sample pre')
      .first()
      .evaluate((one) => one.textContent);
    expect(text?.split('\n').slice(0, 3)).toEqual([
      '    def test_plugin_path_is_first():',
      '>       assert sys.path[0] == str(PLUGIN_DIR)',
      'E       AssertionError: assert',
    ]);
  });

  it('shows 12 lines around the first that differs, then all of them', async () => {
    await open('long');
    const lines = () =>
      page
        .locator('.sample pre')
        .first()
        .evaluate((one) => one.textContent?.split('\n').length);
    expect(await lines()).toBe(12);
    expect(await page.locator('.differs').allInnerTexts()).toContain('line 100: error: unused');
    await button('Show All 214 Lines').click();
    await expect.poll(lines).toBe(214);
    await button('Show 15 More').click();
    await expect.poll(() => page.locator('.evidence li.hit').count()).toBe(26);
  });
});

describe('between panel and host', () => {
  it('the panel requests a snapshot and keeps unsent text across a reload', async () => {
    await open('stuck');
    expect(await sent('ready')).toHaveLength(1);
    await page.locator('textarea').fill('unsent');
    await page.waitForFunction(() => sessionStorage.getItem('state')?.includes('unsent'));
    await page.reload();
    // What is shown comes from the host again.
    await page.getByText('Waiting for this agent’s transcript.').waitFor();
    await show(page, 'stuck');
    expect(await page.locator('h1').innerText()).toBe('Fix the import error in the test suite');
    expect(await page.locator('textarea').inputValue()).toBe('unsent');
    expect(await page.locator('.pill').innerText()).toMatch(/Stuck for 8 min/);
  });

  it('a change of state is announced once, and passing time is not', async () => {
    await open('stuck');
    const voice = () => page.locator('[aria-live=polite]').textContent();
    expect(await page.locator('[aria-live]').count()).toBe(1);
    expect(await voice()).toBe('');
    await show(page, 'recovering');
    expect(await voice()).toMatch(/^Fix the import error in the test suite: Nudge 2 was delivered/);
    await show(page, 'recovering');
    expect(await voice()).toMatch(/^Fix the import error in the test suite: Nudge 2 was delivered/);
  });

  it('ages continue by the clock of the host', async () => {
    await open('healthy');
    const read = async () => Number(/ for (\d+) s\./.exec(await page.locator('.lead').innerText())?.[1]);
    const first = await read();
    expect(first).toBeLessThan(10);
    await expect.poll(read, { timeout: 5000 }).toBeGreaterThan(first);
  });

  it('the header stays visible when the page is scrolled past it', async () => {
    await open('stuck', { height: 500 });
    expect(await page.locator('.sticky').isVisible()).toBe(false);
    await page.mouse.wheel(0, 400);
    await expect.poll(() => page.locator('.sticky').isVisible()).toBe(true);
    expect(await page.locator('.sticky').innerText()).toMatch(
      /Fix the import error in the test suite\s*Stuck for 8 min/,
    );
  });
});

describe('zoomed to 200 % in a window of 1280 × 900', () => {
  const zoomed = { width: 640, height: 450, scale: 2 };

  it.each(['stuck', 'healthy', 'waitingForPermission'])('nothing of %s is cut (picture)', async (state) => {
    mkdirSync(PICTURES, { recursive: true });
    await open(state, zoomed);
    expect(await overflows(page)).toEqual([]);
    const path = join(PICTURES, `panel-${state}-zoom-200.png`);
    expect((await page.screenshot({ path, fullPage: true })).byteLength).toBeGreaterThan(10_000);
  });

  it('each item of a menu can be brought into view', async () => {
    await open('stuck', zoomed);
    for (const name of ['Recover', 'More Actions']) {
      await button(name).focus();
      await page.keyboard.press('ArrowUp');
      await page.getByRole('menuitem').last().waitFor();
      await expect
        .poll(() =>
          page.evaluate(() => {
            const box = document.activeElement?.getBoundingClientRect();
            const isLast = document.activeElement?.matches('[role=menuitem]:last-child') === true;
            return isLast && box.top >= 0 && box.bottom <= innerHeight;
          }),
        )
        .toBe(true);
      await page.keyboard.press('Escape');
    }
  });
});

describe('with reduced motion', () => {
  it('no state moves', async () => {
    await open('stuck', { reduced: true });
    for (const state of STATES) {
      await show(page, state);
      expect(await moving(page), state).toEqual([]);
    }
  });

  it('the editor’s own setting counts like the system’s', async () => {
    await open('checking');
    expect(await moving(page)).not.toEqual([]);
    await page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
    expect(await moving(page)).toEqual([]);
  });

  it('Nudge jumps to the message box', async () => {
    await open('stuck', { reduced: true, height: 500 });
    await page.locator('.head').getByRole('button', { name: 'Nudge' }).click();
    const box = await page.locator('textarea').boundingBox();
    expect(box.y).toBeLessThan(500);
  });
});
