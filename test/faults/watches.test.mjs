/** The system watches no more folders: those that cannot be watched are checked in turn. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { extensionIsActive } from '../support/demo.mjs';
import { useVSCode } from '../e2e/support/session.mjs';
import { agentRow, createAgent } from './support/agents.mjs';
import { incidentsBySession } from './support/history.mjs';
import { mayLimit, withWatches } from './support/limits.mjs';

const soon = { timeout: 120_000 };

if (!mayLimit) console.log('skipped: a limit of watches (needs root and user namespaces)');

describe.skipIf(!mayLimit)('With three watches for all of VS Code', () => {
  const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-faults-'));
  const [home, workspace] = [join(root, 'home'), join(root, 'work')];
  for (const folder of [home, workspace]) fs.mkdirSync(folder);
  const agent = (/** @type {number} */ number, /** @type {string} */ task) =>
    createAgent({ home, workspace, session: `00000000-0000-4000-8000-00000000004${number}`, task });
  const session = useVSCode(() => ({ workspace, home, under: withWatches(3) }));
  const incidents = () => incidentsBySession(session.host.dir);

  afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

  it('agents are still followed, and a person is told', async () => {
    const { host, window } = session;
    await extensionIsActive(host.dir);
    await window.openViewContainer('Unstuck');
    const alpha = agent(1, 'Alpha');
    alpha.loop();
    await expect.poll(() => window.statusText('unstuck.status'), soon).toContain('1 stuck');
    const beta = agent(2, 'Beta');
    beta.work();
    await agentRow(window, 'Beta').waitFor();
    beta.loop();
    await expect.poll(() => window.statusText('unstuck.status'), soon).toContain('2 stuck');
    await expect.poll(incidents, soon).toEqual({ [alpha.session]: 1, [beta.session]: 1 });
    await window.screenshot('faults-watches');
    console.log(
      `A person sees: ${JSON.stringify(await window.toastTexts())}, ${JSON.stringify(await window.rows.allInnerTexts())}`,
    );
  });
});
