/**
 * Names that others choose, in a real VS Code: of agents, tasks, commands, files, folders and branches, and git's messages about them. VS Code makes
 * links of `[words](command:…)` in a notification, and one click on such a link runs a program. Here none may become a link, and each must be shown
 * as it is written. Pictures of the stages are in test-output/screenshots.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { extensionIsActive } from '../support/demo.mjs';
import { useVSCode } from './support/session.mjs';

const soon = { timeout: 60_000 };

describe('Names that others choose', () => {
  const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-e2e-'));
  const workspace = join(root, 'project');
  const made = join(workspace, 'PWNED');
  const terminal = { config: { executable: '/bin/sh', args: ['-c', 'touch PWNED'], cwd: workspace } };
  const link = (/** @type {string} */ words, options = terminal) =>
    `[${words}](command:workbench.action.terminal.new?${encodeURIComponent(JSON.stringify(options))})`;
  const rest = '$(error) https://evil.example/a <b>bold</b> *stars* \u202etxt.exe';
  const branch = 'fix-$(error)-www.evil.example';
  // Names of files have at most 255 bytes.
  const file = link('Keep it', { config: { executable: '/bin/sh', args: ['-c', 'touch PWNED'] } });
  const folder = join(workspace, '[Open](command:workbench.action.closeWindow) $(error)');
  const session = useVSCode(() => {
    fs.mkdirSync(folder, { recursive: true });
    const git = (/** @type {string[]} */ ...args) => execFileSync('git', args, { cwd: workspace });
    git('init', '-q', '-b', branch);
    fs.writeFileSync(join(workspace, '.gitignore'), '*.agent.jsonl\n');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@b.example', 'commit', '-qm', `${link('The last commit')} ${rest}`);
    fs.writeFileSync(join(workspace, file), 'untracked');
    return { workspace, settings: { 'workbench.colorTheme': 'Default Dark Modern' } };
  });

  /** An agent that runs the same command over and over. */
  const write = (/** @type {string} */ name, /** @type {string} */ cwd) => {
    const at = (/** @type {number} */ step) => new Date(Date.now() - (40 - step) * 5_000).toISOString();
    const lines = [
      { t: at(0), type: 'session_start', agent: link(`Show the terminal of ${name}`), cwd, model: rest },
      { t: at(1), type: 'user', text: `${link('Fix it')} ${rest}` },
      ...Array.from({ length: 12 }, (_, step) => [
        {
          t: at(2 + 2 * step),
          type: 'tool_call',
          id: `${step}`,
          name: 'shell',
          args: { command: `${link('Run')} ${rest}` },
        },
        { t: at(3 + 2 * step), type: 'tool_result', id: `${step}`, output: '1 failed', isError: true, exitCode: 1 },
      ]).flat(),
    ];
    const text = lines.map((line) => `${JSON.stringify({ v: 1, session: name, ...line })}\n`).join('');
    fs.writeFileSync(join(workspace, `${name}.agent.jsonl`), text);
  };

  /** Clicks a link that runs a command, as a person might, and returns what happened. */
  const tried = async (/** @type {import('playwright-core').Locator} */ element) => {
    fs.rmSync(made, { force: true });
    await element.first().waitFor();
    const links = element.locator('a[href], a[data-href]');
    const texts = await links.allInnerTexts();
    const icons = await element.locator('.codicon-error').count();
    const runs = element.locator('a[href^="command:"], a[data-href^="command:"]').first();
    if ((await runs.count()) > 0) {
      await runs.click();
      await expect
        .poll(() => fs.existsSync(made), { timeout: 15_000 })
        .toBe(true)
        .catch(() => {});
    }
    return { links: texts, icons, ran: fs.existsSync(made) };
  };
  /** Lets the pointer rest on an element until its tooltip appears: VS Code closes a tooltip when it redraws the row. */
  const pointAt = (
    /** @type {import('playwright-core').Locator} */ element,
    /** @type {import('playwright-core').Locator} */ tooltip,
  ) =>
    expect
      .poll(async () => {
        await session.window.page.mouse.move(700, 300);
        await element.hover();
        return tooltip
          .first()
          .waitFor({ timeout: 5_000 })
          .then(
            () => 'shown',
            () => 'not shown',
          );
      }, soon)
      .toBe('shown');
  const nothing = { links: [], icons: 0, ran: false };
  const picture = async (/** @type {string} */ stage) => {
    await session.window.page.waitForTimeout(600);
    await session.window.screenshot(`words-${stage}`);
  };

  afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

  it('appear in rows, the alarm and tooltips as they are written', async () => {
    const { window, host } = session;
    await extensionIsActive(host.dir);
    await window.openViewContainer('Unstuck');
    write('first', folder);
    await expect.poll(() => window.statusText('unstuck.status'), soon).toContain('1 stuck');
    await picture('1-alarm');
    expect.soft(await tried(window.toast('is stuck'))).toEqual(nothing);
    const row = window.row('Fix it');
    expect.soft(await tried(row)).toEqual(nothing);
    const hover = window.page.locator('.monaco-hover:visible');
    await pointAt(row, hover.getByText('Fix it'));
    await picture('2-tooltip');
    expect.soft(await tried(hover)).toEqual(nothing);
    await pointAt(window.statusItem('unstuck.status'), hover.getByText('agent is stuck'));
    await picture('3-status');
    expect.soft(await tried(hover)).toEqual(nothing);
  });

  it('run nothing from the name of an agent', async () => {
    const { window } = session;
    write('second', workspace);
    await expect.poll(() => window.statusText('unstuck.status'), soon).toContain('2 stuck');
    await window.runCommand('Unstuck: Go to Agent');
    await window.quickPickRows.nth(1).waitFor();
    await picture('4-list');
    // The icon of a row is that of its state.
    expect.soft(await window.quickPickRows.locator('.codicon-error').count()).toBe(0);
    await window.quickPickRows.first().click();
    await window.toast('does not run in a terminal of this window').waitFor();
    await picture('5-agent');
    expect.soft(await tried(window.toast('does not run in a terminal of this window'))).toEqual(nothing);
    expect(await window.toast('does not run in a terminal of this window').innerText()).toContain(
      '[Show the terminal of',
    );
  });

  it('run nothing from the name of a file quoted by git', async () => {
    const { window } = session;
    await window.runCommand('Unstuck: Save Checkpoint');
    await window.quickPickRows.nth(1).waitFor();
    await window.quickPickRows.first().click();
    await window.toast('Checkpoint saved').waitFor();
    await window.runCommand('Unstuck: Restore Checkpoint…');
    await window.quickPickRows.filter({ hasText: 'ago' }).first().waitFor();
    await picture('6-checkpoints');
    expect.soft(await window.quickPickRows.locator('.codicon-error').count()).toBe(0);
    await window.quickPickRows.first().click();
    await window.toast('other work in progress').waitFor();
    await picture('7-file');
    expect.soft(await tried(window.toast('other work in progress'))).toEqual(nothing);
    expect(await window.toast('other work in progress').innerText()).toContain('[Keep it]');
  });
});
