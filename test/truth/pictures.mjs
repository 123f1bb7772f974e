#!/usr/bin/env node
/**
 * `node test/truth/pictures.mjs`: the scene in its ninth minute, when its ten agents are in nearly as many situations, as a person sees it: list and
 * overview with a side bar of 300 and of 550 pixels and in a window of 13 inches, in the four kinds of theme, and the panel of each agent. `panels`
 * takes only the panels. `freed` plays the seven agents of freed.mjs instead, with their panels at two widths, and opens the hook that holds one of
 * them. The pictures go to test-output/situations, for people to look at. Needs dist/unstuck.vsix (`npm run package`).
 */
import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { THEMES, themes } from '../e2e/support/themes.mjs';
import { projectRoot } from '../support/vscode-host.mjs';
import { setPages, startPagesAt } from './clock.mjs';
import { createFreedScene, FREED } from './freed.mjs';
import { createScene } from './scene.mjs';
import { openStageOf } from './stage.mjs';
import { TRUTH } from './truth.mjs';

const OUTPUT = join(projectRoot, 'test-output/situations');
const DRAWN = 1_200;
const SIZES = {
  300: { width: 1600, height: 1000, sideBar: 300 },
  550: { width: 1600, height: 1000, sideBar: 550 },
  '13-inch': { width: 1280, height: 720, sideBar: 300 },
};

/** The agents by name, and the minute in which all of them are in their situations. */
const freed = process.argv.includes('freed');
const minute = freed ? 4.5 : 8.5;
const tasks = freed ? FREED : Object.fromEntries(Object.entries(TRUTH).map(([name, { task }]) => [name, task]));

fs.mkdirSync(OUTPUT, { recursive: true });
/** @type {ReturnType<typeof themes> | undefined} */
let theme;
const stage = await openStageOf((root) => (theme = themes(root)), freed ? createFreedScene : createScene);
const { clock, host, window } = stage;
try {
  await theme?.ready();
  await window.runCommand('Unstuck: Show Overview');
  const to = clock.start + minute * 60_000;
  await stage.playTo(to);
  await startPagesAt(host.page, to);
  await sleep(4_000);
  await take('toasts');
  await window.runCommand('Notifications: Clear All Notifications');
  for (const [name, size] of process.argv.includes('panels') ? [] : Object.entries(SIZES)) {
    await host.page.setViewportSize({ width: size.width, height: size.height });
    await widen(size.sideBar);
    for (const one of /** @type {(keyof typeof THEMES)[]} */ (Object.keys(THEMES))) {
      await theme?.put(host.page, one);
      await take(`${freed ? 'freed' : 'list'}-overview-${name}-${one}`);
    }
  }
  // High enough for all rows, and for most of a panel.
  await host.page.setViewportSize({ width: 1600, height: 1500 });
  await widen(300);
  await theme?.put(host.page, 'dark');
  for (const [name, task] of Object.entries(tasks)) {
    await window.row(task).click();
    await window.webview().locator('h1', { hasText: task }).waitFor();
    await take(`panel-${name}`);
    if (!freed) continue;
    await host.page.setViewportSize({ width: 720, height: 1100 });
    await take(`panel-${name}-narrow`);
    await host.page.setViewportSize({ width: 1600, height: 1500 });
  }
  if (freed) await clicks();
} finally {
  await stage.close();
}

/** Clicks *Open Hook*, which leads to the line of the hook, and *Look There*, which leads to the folder in which an agent keeps its files. */
async function clicks() {
  await window.row(FREED.hook).click();
  await window.webview().locator('h1', { hasText: FREED.hook }).waitFor();
  await window.webview().getByRole('button', { name: 'More Actions' }).click();
  await take('hook-menu');
  await window.webview().getByRole('menuitem', { name: 'Open Hook' }).click();
  await window.tab('settings.json').waitFor();
  await take('hook-opened');
  await window.row('Look for Copilot CLI').click();
  await host.page.getByRole('button', { name: 'Look There' }).first().waitFor();
  await take('look-there');
  await host.page.getByRole('button', { name: 'Look There' }).first().click();
  await window.toast('Reload this window').waitFor();
  await take('looked-there');
}

async function take(/** @type {string} */ name) {
  await setPages(host.page, clock.now());
  await sleep(DRAWN);
  await host.page.screenshot({ path: join(OUTPUT, `${name}.png`), animations: 'disabled', caret: 'hide' });
  console.log(name);
}

/** Gives the side bar a width, as a person drags its edge. */
async function widen(/** @type {number} */ width) {
  const bar = await host.page.locator('.part.sidebar').boundingBox();
  if (!bar) throw new Error('there is no side bar');
  await host.page.mouse.move(bar.x + bar.width, bar.y + 300);
  await host.page.mouse.down();
  await host.page.mouse.move(bar.x + width, bar.y + 300, { steps: 5 });
  await host.page.mouse.up();
}
