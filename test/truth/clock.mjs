/** The clock of a scene. It stands still until it is advanced, and a file passes the time to every process that follows it. */
import fs from 'node:fs';
import { join } from 'node:path';

const MINUTE = 60_000;

/** @param {string} folder that contains the file */
export function createClock(folder) {
  const file = join(folder, 'clock');
  // Starts at a full minute, because limits are shown to the minute.
  const start = MINUTE * Math.ceil(Date.now() / MINUTE);
  let time = start;
  const moveTo = (/** @type {number} */ to) => {
    time = to;
    fs.writeFileSync(`${file}.part`, String(time));
    fs.renameSync(`${file}.part`, file);
  };
  moveTo(start);
  return {
    start,
    now: () => time,
    moveTo,
    /** Environment for a Node program that follows the clock. */
    env: { UNSTUCK_TEST_CLOCK: file, NODE_OPTIONS: `--require ${join(import.meta.dirname, 'helper/clock.cjs')}` },
  };
}

/** Prepares the pages of a window for `setPages`. */
export async function preparePages(/** @type {import('playwright-core').Page} */ page) {
  await page.context().addInitScript(() => {
    // The workbench needs no other clock: ages are drawn in the pages of the extension.
    if (globalThis === globalThis.top) return;
    const Real = Date;
    const pageClock = /** @type {{ time?: number }} */ (globalThis);
    const now = () => pageClock.time ?? Real.now();
    globalThis.Date = /** @type {any} */ (
      class extends Real {
        constructor(/** @type {any[]} */ ...args) {
          if (args.length === 0) super(now());
          else super(.../** @type {[number]} */ (args));
        }
        static now() {
          return now();
        }
      }
    );
  });
}

/** The documents of webviews: the frames within the frames that VS Code makes for them. */
export const pagesIn = (/** @type {import('playwright-core').Page} */ page) =>
  page.frames().filter((frame) => frame.url().includes('fake.html'));

/** Sets the clock of the pages that are opened from now on. They read it before anything else can set it. */
export const startPagesAt = (/** @type {import('playwright-core').Page} */ page, /** @type {number} */ time) =>
  page.context().addInitScript((to) => {
    // All scripts that were added run, in no particular order.
    const pageClock = /** @type {{ time?: number }} */ (globalThis);
    pageClock.time = Math.max(pageClock.time ?? 0, to);
  }, time);

/** Sets the clock of all pages of the extension in a window. */
export async function setPages(/** @type {import('playwright-core').Page} */ page, /** @type {number} */ time) {
  for (const frame of pagesIn(page))
    await frame.evaluate((to) => void (/** @type {any} */ ((globalThis.time = to))), time).catch(() => {});
}
