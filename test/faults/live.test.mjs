/** Things a person changes while agents run: folders come and go, settings change, a transcript may not be read for a while. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { extensionIsActive } from '../support/demo.mjs';
import { useVSCode } from '../e2e/support/session.mjs';
import { agentRow, createAgent } from './support/agents.mjs';
import { incidentsBySession } from './support/history.mjs';
import { WITHOUT_CAPABILITIES, mayLimit } from './support/limits.mjs';

const soon = { timeout: 120_000 };

describe('While agents run', () => {
  const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-faults-'));
  const [home, one, two] = [join(root, 'home'), join(root, 'one'), join(root, 'two')];
  for (const folder of [home, one, two]) fs.mkdirSync(folder);
  const workspace = join(root, 'both.code-workspace');
  /** The settings of the workspace; VS Code reads them again when their file changes. */
  const written = { folders: [{ path: one }], settings: {} };
  const write = (/** @type {Partial<typeof written>} */ changes) =>
    fs.writeFileSync(workspace, JSON.stringify(Object.assign(written, changes)));
  const openFolders = (/** @type {string[]} */ ...folders) => write({ folders: folders.map((path) => ({ path })) });
  openFolders(one);
  const agent = (/** @type {string} */ folder, /** @type {number} */ number, /** @type {string} */ task) =>
    createAgent({ home, workspace: folder, session: `00000000-0000-4000-8000-00000000001${number}`, task });
  const session = useVSCode(() => ({ workspace, home, ...(mayLimit && { under: WITHOUT_CAPABILITIES }) }));
  const incidents = () => incidentsBySession(session.host.dir);
  const status = () => session.window.statusText('unstuck.status');
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

  const alpha = agent(one, 1, 'Alpha');
  const beta = agent(two, 2, 'Beta');

  it('a folder that is added brings its agents, even one that is already stuck', async () => {
    const { window } = session;
    await extensionIsActive(session.host.dir);
    await window.openViewContainer('Unstuck');
    alpha.loop();
    beta.loop();
    await expect.poll(status, soon).toContain('1 stuck');
    expect(await agentRow(window, 'Beta').count()).toBe(0);
    openFolders(one, two);
    await agentRow(window, 'Beta').waitFor({ timeout: 60_000 });
    await expect.poll(status, soon).toContain('2 stuck');
    await expect.poll(incidents, soon).toEqual({ [alpha.session]: 1, [beta.session]: 1 });
    await window.screenshot('faults-folder-added');
  });

  it('a folder that is removed takes its agents with it, and its incidents stay in the history', async () => {
    const { window } = session;
    openFolders(one);
    await agentRow(window, 'Beta').waitFor({ state: 'detached', timeout: 60_000 });
    await expect.poll(status, soon).toContain('1 stuck');
    expect(incidents()).toEqual({ [alpha.session]: 1, [beta.session]: 1 });
    openFolders(one, two);
    await expect.poll(status, soon).toContain('2 stuck');
    expect(incidents()).toEqual({ [alpha.session]: 1, [beta.session]: 1 });
  });

  it('settings that hide an agent apply at once, and hide nothing once they are removed', async () => {
    const { window } = session;
    write({ settings: { 'unstuck.agents.disabled': ['claude-code'] } });
    await agentRow(window, 'Alpha').waitFor({ state: 'detached', timeout: 60_000 });
    write({ settings: {} });
    await agentRow(window, 'Alpha').waitFor({ timeout: 60_000 });
    await expect.poll(status, soon).toContain('2 stuck');
    expect(incidents()).toEqual({ [alpha.session]: 1, [beta.session]: 1 });
  });

  it.skipIf(!mayLimit)('a transcript that may no longer be opened is still read, as it is already open', async () => {
    const { window } = session;
    const gamma = agent(one, 3, 'Gamma');
    gamma.work();
    await agentRow(window, 'Gamma').waitFor();
    fs.chmodSync(gamma.file, 0);
    // As root, this process may write nevertheless.
    gamma.loop();
    await window.page.waitForTimeout(5_000);
    await window.screenshot('faults-no-permission');
    console.log(`A person sees: ${JSON.stringify(await window.rows.allInnerTexts())}`);
    fs.chmodSync(gamma.file, 0o600);
    gamma.loop(1);
    await expect.poll(status, soon).toContain('3 stuck');
    expect(incidents()).toEqual({ [alpha.session]: 1, [beta.session]: 1, [gamma.session]: 1 });
  });
});

if (!mayLimit) console.log('skipped: a transcript without permission (needs root and user namespaces)');
