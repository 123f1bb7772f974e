/** The first look from the empty view: the packaged replay, which writes nothing to any agent. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { useVSCode } from './support/session.mjs';

describe('Replay a Stuck Agent', () => {
  const workspace = fs.mkdtempSync(join(tmpdir(), 'unstuck-e2e-'));
  const session = useVSCode(() => ({ workspace }));

  afterAll(() => fs.rmSync(workspace, { recursive: true, force: true }));

  it('is the first thing that the empty view offers', async () => {
    const { window } = session;
    await window.openViewContainer('Unstuck');
    await window.welcome.getByRole('button', { name: 'Replay a Stuck Agent' }).click();
    await window.row('Fix the failing').waitFor();
    await window.row('Run the build').waitFor();
    await window.row('Fix total(), add a mean').waitFor();
  });

  it('shows a loop, and takes a nudge by itself', async () => {
    const { window } = session;
    await window.toast('is stuck').waitFor({ timeout: 60_000 });
    await window.toastButton('is stuck', 'Nudge').click();
    await window.toast('Nudge queued').waitFor();
    expect(await window.toast('not connected').count()).toBe(0);
    await expect.poll(() => window.row('Fix the failing').innerText(), { timeout: 30_000 }).toContain('recovering');
    await window.page.waitForTimeout(600);
    await window.screenshot('replay');
  });

  it('has written nothing into the workspace or the home', () => {
    expect(fs.readdirSync(workspace)).toEqual([]);
    expect(fs.existsSync(join(session.host.home, '.claude'))).toBe(false);
  });
});
