#!/usr/bin/env node
/**
 * Measures 200 agents inside a real VS Code, one of them with 100,000 steps: how long a person waits for the overview and for the panel of the long
 * one, how long their pages are busy without a break while a person scrolls and 20 agents work, and how many messages pass between them and the
 * extension host. A bare page of another extension is measured alongside: the time VS Code itself takes to open one. Exit code 1 if a limit is
 * exceeded.
 *
 *   npm run package && node test/bench/editor-many.mjs [--agents 200] [--steps 100000] [--rounds 9]
 */
import fs from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { extensionIsActive } from '../support/demo.mjs';
import { startHost } from '../support/host.mjs';
import { projectRoot } from '../support/vscode-host.mjs';
import { workbench } from '../e2e/support/workbench.mjs';
import { frameOf, shownAt, taken, watchPages } from './editor/page-watch.mjs';
import { traceTasks } from './editor/task-trace.mjs';
import { packExtension } from './support/extension.mjs';
import { writeManyAgents } from './support/many-agents.mjs';
import { median, spread } from './support/measure.mjs';

const { values } = parseArgs({
  options: {
    agents: { type: 'string', default: '200' },
    steps: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '9' },
  },
});
const AGENTS = Number(values.agents);
const STEPS = Number(values.steps);
const ROUNDS = Number(values.rounds);
const OPEN_MS = 300;
const LONG_TASK_MS = 50;
const MESSAGES_A_SECOND = 10;
/** Seconds for which messages are counted while agents work. */
const COUNTED_SECONDS = 20;
/** Milliseconds between two notches of the wheel, and their number. */
const NOTCH_MS = 30;
const NOTCHES = 120;

/** A page with nothing but a heading, opened by an item of the status bar. */
const blank = `
const vscode = require('vscode');
exports.activate = (context) => {
  context.subscriptions.push(vscode.commands.registerCommand('blank.open', () => {
    const panel = vscode.window.createWebviewPanel('blank', 'Blank', vscode.ViewColumn.Active, { enableScripts: true });
    panel.webview.html = '<!DOCTYPE html><html lang="en"><head><title>Blank</title></head><body><script>document.body.innerHTML = "<h1>Blank</h1>"</script></body></html>';
  }));
  const item = vscode.window.createStatusBarItem('blank', vscode.StatusBarAlignment.Left);
  Object.assign(item, { text: 'Open Blank', command: 'blank.open' });
  item.show();
};
`;

const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-many-'));
let missed = 0;
/** @type {import('../support/host.mjs').Host | undefined} */
let host;

/** Prints one figure with its limit. `null`: there is no requirement. */
function tell(
  /** @type {string} */ what,
  /** @type {string} */ limit,
  /** @type {string} */ measured,
  /** @type {boolean | null} */ holds,
) {
  if (holds === false) missed++;
  console.log(
    `${holds === null ? '      ' : holds ? 'met   ' : 'MISSED'}  ${what.padEnd(66)} ${limit.padEnd(8)} ${measured}`,
  );
}

try {
  const agents = writeManyAgents({ root, agents: AGENTS, steps: STEPS });
  host = await startHost({
    vsix: [
      join(projectRoot, 'dist/unstuck.vsix'),
      packExtension(join(root, 'blank'), { name: 'blank', displayName: 'Blank', source: blank }),
    ],
    workspace: agents.workspace,
    home: agents.home,
    settings: { 'remote.autoForwardPorts': false },
    viewport: { width: 1400, height: 900 },
    onPage: watchPages,
  });
  const window = workbench(host.page);
  const { page } = window;
  await extensionIsActive(host.dir);
  await window.openViewContainer('Unstuck');
  await window.rows.nth(9).waitFor({ timeout: 120_000 });
  // An agent that got stuck before it was read belongs to the past.
  await wait(10_000);
  agents.getStuck();
  await until(async () => /6 needs? you.*9 stuck/.test(await window.statusText('unstuck.status')));
  await readWhole();
  await window.runCommand('Notifications: Clear All Notifications');

  /** Measures the time from a click until something appears in the page that it opens, milliseconds, and closes the page. */
  const opened = async (
    /** @type {import('playwright-core').Locator} */ target,
    /** @type {'h1' | '.row' | 'canvas'} */ selector,
    extension = 'unstuck.unstuck',
  ) => {
    const clicked = page.evaluate(
      () =>
        new Promise((done) =>
          addEventListener('mouseup', () => done(performance.timeOrigin + performance.now()), {
            capture: true,
            once: true,
          }),
        ),
    );
    await target.click();
    const at = /** @type {number} */ (await clicked);
    const content = page
      .locator(`iframe.webview.ready[src*="extensionId=${extension}"]`)
      .filter({ visible: true })
      .contentFrame()
      .frameLocator('#active-frame');
    await content.locator(selector).first().waitFor();
    const shown = await shownAt(await frameOf(content), selector);
    await window.closeEditors();
    // What remains to be done for a closed page is not part of the next one.
    await wait(1_000);
    return shown - at;
  };
  const overview = () => window.viewAction('Agents', 'Show Overview');
  const times = {
    blank: /** @type {number[]} */ ([]),
    overview: /** @type {number[]} */ ([]),
    panel: /** @type {number[]} */ ([]),
  };
  // The first page of a window starts the worker that serves all pages.
  await opened(page.getByRole('button', { name: 'Open Blank' }), 'h1', 'unstuck-bench.blank');
  for (let round = 0; round < ROUNDS; round++) {
    times.blank.push(await opened(page.getByRole('button', { name: 'Open Blank' }), 'h1', 'unstuck-bench.blank'));
    await window.viewHeader('Agents').hover();
    times.overview.push(await opened(overview(), '.row'));
    times.panel.push(await opened(window.row(agents.title(0)), 'canvas'));
  }
  tell(`a bare page of another extension, from the click`, '', spread(times.blank, ' ms'), null);
  for (const [what, taken] of /** @type {const} */ ([
    [`overview of ${AGENTS} agents, from the click to its rows`, times.overview],
    [`panel of ${STEPS} steps, from the click to its timeline`, times.panel],
  ])) {
    tell(what, `< ${OPEN_MS} ms`, spread(taken, ' ms'), median(taken) < OPEN_MS);
    tell('  more than the bare page', '', `${(median(taken) - median(times.blank)).toFixed(0)} ms`, null);
  }

  const growing = grow(agents);
  await window.viewHeader('Agents').hover();
  await overview().click();
  await window.webview().locator('.row').first().waitFor();
  const list = await frameOf(window.webview());
  // All rows can be scrolled through: closed groups are opened, shortened ones shown in full.
  for (const text of ['Working', 'Your turn', 'Finished']) {
    const group = list.locator('.group[aria-expanded="false"]', { hasText: text });
    if ((await group.count()) > 0) await group.first().click();
  }
  await scrolled('the overview, scrolled', list, list.locator('.list'));
  await host.screenshot('bench-many-overview');

  await list.locator('.list').evaluate((element) => element.scrollTo(0, 0));
  await list
    .locator('.row', { hasText: agents.title(0) })
    .first()
    .click();
  await window.webview(1).locator('canvas').first().waitFor();
  const frames = [await frameOf(window.webview(0)), await frameOf(window.webview(1))];
  await counted(`overview and panel beside, 20 agents at work`, frames);
  await host.screenshot('bench-many-beside');
  await window.closeEditors();

  await window.row(agents.title(0)).click();
  await window.webview().locator('canvas').first().waitFor();
  const panel = await frameOf(window.webview());
  await wait(1_000);
  await scrolled('the panel, scrolled', panel, panel.locator('h2').first());
  await panel.evaluate(() => scrollTo(0, 0));
  await dragged('the timeline, its window dragged and its steps gone through', panel);
  await host.screenshot('bench-many-panel');

  const began = Date.now();
  await panel
    .getByText(/^line \d+$/)
    .last()
    .click();
  await window.tab(/Line \d+, Claude Code/).waitFor();
  await page.locator('.editor-instance .view-lines', { hasText: 'Call:' }).last().waitFor();
  tell(`evidence of ${STEPS} steps, from the click to its text`, '', `${Date.now() - began} ms`, null);
  growing.abort();

  /** Scrolls down and up again with the wheel, and prints how long the page was busy at a stretch. */
  async function scrolled(
    /** @type {string} */ what,
    /** @type {import('playwright-core').Frame} */ frame,
    /** @type {import('playwright-core').Locator} */ over,
  ) {
    await over.hover();
    await taken(frame);
    const trace = await traceTasks(frame);
    for (let notch = 0; notch < NOTCHES; notch++) {
      await page.mouse.wheel(0, notch < NOTCHES / 2 ? 120 : -120);
      await wait(NOTCH_MS);
    }
    await tellTasks(what, await taken(frame), trace);
  }

  async function dragged(/** @type {string} */ what, /** @type {import('playwright-core').Frame} */ frame) {
    const box = await frame.locator('canvas').first().boundingBox();
    if (!box) throw new Error('The timeline has no place.');
    await taken(frame);
    const trace = await traceTasks(frame);
    await page.mouse.move(box.x + box.width - 30, box.y + 20);
    await page.mouse.down();
    for (let step = 0; step < NOTCHES; step++) {
      await page.mouse.move(box.x + box.width - 30 - (step * (box.width - 160)) / NOTCHES, box.y + 20);
      await wait(NOTCH_MS);
    }
    await page.mouse.up();
    await frame.getByRole('slider').focus();
    for (let key = 0; key < NOTCHES; key++)
      await page.keyboard.press(key % 10 === 0 ? 'Control+ArrowLeft' : 'ArrowLeft');
    await tellTasks(what, await taken(frame), trace);
  }

  /** Messages of all these pages together. */
  async function counted(/** @type {string} */ what, /** @type {import('playwright-core').Frame[]} */ pages) {
    for (const frame of pages) await taken(frame);
    await wait(COUNTED_SECONDS * 1_000);
    const all = await Promise.all(pages.map((frame) => taken(frame)));
    const at = all
      .flatMap(({ toPage, toHost }) => [...toPage, ...toHost].map((one) => one.at))
      .sort((one, other) => one - other);
    const seconds = Array.from(
      { length: COUNTED_SECONDS },
      (_, second) => at.filter((one) => Math.floor((one - (at[0] ?? 0)) / 1_000) === second).length,
    );
    tell(
      `${what}: messages in a second`,
      `<= ${MESSAGES_A_SECOND}`,
      spread(seconds),
      Math.max(...seconds) <= MESSAGES_A_SECOND,
    );
  }
} catch (error) {
  console.error(`What it looked like: ${await host?.screenshot('bench-many-failed')}`);
  throw error;
} finally {
  await host?.close();
  fs.rmSync(root, { recursive: true, force: true });
}
console.log(`        load ${loadavg()[0]?.toFixed(1)}, ${process.version}`);
process.exit(missed > 0 ? 1 : 0);

/** Prints long tasks by processor time: how long a task lasts depends on what else runs on this machine. */
async function tellTasks(
  /** @type {string} */ what,
  /** @type {Awaited<ReturnType<typeof taken>>} */ { longTasks },
  /** @type {Awaited<ReturnType<typeof traceTasks>>} */ trace,
) {
  const worked = await trace.end(longTasks);
  const longest = Math.max(0, ...worked);
  const lasted = Math.max(0, ...longTasks.map(({ ms }) => ms));
  const measured = `${longest.toFixed(0)} ms of processor time; ${longTasks.length} lasted over ${LONG_TASK_MS} ms, at most ${lasted.toFixed(0)} ms`;
  tell(`${what}: longest task`, `<= ${LONG_TASK_MS} ms`, measured, longest <= LONG_TASK_MS);
}

/** Has twenty agents write two steps a second each, until it is ended. */
function grow(/** @type {ReturnType<typeof writeManyAgents>} */ agents) {
  const ending = new AbortController();
  void (async () => {
    while (!ending.signal.aborted) {
      agents.grow();
      await wait(500);
    }
  })();
  return ending;
}

/** Waits until the long transcript is read completely, which happens in idle time: the host rests. */
async function readWhole() {
  await wait(20_000);
}

async function until(/** @type {() => Promise<boolean>} */ ask) {
  for (let tries = 0; !(await ask()); tries++) {
    if (tries > 600) throw new Error('It did not come within two minutes.');
    await wait(200);
  }
}
