#!/usr/bin/env node
/**
 * `npm run pictures`: takes the pictures of README.md (dark) and of the walkthrough (dark and light; README.md shows two of them) from the real
 * program, in the real VS Code, with the agents of the demo. Needs dist/unstuck.vsix and dist/replay.js (`npm run package`). Run it when what they
 * show has changed, and look at the result.
 */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeTenAgents } from './support/ten-agents.mjs';
import { workbench } from './support/workbench.mjs';
import { createDemo, extensionIsActive } from '../support/demo.mjs';
import { startHost } from '../support/host.mjs';
import { projectRoot } from '../support/vscode-host.mjs';

const THEMES = { dark: 'Default Dark Modern', light: 'Default Light Modern' };
const WALKTHROUGH = join(projectRoot, 'media/walkthrough');
const README = join(projectRoot, 'docs/pictures');
const VSIX = join(projectRoot, 'dist/unstuck.vsix');
/** Largest width at which a walkthrough shows its picture, CSS pixels. A larger one would only make the package larger. */
const WINDOW = { width: 1000, height: 640 };
/** Wide enough for what each agent does. */
const WIDE = { width: 1400, height: 640 };
/** Toasts fade in, and the canvas is drawn in the next frame, milliseconds. */
const DRAWN = 900;
const WAIT = 180_000;
/** Text reads as in the screenshot. */
const QUALITY = 0.7;
/** A place where the mouse triggers nothing: the empty part of the side bar. */
const NOWHERE = [150, 500];

/** Pictures taken, as PNG: another page in front would close the notifications. @type {{ file: string, png: Buffer }[]} */
const taken = [];

for (const folder of [WALKTHROUGH, README]) fs.mkdirSync(folder, { recursive: true });
await overviewPicture();
for (const [name, theme] of Object.entries(THEMES)) await demoPictures(name, theme);

/** One agent of the demo from stuck to freed. In the light theme only up to the question of Connect, which is as far as the walkthrough goes. */
async function demoPictures(/** @type {string} */ name, /** @type {string} */ theme) {
  await inFolder(async (root) => {
    const demo = createDemo({ root, speed: 1, only: ['interleaved', 'healthy'] });
    const settings = { 'workbench.colorTheme': theme };
    const host = await startHost({
      vsix: VSIX,
      workspace: demo.workspace,
      home: demo.home,
      settings,
      viewport: WINDOW,
    });
    try {
      const window = workbench(host.page);
      const toast = async (/** @type {string} */ text) => {
        await window.toast(text).first().waitFor({ timeout: WAIT });
        await sleep(DRAWN);
      };
      await extensionIsActive(host.dir);
      await window.openViewContainer('Unstuck');
      await demo.start();
      await toast('is stuck');
      await take(host.page, join(WALKTHROUGH, `replay-${name}.webp`));

      await window.toastButton('is stuck', 'Show Evidence').click();
      await window.webview().getByRole('button', { name: 'Connect and Nudge' }).waitFor({ timeout: WAIT });
      await sleep(DRAWN);
      await take(host.page, join(WALKTHROUGH, `evidence-${name}.webp`));

      await window.runCommand('Unstuck: Connect Agent…');
      await window.quickPickRow('Claude Code').first().click();
      await window.dialog.waitFor();
      await take(host.page, join(WALKTHROUGH, `connect-${name}.webp`));
      // Only README.md shows the nudge and its effect.
      if (name === 'light') return await write(host.page);
      await window.dialogButton('Connect').click();
      await toast('is connected');
      await window.webview().getByRole('button', { name: 'Send Nudge' }).click();
      await until(
        async () =>
          (await window
            .webview()
            .getByText(/seen in its transcript/)
            .count()) > 0,
      );
      await window.runCommand('Notifications: Clear All Notifications');
      await sleep(DRAWN);
      await take(host.page, join(README, 'nudge.webp'));
      await until(
        async () =>
          (await window
            .webview()
            .getByText(/^Freed by your nudge/)
            .count()) > 0,
      );
      const top = window.webview().locator('html');
      await top.evaluate((page) => page.ownerDocument.scrollingElement?.scrollTo(0, 0));
      await sleep(DRAWN);
      // A row changes its group 3 s after its state.
      await window.row(/^Stuck/).waitFor({ state: 'detached' });
      await take(host.page, join(README, 'freed.webp'));
      await write(host.page);
    } catch (error) {
      console.error(`What it looked like: ${await host.screenshot('pictures-failed')}`);
      throw error;
    } finally {
      demo.stop();
      await host.close();
    }
  });
}

/** Ten agents of three folders, one of which asks and three of which are stuck. */
async function overviewPicture() {
  await inFolder(async (root) => {
    const ten = writeTenAgents({ root });
    const settings = { 'workbench.colorTheme': THEMES.dark };
    const host = await startHost({ vsix: VSIX, workspace: ten.workspace, home: ten.home, settings, viewport: WIDE });
    try {
      const window = workbench(host.page);
      await extensionIsActive(host.dir);
      await window.openViewContainer('Unstuck');
      await window.row('Bump the base image').waitFor({ timeout: WAIT });
      ten.goOn();
      await window.runCommand('Unstuck: Show Overview');
      await window.webview().getByText('Fix the flaky checkout test').first().waitFor({ timeout: WAIT });
      await until(async () => /1 needs you.*3 stuck/.test(await window.statusText('unstuck.status')));
      await window.runCommand('Notifications: Clear All Notifications');
      await sleep(DRAWN);
      await take(host.page, join(README, 'overview.webp'));
      await write(host.page);
    } finally {
      await host.close();
    }
  });
}

async function take(/** @type {import('playwright-core').Page} */ page, /** @type {string} */ file) {
  await page.mouse.move(NOWHERE[0], NOWHERE[1]);
  await sleep(DRAWN);
  taken.push({ file, png: await page.screenshot() });
}

/** Writes the pictures as WebP, a fifth of the size of a PNG. The browser that took them converts them. */
async function write(/** @type {import('playwright-core').Page} */ page) {
  const other = await page.context().newPage();
  for (const { file, png } of taken.splice(0)) {
    const url = await other.evaluate(
      async ({ data, quality }) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const canvas = document.createElement('canvas');
        Object.assign(canvas, { width: image.width, height: image.height });
        canvas.getContext('2d')?.drawImage(image, 0, 0);
        return canvas.toDataURL('image/webp', quality);
      },
      { data: png.toString('base64'), quality: QUALITY },
    );
    fs.writeFileSync(file, Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
    console.log(`${file.slice(projectRoot.length + 1)}: ${fs.statSync(file).size} bytes`);
  }
}

async function until(/** @type {() => Promise<boolean>} */ ask) {
  for (const end = Date.now() + WAIT; Date.now() < end; await sleep(200)) if (await ask()) return;
  throw new Error(`waited ${WAIT / 1000} s for a picture's moment; it did not come`);
}

async function inFolder(/** @type {(root: string) => Promise<void>} */ run) {
  const root = fs.mkdtempSync(join(tmpdir(), 'demo-'));
  try {
    await run(root);
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}
