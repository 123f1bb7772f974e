/** Reads what the surfaces of a window say, as text: the tree with its groups, the status bar, toasts, the overview, a panel, live regions. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pagesIn } from './clock.mjs';

/** @typedef {import('../e2e/support/workbench.mjs').Workbench} Workbench */
/** @typedef {{ surface: string, task: string, text: string, group?: string }} Saying what one surface says about one agent */

const run = promisify(execFile);

/**
 * The rows of the view *Agents*, each with the lines below it.
 * @param {Workbench} window
 * @param {string} where the name of the window
 * @returns {Promise<Saying[]>}
 */
export async function rowsOf({ page }, where) {
  const rows = await page.evaluate(() => {
    const panes = [...document.querySelectorAll('.sidebar .pane')];
    const pane = panes.find((one) => one.querySelector('.pane-header .title')?.textContent?.trim() === 'Agents');
    const all = [...(pane?.querySelectorAll('.monaco-list-row') ?? [])].map((row) => ({
      index: Number(row.getAttribute('data-index')),
      level: Number(row.getAttribute('aria-level')),
      label: row.getAttribute('aria-label') ?? '',
      name: row.querySelector('.label-name')?.textContent ?? '',
      text: row.querySelector('.label-description')?.textContent ?? '',
    }));
    return all.sort((a, b) => a.index - b.index);
  });
  const sayings = [];
  let [group, task] = ['', ''];
  for (const { level, label, name, text } of rows) {
    if (level === 1 && /, \d+ agents?$/.test(label)) group = name;
    else if (/, (Claude Code|Codex)\b/.test(label)) {
      // If a person has to look, the age is before the title.
      const [, since = '', title = ''] = /^(?:(just now|[\dhdmin ]+) · )?(.*)$/.exec(name) ?? [];
      task = title;
      const place = group === '' ? {} : { group };
      sayings.push({ surface: `${where} row`, task, text: [since, text].filter(Boolean).join(' · '), ...place });
      sayings.push({ surface: `${where} row, spoken`, task, text: label, ...place });
    } else if (task !== '')
      sayings.push({ surface: `${where} line below the row`, task, text: `${name} ${text}`.trim() });
  }
  return sayings;
}

/** @param {Workbench} window @returns {Promise<string>} */
export async function statusOf({ statusItem }) {
  const item = statusItem('unstuck.status');
  if ((await item.count()) === 0) return '';
  const [text, label] = await Promise.all([item.innerText(), item.locator('a').first().getAttribute('aria-label')]);
  return `${text.trim()} | ${label ?? ''}`;
}

/**
 * The tooltip of a row or an item.
 * @param {Workbench} window
 * @param {import('playwright-core').Locator} target
 * @param {string} [task] part of the tooltip: a row that moved away under the pointer is hovered again
 */
export async function hoverOf({ page }, target, task = '') {
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const rest = async () => {
    await page.mouse.move(width / 2, height - 60);
    await page
      .locator('.monaco-hover:visible')
      .first()
      .waitFor({ state: 'hidden', timeout: 2_000 })
      .catch(() => {});
  };
  let text = '';
  // A tree closes its tooltip when it is redrawn.
  for (let tries = 0; (text === '' || !text.includes(task)) && tries < 3; tries++) {
    await rest();
    await target.hover();
    const hover = page.locator('.monaco-hover:visible').filter({ hasNotText: 'Loading...' }).first();
    text = await hover.innerText({ timeout: 3_000 }).catch(() => '');
  }
  await rest();
  return text.replaceAll(/\s+/g, ' ').trim();
}

/**
 * Every page of Unstuck in the editors of a window: its heading, rows, state and first sentence, and what a screen reader announces.
 * @param {import('playwright-core').Page} page
 */
export async function pagesOf(page) {
  const found = [];
  for (const frame of pagesIn(page)) {
    const one = await frame
      .evaluate(() => {
        const text = (/** @type {string} */ selector) =>
          document.querySelector(selector)?.innerText.replaceAll(/\s+/g, ' ').trim() ?? '';
        const heading = text('h1');
        if (heading === '' || innerHeight === 0) return null;
        return {
          heading,
          live: [...document.querySelectorAll('[aria-live]')].map((one) => one.textContent ?? '').filter(Boolean),
          rows: [...document.querySelectorAll('.list .row')].map((row) => ({
            label: row.getAttribute('aria-label') ?? '',
            text: /** @type {HTMLElement} */ (row).innerText.replaceAll(/\s+/g, ' ').trim(),
          })),
          pill: text('.pill'),
          lead: text('.lead'),
          whole: text('body'),
        };
      })
      .catch(() => null);
    if (one) found.push(one);
  }
  return found;
}

/** The rows of the view *Incidents*. */
export const incidentsOf = (/** @type {Workbench} */ { page }) =>
  page.evaluate(() => {
    const panes = [...document.querySelectorAll('.sidebar .pane')];
    const pane = panes.find((one) => one.querySelector('.pane-header .title')?.textContent?.trim() === 'Incidents');
    const rows = [...(pane?.querySelectorAll('.monaco-list-row') ?? [])];
    return rows.map((row) => row.getAttribute('aria-label') ?? '');
  });

/**
 * Returns what the command line says about each transcript.
 * @param {{ cli: string, home: string, workspace: string, env: NodeJS.ProcessEnv, clock: { now: () => number } }} stage
 * @returns {Promise<any[]>}
 */
export async function scanOf({ cli, home, workspace, env, clock }) {
  const folders = [`${home}/.claude/projects`, `${home}/.codex/sessions`];
  const words = ['scan', ...folders, '--json', '--now', new Date(clock.now()).toISOString()];
  const { stdout } = await run(process.execPath, [cli, ...words], { cwd: workspace, maxBuffer: 1e8, env });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
