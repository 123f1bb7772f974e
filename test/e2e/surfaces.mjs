#!/usr/bin/env node
/**
 * `node test/e2e/surfaces.mjs`: pictures of every surface that a person sees, from the real program in the real VS Code, in the four kinds of theme,
 * in test-output/surfaces. They are only for people to look at after a change of what they show. Needs dist/unstuck.vsix and dist/replay.js (`npm run
 * package`). `-- ten many demo empty` takes only some of the scenes.
 */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeManyAgents } from '../bench/support/many-agents.mjs';
import { seedHistory } from './support/history.mjs';
import { writeSilentAgent } from './support/silent-agent.mjs';
import { writeTenAgents } from './support/ten-agents.mjs';
import { THEMES, themes } from './support/themes.mjs';
import { HISTORY_GROUP, workbench } from './support/workbench.mjs';
import { createDemo, extensionIsActive } from '../support/demo.mjs';
import { startHost } from '../support/host.mjs';
import { projectRoot } from '../support/vscode-host.mjs';

const OUTPUT = join(projectRoot, 'test-output/surfaces');
/** Toasts fade in, themes fade over, and the canvas is drawn in the next frame, milliseconds. */
const DRAWN = 700;
const WAIT = 120_000;

/** @typedef {Awaited<ReturnType<typeof open>>} Scene */

const scenes = { empty, ten, many, demo };
const wanted = process.argv.slice(2);
fs.mkdirSync(OUTPUT, { recursive: true });
for (const [name, run] of Object.entries(scenes)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const root = fs.mkdtempSync(join(tmpdir(), 'surfaces-'));
  try {
    await run(root);
  } finally {
    fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** An empty window: the empty views, the list of Connect, the walkthrough, statistics without figures. */
async function empty(/** @type {string} */ root) {
  const home = join(root, 'home');
  writeTenAgents({ root: join(root, 'elsewhere'), home });
  fs.mkdirSync(join(root, 'project'));
  await using(await open(root, { workspace: join(root, 'project'), home }), async ({ window, take }) => {
    await window.openViewContainer('Unstuck');
    await window.row('none in this folder').waitFor();
    await take('empty-sessions-elsewhere');
    await window.runCommand('Unstuck: Connect Agent…');
    await window.quickPickRow('Claude Code').waitFor();
    await take('connect-list');
    await window.page.keyboard.press('Escape');
    await window.runCommand('Unstuck: Show Statistics');
    await window.webview().getByText('No sessions in this period.').waitFor();
    await take('statistics-empty');
    await window.closeEditors();
    await window.runCommand('Unstuck: Show Overview').catch(() => {});
    await window.runCommand('Welcome: Open Walkthrough...');
    await window.pick('Get started with Unstuck');
    await window.page.getByText('Read the evidence').first().waitFor();
    await take('walkthrough');
    for (const [step, title] of Object.entries({
      evidence: 'Read the evidence',
      connect: 'Connect an agent',
      tune: 'Tune the rules',
    })) {
      await window.page.locator('.getting-started-step', { hasText: title }).first().click();
      await take(`walkthrough-${step}`);
    }
  });
}

/** Ten agents of three folders and a silent one: list, overview, panels, evidence, rules; a history with its statistics. */
async function ten(/** @type {string} */ root) {
  const agents = writeTenAgents({ root });
  writeSilentAgent({ home: agents.home, cwd: join(root, 'dates'), now: Date.now() });
  await using(await open(root, { workspace: agents.workspace, home: agents.home }), async ({ window, host, take }) => {
    await window.openViewContainer('Unstuck');
    await window.row('Bump the base image').waitFor({ timeout: WAIT });
    agents.goOn();
    await until(async () => /1 needs you.*3 stuck/.test(await window.statusText('unstuck.status')));
    await sleep(2_000);
    await take('tree-toast');
    await window.runCommand('Notifications: Clear All Notifications');
    await take('tree');
    await window.row('Fix the import').hover();
    await sleep(1_500);
    await window.screenshot('../surfaces/tree-hover-hcl');
    await window.runCommand('Unstuck: Show Overview');
    await window.webview().locator('.row').nth(9).waitFor();
    await take('overview-10');
    await window.webview().getByRole('button', { name: 'By Folder' }).click();
    await take('overview-10-folders');
    await window.webview().getByRole('button', { name: 'By Need' }).click();
    await window.closeEditors();
    for (const [name, title] of Object.entries({
      stuck: 'Fix the import',
      'needs-you': 'Rename the billing',
      stalled: 'Publish the packages',
      healthy: 'Speed up the CSV',
    })) {
      await window.row(title).click();
      await window.webview().locator('h1', { hasText: title }).waitFor();
      await take(`panel-${name}`);
      await tall(window, () => take(`panel-${name}-whole`));
    }
    await window.row('Fix the import').click();
    await window.webview().locator('h1', { hasText: 'Fix the import' }).waitFor();
    await window
      .webview()
      .getByText(/^line \d+$/)
      .first()
      .click();
    await window.tab(/Line \d+, Claude Code/).waitFor();
    await window.page.locator('.editor-instance .view-lines', { hasText: 'Call:' }).last().waitFor();
    await take('transcript');
    await window.closeEditors();
    await window.row('Fix the import').click();
    await window.webview().getByRole('button', { name: 'Compare in Editor' }).click();
    await window.page.locator('.monaco-diff-editor').waitFor();
    await take('first-and-last');
    await window.closeEditors();
    await window.row('Fix the import').click();
    await window.webview().getByRole('button', { name: 'More Actions' }).click();
    await take('panel-menu');
    await window.webview().getByRole('menuitem', { name: 'Rules for This Agent…' }).click();
    await window.webview().getByRole('heading', { name: 'Rules for Claude Code' }).waitFor();
    await take('rules');
    await window.closeEditors();
    const runs = join(root, 'runs');
    fs.mkdirSync(runs);
    seedHistory(host.dir, runs, Date.now());
    await window.runCommand('Unstuck: Show Statistics');
    await window.webview().locator('dl.figures').waitFor();
    await until(async () => (await window.webview().getByText('m-small').count()) > 0);
    await tall(window, () => take('statistics'));
    await window.closeEditors();
    const folded = window.rows.and(window.page.locator('[aria-expanded="false"]'));
    await window.row(HISTORY_GROUP).waitFor();
    for (const row of await folded.filter({ hasText: HISTORY_GROUP }).all()) await row.click();
    await window.row('Fix m-small-0').click();
    await window.webview().getByRole('heading', { name: 'Fix m-small-0' }).waitFor();
    await tall(window, () => take('panel-past'));
  });
}

/** Two hundred agents. */
async function many(/** @type {string} */ root) {
  const agents = writeManyAgents({ root, agents: 200, steps: 300 });
  await using(await open(root, { workspace: agents.workspace, home: agents.home }), async ({ window, take }) => {
    await window.openViewContainer('Unstuck');
    await window.rows.nth(9).waitFor({ timeout: WAIT });
    // An agent that got stuck before it was read belongs to the past.
    await sleep(8_000);
    agents.getStuck();
    await until(async () => /6 needs? you.*9 stuck/.test(await window.statusText('unstuck.status')));
    await window.runCommand('Notifications: Clear All Notifications');
    await window.runCommand('Unstuck: Show Overview');
    await window.webview().locator('.row').nth(9).waitFor();
    await take('overview-200');
  });
}

/** The agent of the demo: stuck, the question of Connect, freed. */
async function demo(/** @type {string} */ root) {
  const played = createDemo({ root, speed: 0.7, only: ['interleaved'] });
  try {
    await using(await open(root, { workspace: played.workspace, home: played.home }), async ({ window, take }) => {
      await window.openViewContainer('Unstuck');
      await played.start();
      await window.toast('is stuck').first().waitFor({ timeout: WAIT });
      await window.toastButton('is stuck', 'Show Evidence').click();
      await window.webview().getByRole('button', { name: 'Connect and Nudge' }).waitFor();
      await take('panel-stuck-demo');
      await window.runCommand('Unstuck: Connect Agent…');
      await window.quickPickRow('Claude Code').click();
      await window.dialog.waitFor();
      await take('connect');
      await window.dialogButton('Connect').click();
      await window.toast('is connected').waitFor();
      await window.webview().getByRole('button', { name: 'Send Nudge' }).click();
      await until(
        async () =>
          (await window
            .webview()
            .getByText(/^Recovering/)
            .count()) > 0,
      );
      await window.runCommand('Notifications: Clear All Notifications');
      await take('panel-recovering');
      await until(
        async () =>
          (await window
            .webview()
            .getByText(/^Freed by your nudge/)
            .count()) > 0,
      );
      await window
        .webview()
        .locator('html')
        .evaluate((page) => page.ownerDocument.scrollingElement?.scrollTo(0, 0));
      await take('panel-freed');
      await tall(window, () => take('panel-freed-whole'));
      // The same incident from the history, while its session is still listed.
      await window.row(HISTORY_GROUP).waitFor();
      await window.rows.filter({ hasText: 'pytest -q' }).last().click();
      await window.webview().getByRole('button', { name: 'Show Current State' }).waitFor();
      await tall(window, () => take('panel-past-of-listed'));
      await window.webview().getByRole('button', { name: 'More Actions' }).click();
      await window.webview().getByRole('menuitem', { name: 'Run Quality Gates' }).click();
      await window.dialog.waitFor();
      await take('gates-question');
    });
  } finally {
    played.stop();
  }
}

/** A window, and the function that takes a picture of it in each theme. */
async function open(/** @type {string} */ root, /** @type {{ workspace: string, home: string }} */ place) {
  const theme = themes(root);
  const host = await startHost({
    vsix: [join(projectRoot, 'dist/unstuck.vsix'), theme.vsix],
    env: theme.env,
    viewport: { width: 1400, height: 900 },
    ...place,
  });
  const window = workbench(host.page);
  await extensionIsActive(host.dir);
  await theme.ready();
  const take = async (/** @type {string} */ name) => {
    for (const one of /** @type {(keyof typeof THEMES)[]} */ (Object.keys(THEMES))) {
      await theme.put(host.page, one);
      await sleep(DRAWN);
      await host.page.screenshot({ path: join(OUTPUT, `${name}-${one}.png`), animations: 'disabled', caret: 'hide' });
    }
    console.log(name);
  };
  return { host, window, take };
}

async function using(/** @type {Scene} */ scene, /** @type {(scene: Scene) => Promise<void>} */ run) {
  try {
    await run(scene);
  } catch (error) {
    console.error(`What it looked like: ${await scene.host.screenshot('surfaces-failed')}`);
    throw error;
  } finally {
    await scene.host.close();
  }
}

/** Runs it in a window that is high enough for a whole page. */
async function tall(/** @type {ReturnType<typeof workbench>} */ window, /** @type {() => Promise<void>} */ act) {
  await window.page.setViewportSize({ width: 1700, height: 1500 });
  await act();
  await window.page.setViewportSize({ width: 1400, height: 900 });
}

async function until(/** @type {() => Promise<boolean>} */ ask) {
  for (const end = Date.now() + WAIT; Date.now() < end; await sleep(200)) if (await ask()) return;
  throw new Error(`waited ${WAIT / 1000} s for a picture's moment; it did not come`);
}
