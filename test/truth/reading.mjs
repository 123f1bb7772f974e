/** Reads all surfaces at one moment. */
import { setPages } from './clock.mjs';
import { hoverOf, incidentsOf, pagesOf, rowsOf, scanOf, statusOf } from './surfaces.mjs';
import { TRUTH, truthAt } from './truth.mjs';

/** @typedef {import('./surfaces.mjs').Saying} Saying */
/** @typedef {{ where: string, window: import('../e2e/support/workbench.mjs').Workbench }} Open */

/**
 * @typedef {object} Reading
 * @property {number} minute
 * @property {number} at milliseconds since the epoch
 * @property {Saying[]} sayings
 * @property {{ where: string, text: string }[]} status
 * @property {{ where: string, text: string }[]} toasts that came since the previous minute
 * @property {string[]} incidents of the history, as the window lists them
 * @property {Record<string, { stuck: boolean }>} api
 * @property {any[]} scan
 * @property {any[]} watch output of `unstuck watch` since the previous minute
 * @property {any[]} machines what another machine knows
 */

const NAMES = Object.keys(TRUTH);
const taskOf = (/** @type {string} */ name) => TRUTH[name]?.task ?? '';

/** The agents whose truth has just changed, and one more: reading tooltip and panel takes a second. */
export const lookedAt = (/** @type {number} */ minute) => [
  ...new Set([...NAMES.filter((name) => minute - truthAt(name, minute).from <= 1), NAMES[minute % NAMES.length] ?? '']),
];

/**
 * @param {import('./stage.mjs').Stage} stage
 * @param {number} minute
 * @param {Open[]} windows the first one is read with tooltips, panels and the overview
 * @param {{ where: string, text: string }[]} toasts
 * @returns {Promise<Reading>}
 */
export async function read(stage, minute, windows, toasts) {
  const { window, clock, scene, machines, watched } = stage;
  const sayings = [];
  for (const { where, window: one } of windows) sayings.push(...(await rowsOf(one, where)));
  for (const name of lookedAt(minute)) sayings.push(...(await lookAt(stage, taskOf(name))));
  sayings.push(...(await overview(stage)));
  const status = [];
  for (const { where, window: one } of windows) status.push({ where, text: await statusOf(one) });
  status.push({ where: 'tooltip of the', text: await hoverOf(window, window.statusItem('unstuck.status')) });
  const bySession = Object.fromEntries(Object.entries(scene.agents).map(([name, { session }]) => [session, name]));
  const named = (/** @type {any[]} */ records) => records.map((one) => ({ ...one, name: bySession[one.session] }));
  const api = await stage.askApi(Object.keys(bySession));
  return {
    minute,
    at: clock.now(),
    sayings,
    status,
    toasts,
    incidents: await incidentsOf(window),
    scan: named(await scanOf(stage)),
    watch: named(watched.taken()),
    machines: named(machines.said()),
    api: Object.fromEntries(Object.entries(api).map(([session, said]) => [bySession[session], said])),
  };
}

/** The tooltip and the panel of one agent. */
async function lookAt(/** @type {import('./stage.mjs').Stage} */ { window, clock }, /** @type {string} */ task) {
  const row = window.page.locator(`.sidebar .monaco-list-row[aria-label^="${task}, "]`).first();
  /** @type {Saying[]} */
  const sayings = [{ surface: 'tooltip', task, text: await hoverOf(window, row, task) }];
  await row.click();
  for (let tries = 0; tries < 60; tries++) {
    await window.page.waitForTimeout(150);
    await setPages(window.page, clock.now());
    const panel = (await pagesOf(window.page)).find(({ heading, pill }) => heading === task && pill !== '');
    if (!panel) continue;
    sayings.push(
      { surface: 'panel, pill', task, text: panel.pill },
      { surface: 'panel, lead', task, text: panel.lead },
    );
    sayings.push({ surface: 'panel', task, text: panel.whole });
    return [...sayings, ...panel.live.map((text) => ({ surface: 'panel, live region', task, text }))];
  }
  return sayings;
}

async function overview(/** @type {import('./stage.mjs').Stage} */ { window, clock }) {
  await window.tab('Agents').first().click();
  await setPages(window.page, clock.now());
  // The overview draws its ages once a second.
  await window.page.waitForTimeout(1_200);
  const page = (await pagesOf(window.page)).find(({ heading }) => heading === 'Agents');
  /** @type {Saying[]} */
  const sayings = [];
  for (const { label, text } of page?.rows ?? []) {
    const task = NAMES.map(taskOf).find((one) => text.includes(one)) ?? '';
    sayings.push({ surface: 'overview', task, text }, { surface: 'overview, spoken', task, text: label });
  }
  return [...sayings, ...(page?.live ?? []).map((text) => ({ surface: 'overview, live region', task: '', text }))];
}
