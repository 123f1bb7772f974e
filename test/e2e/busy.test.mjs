/** Several agents write without a pause. The list must still be drawn. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { useVSCode } from './support/session.mjs';

const AGENTS = 6;

describe('Agents that write without a pause', () => {
  const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-e2e-'));
  const workspace = join(root, 'workspace');
  const home = join(root, 'home');
  fs.mkdirSync(workspace);
  const folder = join(home, '.claude/projects', workspace.replace(/[^A-Za-z0-9]/g, '-'));
  fs.mkdirSync(folder, { recursive: true });
  const sessions = Array.from({ length: AGENTS }, (_, index) => `00000000-0000-4000-8000-00000000000${index}`);
  const append = (/** @type {string} */ session, /** @type {object} */ record) =>
    fs.appendFileSync(
      join(folder, `${session}.jsonl`),
      `${JSON.stringify({ sessionId: session, cwd: workspace, timestamp: new Date().toISOString(), ...record })}\n`,
    );
  for (const [index, session] of sessions.entries())
    append(session, { type: 'user', message: { role: 'user', content: `Task ${index}: mend the parser` } });
  const session = useVSCode(() => ({ workspace, home }));
  const stopping = new AbortController();

  afterAll(() => {
    stopping.abort();
    fs.rmSync(root, { recursive: true, force: true });
  });

  it('are drawn as they change', async () => {
    await session.window.openViewContainer('Unstuck');
    await session.window.row('Task 0').waitFor();
    const writing = (async () => {
      for (let turn = 0; !stopping.signal.aborted; turn++) {
        const index = turn % AGENTS;
        append(sessions[index] ?? '', { type: 'custom-title', customTitle: `Task ${index}, turn ${turn}.` });
        await wait(30);
      }
    })();
    const turnShown = async () =>
      Number(/turn (\d+)\./.exec((await session.window.row('Task 0').textContent()) ?? '')?.[1]);
    await expect.poll(turnShown, { timeout: 15_000 }).toBeGreaterThan(0);
    const first = await turnShown();
    await expect.poll(turnShown, { timeout: 5_000 }).toBeGreaterThan(first + 30);
    await session.host.screenshot('busy');
    stopping.abort();
    await writing;
  });
});
