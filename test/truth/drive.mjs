/** Plays the scene minute by minute, and reads all surfaces at each full minute. */
import { setTimeout as sleep } from 'node:timers/promises';
import { workbench } from '../e2e/support/workbench.mjs';
import { startPagesAt } from './clock.mjs';
import { read } from './reading.mjs';
import { openStage, PATIENCE } from './stage.mjs';
import { rowsOf, statusOf } from './surfaces.mjs';
import { MINUTES, TRUTH } from './truth.mjs';

/** Surfaces are read when they have not changed for this long, milliseconds. */
const QUIET = 700;
/** The window is reloaded half a minute after these minutes, between the events. */
const RELOADS = [6, 11, 15, 21, 25];
const SECOND_WINDOW = { from: 9, to: 20 };

/** @returns {Promise<import('./reading.mjs').Reading[]>} */
export async function play(/** @type {(reading: import('./reading.mjs').Reading) => void} */ onMinute) {
  const stage = await openStage();
  const { clock, host, window } = stage;
  /** @type {import('./reading.mjs').Open | null} */
  let second = null;
  /** @type {{ where: string, text: string }[]} */
  let toasts = [];
  const seen = new Set();
  const windows = () => [{ where: 'first', window }, ...(second ? [second] : [])];
  const lookForToasts = async () => {
    for (const { where, window: one } of windows())
      for (const text of await one.toastTexts().catch(() => [])) {
        if (seen.has(`${where} ${text}`)) continue;
        seen.add(`${where} ${text}`);
        toasts.push({ where, text });
      }
  };
  const playTo = (/** @type {number} */ to) => stage.playTo(to, lookForToasts, () => (second ? [second.window] : []));
  const settled = async () => {
    for (let before = ''; ; ) {
      const said = [];
      for (const { where, window: one } of windows()) said.push(await rowsOf(one, where), await statusOf(one));
      const text = JSON.stringify(said);
      if (text === before) return;
      before = text;
      await sleep(QUIET);
    }
  };
  /** @type {import('./reading.mjs').Reading[]} */
  const readings = [];
  try {
    await window.runCommand('Unstuck: Show Overview');
    for (let minute = 1; minute <= MINUTES; minute++) {
      const due = clock.start + minute * 60_000;
      if (RELOADS.includes(minute - 1)) {
        await playTo(due - 30_000);
        await startPagesAt(window.page, clock.now());
        await host.reload(window.page);
        // View and overview come back on their own.
        await window.row(TRUTH['long']?.task ?? '').waitFor();
      }
      if (minute === SECOND_WINDOW.from) {
        second = { where: 'second', window: workbench(await host.openWindow()) };
        second.window.page.setDefaultTimeout(PATIENCE);
        await second.window.openViewContainer('Unstuck');
        await second.window.row(TRUTH['long']?.task ?? '').waitFor();
      }
      if (minute === SECOND_WINDOW.to) {
        await second?.window.page.close();
        second = null;
      }
      await playTo(due);
      await startPagesAt(window.page, due);
      await settled();
      await lookForToasts();
      const reading = await read(stage, minute, windows(), toasts);
      toasts = [];
      readings.push(reading);
      onMinute(reading);
    }
    return readings;
  } catch (error) {
    console.error(`What it looked like: ${await host.screenshot('truth-failed').catch(() => 'no picture')}`);
    throw error;
  } finally {
    await stage.close();
  }
}
