/** An untrusted folder: agents and evidence are shown, nothing is written and nothing can be sent. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createDemo, extensionIsActive } from '../support/demo.mjs';
import { useVSCode } from './support/session.mjs';

describe('Restricted mode', () => {
  const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-e2e-'));
  const demo = createDemo({ root, speed: 2, only: ['interleaved'] });
  // The folder came with settings that would hide its agents.
  fs.mkdirSync(join(demo.workspace, '.vscode'), { recursive: true });
  fs.writeFileSync(
    join(demo.workspace, '.vscode/settings.json'),
    JSON.stringify({ 'unstuck.agents.disabled': ['claude-code'], 'unstuck.preset': 'patient' }),
  );
  const session = useVSCode(() => ({ workspace: demo.workspace, home: demo.home, trust: 'on' }));

  afterAll(() => {
    demo.stop();
    fs.rmSync(root, { recursive: true, force: true });
  });

  it('shows the agent, whatever the folder’s settings say, and that it only reads', async () => {
    const { window, host } = session;
    await window.restrictedModeBanner.waitFor();
    await extensionIsActive(host.dir);
    await window.openViewContainer('Unstuck');
    await demo.start();
    await window.row('Fix the failing').waitFor();
    await window.page
      .getByText('Restricted mode: reading only. This folder’s own settings for watching do not apply.')
      .first()
      .waitFor();
  });

  it('alerts, but offers no nudge', async () => {
    const { window } = session;
    await window.toast('is stuck').waitFor({ timeout: 60_000 });
    expect(await window.toastButton('is stuck', 'Nudge').count()).toBe(0);
    await window.toastButton('is stuck', 'Show Evidence').click();
    await window.webview().getByText('Nudges are off until you trust this folder.').first().waitFor();
    await window.screenshot('restricted');
  });

  it('has written nothing into the folder', () => {
    expect(fs.existsSync(join(demo.workspace, '.unstuck'))).toBe(false);
    expect(fs.existsSync(join(demo.workspace, '.claude'))).toBe(false);
  });
});
