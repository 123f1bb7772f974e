/** The first look from the empty view: the packaged replay, which writes nothing to any agent. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { useVSCode } from './support/session.mjs';

describe('Replay a Stuck Agent', () => {
  const workspace = fs.mkdtempSync(join(tmpdir(), 'unstuck-e2e-'));
  const session = useVSCode(() => ({ workspace }));

  /** The clicks a person needs from an empty profile to the first nudge that was taken. */
  const MOST_CLICKS = 3;
  let clicks = 0;
  const click = async (/** @type {import('playwright-core').Locator} */ target) => {
    await target.click();
    clicks++;
  };

  afterAll(() => fs.rmSync(workspace, { recursive: true, force: true }));

  it('is the first thing that the empty view offers', async () => {
    const { window } = session;
    await click(window.activityBarItem('Unstuck'));
    await click(window.welcome.getByRole('button', { name: 'Replay a Stuck Agent' }));
    await window.row('Fix the failing').waitFor();
    await window.row('Run the build').waitFor();
    await window.row('Fix total(), add a').waitFor();
  });

  it('shows a loop, and takes a nudge on its own', async () => {
    const { window } = session;
    await window.toast('is stuck').waitFor({ timeout: 60_000 });
    await click(window.toastButton('is stuck', 'Nudge'));
    await window.toast('Nudge queued for “Fix the failing').waitFor();
    expect(await window.toast('not connected').count()).toBe(0);
    await expect.poll(() => window.row('Fix the failing').innerText(), { timeout: 30_000 }).toContain('recovering');
    expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
    await window.screenshot('replay');
  });

  it('is marked as a replay, in the list and among the incidents', async () => {
    const { window } = session;
    expect(await window.row('Run the build').getAttribute('aria-label')).toContain('replay');
    expect(await window.rows.filter({ hasText: /^Replay/ }).count()).toBe(1);
  });

  it('is gone when it is stopped', async () => {
    const { window } = session;
    await window.runCommand('Unstuck: Stop the Replay');
    await window.welcome.getByRole('button', { name: 'Replay a Stuck Agent' }).waitFor();
    await window.welcome.filter({ hasText: 'No incidents yet.' }).waitFor();
    await window.screenshot('replay-stopped');
  });

  it('has written nothing into the workspace or the home', () => {
    expect(fs.readdirSync(workspace)).toEqual([]);
    expect(fs.existsSync(join(session.host.home, '.claude'))).toBe(false);
  });
});
