/**
 * The possible actions for an agent found by each of the rules, read from the panel and the menus of a real VS Code: one session per rule, written
 * as its agent writes it. The table is in test-output/rules.md, and a picture of each in test-output/screenshots.
 */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DETECTOR_IDS } from '../../src/core/model';
import { cardOf } from '../../src/core/rules';
import { extensionIsActive } from '../support/demo.mjs';
import { FORMATS } from '../unit/detect/support/formats';
import { SCENES, prompt, say } from '../unit/detect/support/scenes';
import { useVSCode } from './support/session.mjs';

const soon = { timeout: 120_000 };
/** Rules that only hint open no incident, so there is nothing to act on. */
const RULES = DETECTOR_IDS.filter((id) => cardOf(id).hints !== 'all');

/**
 * The first entry of *Recover* if it is not a nudge, as docs/recovery.md says: a silent agent reads no message, and while an agent waits for the
 * service there is nothing to do.
 */
const RECOMMENDED = { stall: ['Recommended: Restart with Feedback'], rate_limited: [] };

/** Each of them is an entry of the menu, and one that is not possible says why. */
const ACTIONS = [
  /^(?:Recommended: )?Restart with Feedback$/,
  /^Fork with Feedback$/,
  /^(?:Recommended: )?Restart with Fresh Context$/,
  /^(?:Recommended: )?Restart with (?:Next Model|sonnet|opus)$/,
  /^(?:Recommended: )?Restart with (?:(?:opus, )?More Thinking|Top Model)/,
  /^Suggest a Smaller Step$/,
  /^Block This Call Once$/,
  /^Reassign to Another Agent…$/,
  /^I’ll Take Over$/,
  /^Stop Agent…$/,
];

/** Records of a rule's scene, which ended just now, in its own session. @returns {{ path: string, text: string }} */
function sessionOf(rule, index, root, home) {
  const wanted = rule === 'gate_blocked' ? 'generic' : 'claude-code';
  const format = FORMATS.find(({ name }) => name === wanted);
  const records = format.records([prompt(titleOf(index)), ...actsOf(rule)]);
  const times = records.map((record) => Date.parse(record.timestamp ?? record.t));
  const shift = Date.now() - (rule === 'stall' ? 25 * 60_000 : 1_000) - Math.max(...times);
  const id = `00000000-0000-4000-8000-0000000000${String(index).padStart(2, '0')}`;
  const text = records
    .map((record, at) => {
      const t = new Date(times[at] + shift).toISOString();
      const line = 'timestamp' in record ? { ...record, timestamp: t } : { ...record, t };
      return JSON.stringify(line)
        .replaceAll('/home/dev/project', root)
        .replaceAll('11111111-0000-4000-8000-0000000000aa', id);
    })
    .join('\n');
  const folder = join(home, '.claude/projects', root.replace(/[^A-Za-z0-9]/g, '-'));
  const path = wanted === 'generic' ? join(root, `${id}.agent.jsonl`) : join(folder, `${id}.jsonl`);
  return { path, text: `${text}\n` };
}

/** The scene as it is when the window opens. */
function actsOf(rule) {
  const acts = SCENES[rule]('price');
  // Its silence continues: nothing comes after the prompt.
  if (rule === 'stall') return acts.slice(0, -2);
  return rule === 'oversized_response' ? [...acts, say('I see.')] : acts;
}

const titleOf = (index) => `R${String(index).padStart(2, '0')} task`;

/** All names under which a rule may report. */
function namesOf(rule) {
  const { words, rules = {} } = cardOf(rule);
  return [words.name, ...Object.values(rules).flatMap((one) => one?.words.name ?? [])];
}

describe('Every rule in panel and menus', () => {
  const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'unstuck-rules-')));
  const home = join(root, 'home');
  const workspace = join(root, 'work');
  const session = useVSCode(() => {
    fs.mkdirSync(workspace);
    for (const [index, rule] of RULES.entries()) {
      const { path, text } = sessionOf(rule, index, workspace, home);
      fs.mkdirSync(join(path, '..'), { recursive: true });
      fs.writeFileSync(path, text);
    }
    return { workspace, home, settings: { 'workbench.colorTheme': 'Default Dark Modern' } };
  });
  const table = [];
  afterAll(() => {
    fs.mkdirSync('test-output', { recursive: true });
    fs.writeFileSync('test-output/rules.md', `${table.join('\n')}\n`);
    fs.rmSync(root, { recursive: true, force: true });
  });

  it('finds an agent with each of them', async () => {
    const { window } = session;
    await extensionIsActive(session.host.dir);
    await window.page.setViewportSize({ width: 1500, height: 1800 });
    await window.openViewContainer('Unstuck');
    for (const index of RULES.keys()) await window.row(titleOf(index)).waitFor(soon);
  });

  /** Opens the incident of a rule from the list of incidents. The panel names the rule. */
  async function open(rule, index) {
    const { window } = session;
    const rows = window.rows.filter({ hasText: titleOf(index) });
    const names = namesOf(rule);
    // The agent's own row comes first, and shows its gravest incident.
    for (let at = 0; at < (await rows.count()); at++) {
      await rows.nth(at).click();
      const panel = window.webview();
      await panel.getByRole('heading', { name: titleOf(index) }).waitFor(soon);
      // A rule of context adds to the incident of the same steps, which is reported by the rule of those steps.
      if (cardOf(rule).ofContext) return rows.nth(at);
      const named = names.map((name) => panel.getByText(name, { exact: true }));
      const shown = named.slice(1).reduce((one, other) => one.or(other), named[0]);
      // The page of another incident of the same session has the same title, so it may take a moment until this one is shown.
      const found = await shown
        .first()
        .waitFor({ timeout: 5_000 })
        .then(
          () => true,
          () => false,
        );
      if (found) return rows.nth(at);
    }
    throw new Error(`no incident of ${rule} is listed`);
  }

  it.each(RULES.map((rule, index) => [rule, index]))('%s can be acted on', async (rule, index) => {
    const { window } = session;
    const row = await open(rule, index);
    const panel = window.webview();
    await panel.getByRole('button', { name: 'Recover' }).first().click();
    const items = panel.getByRole('menuitem');
    await items.first().waitFor();
    const entries = await items.evaluateAll((all) =>
      all.map((item) => ({
        name: item.querySelector('.command')?.textContent?.trim() ?? item.textContent?.trim() ?? '',
        off: item.getAttribute('aria-disabled') === 'true',
        all: item.textContent?.trim() ?? '',
      })),
    );
    await window.screenshot(`rules-${rule}`);
    await window.page.keyboard.press('Escape');
    for (const action of ACTIONS)
      expect(
        entries.map(({ name }) => name).some((name) => action.test(name)),
        `${action} of ${rule}`,
      ).toBe(true);
    for (const { name, off, all } of entries)
      if (off) expect(all.length, `why ${name} is off`).toBeGreaterThan(name.length + 8);
    const recommended = entries.filter(({ name }) => name.startsWith('Recommended: '));
    expect(recommended.filter(({ off }) => !off).map(({ name }) => name)).toEqual(
      RECOMMENDED[rule] ?? ['Recommended: Nudge'],
    );
    if (recommended.length > 0) expect(entries[0]?.name).toBe(recommended[0]?.name);
    await panel.getByRole('button', { name: 'Nudge' }).first().waitFor();

    await row.click({ button: 'right' });
    const menu = window.page.locator('.context-view .monaco-menu .action-menu-item .action-label');
    await menu.first().waitFor();
    const own = await menu.allInnerTexts();
    await window.page.keyboard.press('Escape');
    expect(own).toEqual(expect.arrayContaining(['Open Transcript', 'Share…']));
    const can = entries.filter(({ off }) => !off).map(({ name }) => name);
    const not = entries.filter(({ off }) => off).map(({ name, all }) => `${name}: ${all.slice(name.length)}`);
    table.push(`| ${rule} | ${can.join(', ')} | ${not.join('; ')} | ${own.join(', ')} |`);
  });
});
