/**
 * A person's actions for a stuck agent, clicked through in a real VS Code: a nudge that is withdrawn, a connection, a restart with a fresh
 * context whose terminal runs the agent's own program, a checkpoint, and the end of the connection.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createDemo, extensionIsActive } from '../support/demo.mjs';
import { messages } from '../support/inboxes.mjs';
import { useVSCode } from './support/session.mjs';

const soon = { timeout: 60_000 };

describe('Recovery by clicks', () => {
  const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-e2e-'));
  const demo = createDemo({ root, speed: 2, only: ['same-command'] });
  const started = join(root, 'started.json');
  // Stands in for the agent's program: says how it was started, and keeps running.
  const program = join(root, 'agent.mjs');
  const script = [
    `#!${process.execPath}`,
    `import { renameSync, writeFileSync } from 'node:fs';`,
    `writeFileSync(${JSON.stringify(`${started}.new`)}, JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd() }));`,
    // Written in one step, because it is read as soon as it exists.
    `renameSync(${JSON.stringify(`${started}.new`)}, ${JSON.stringify(started)});`,
    `console.log('A fresh agent is here.');`,
    'setInterval(() => {}, 1000);',
  ];
  fs.writeFileSync(program, `${script.join('\n')}\n`, { mode: 0o755 });
  const session = useVSCode(() => ({
    workspace: demo.workspace,
    home: demo.home,
    settings: { 'workbench.colorTheme': 'Default Dark Modern' },
    machineSettings: { 'unstuck.launch': { 'claude-code': { program } } },
  }));
  const personal = join(demo.workspace, '.claude/settings.local.json');
  const before = '{\n  "permissions": { "allow": ["Bash(pytest:*)"] }  \n}\n';
  const picture = async (/** @type {string} */ stage) => {
    await session.window.screenshot(`recovery-${stage}`);
  };
  const messageOf = (/** @type {string} */ name, /** @type {'new' | 'cur'} */ where) => {
    const inbox = join(demo.workspace, '.unstuck/inbox');
    const [folder = ''] = fs.readdirSync(inbox);
    return JSON.parse(fs.readFileSync(join(inbox, folder, where, name), 'utf8'));
  };
  const kinds = (/** @type {'new' | 'cur'} */ where) =>
    messages(demo.workspace, where).map((name) => messageOf(name, where).kind);
  const menu = async (/** @type {string} */ item) => {
    const panel = session.window.webview();
    await panel.getByRole('button', { name: 'Recover' }).first().click();
    await panel.getByRole('menuitem', { name: item }).click();
  };

  afterAll(() => {
    demo.stop();
    fs.rmSync(root, { recursive: true, force: true });
  });

  it('shows a stuck agent with its ladder', async () => {
    fs.mkdirSync(join(demo.workspace, '.claude'));
    fs.writeFileSync(personal, before);
    await extensionIsActive(session.host.dir);
    await session.window.openViewContainer('Unstuck');
    await demo.start();
    await session.window.toastButton('is stuck', 'Show Evidence').click({ timeout: 60_000 });
    await session.window.webview().locator('.ladder').getByText('Nudge').waitFor();
    await session.window.page.setViewportSize({ width: 1700, height: 1400 });
    await session.window.webview().getByRole('button', { name: 'Recover' }).first().click();
    await picture('1-ladder');
    await session.window.page.keyboard.press('Escape');
    await session.window.page.setViewportSize({ width: 1400, height: 900 });
  });

  it('connects, and says which agents work here', async () => {
    const { window } = session;
    await window.runCommand('Unstuck: Connect Agent…');
    const row = window.quickPickRow('Claude Code').filter({ hasText: '1 session here, not connected' });
    await row.filter({ hasText: 'Shows the change and asks before writing' }).waitFor();
    await picture('2-connect');
    await row.click();
    await window.dialogButton('Connect').click();
    await window.toast('is connected').waitFor();
    expect(fs.readFileSync(personal, 'utf8')).not.toBe(before);
  });

  it('withdraws a nudge that was not taken yet', async () => {
    const { window } = session;
    // The agent makes no more calls, so the nudge is not taken.
    demo.stop();
    await window.clickRowAction(window.row('Fix '), 'Nudge Agent');
    await expect.poll(() => kinds('new'), soon).toEqual(['nudge']);
    await window.toastButton('Nudge queued', 'Cancel').click();
    await expect.poll(() => messages(demo.workspace, 'new'), soon).toEqual([]);
    await expect.poll(() => kinds('cur'), soon).toEqual(['nudge']);
    await picture('2-undone');
  });

  it('restarts the agent with a fresh context in a terminal, after it has asked and saved the work', async () => {
    const { window } = session;
    fs.appendFileSync(join(demo.workspace, 'README.md'), 'Work in progress.\n');
    await menu('Restart with Fresh Context');
    await window.dialog.getByText('Restart Claude Code with a fresh context?').waitFor();
    await picture('3-question');
    // The recorded agent has no process to look for, and the only question says so.
    await window.dialog.getByText('Unstuck cannot tell whether it is still running.').waitFor();
    await window.dialogButton('Restart').click();
    await expect.poll(() => fs.existsSync(started), soon).toBe(true);
    const { args, cwd } = JSON.parse(fs.readFileSync(started, 'utf8'));
    expect(cwd).toBe(demo.workspace);
    expect(args.at(-1)).toContain('Unstuck');
    await window.page.getByText('A fresh agent is here.').first().waitFor();
    await picture('4-restarted');
    const refs = execFileSync('git', ['for-each-ref', '--format=%(refname)', 'refs/unstuck'], {
      cwd: demo.workspace,
      encoding: 'utf8',
    });
    expect(refs).toMatch(/^refs\/unstuck\//);
  });

  it('restores the saved work', async () => {
    const { window } = session;
    execFileSync('git', ['checkout', '--', 'README.md'], { cwd: demo.workspace });
    await window.runCommand('Unstuck: Restore Checkpoint…');
    await window.quickPickRows.first().click();
    await window.toast('1 file was restored').waitFor();
    expect(fs.readFileSync(join(demo.workspace, 'README.md'), 'utf8')).toContain('Work in progress.');
    await picture('5-restored');
  });

  it('disconnects and leaves the settings as they were, byte for byte', async () => {
    const { window } = session;
    await window.runCommand('Unstuck: Disconnect Agent…');
    await window.pick('Claude Code');
    await window.dialogButton('Disconnect').click();
    await window.toast('is disconnected').waitFor();
    expect(fs.readFileSync(personal, 'utf8')).toBe(before);
  });
});
