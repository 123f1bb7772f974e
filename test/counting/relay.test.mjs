import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { projectRoot } from '../../scripts/bundles.mjs';
import { recording, startWatch } from './support/watch.mjs';

const PATIENCE = { timeout: 60_000, interval: 100 };
const { error } = spawnSync('nats-server', ['--version']);
if (error) console.log(`skipped: there is no nats-server on the PATH (${error.message})`);

describe.skipIf(error)('unstuck relay', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unstuck-relay-'));
  /** @type {import('node:child_process').ChildProcess} */
  let server;
  /** @type {Awaited<ReturnType<typeof startWatch>>} */
  let relay;

  beforeAll(async () => {
    const port = await freePort();
    const cli = (/** @type {string[]} */ ...words) =>
      spawnSync(process.execPath, [join(projectRoot, 'dist/cli.js'), 'fleet', ...words], { encoding: 'utf8' });
    cli('init', join(folder, 'server'), '--machines', 'devbox', '--viewers', 'anna', '--port', `${port}`);
    server = spawn('nats-server', ['-c', join(folder, 'server/server.conf')], { stdio: 'ignore' });
    const url = `tls://127.0.0.1:${port}`;
    await vi.waitFor(
      () => expect(cli('create', join(folder, 'server'), '--servers', url)).toMatchObject({ status: 0 }),
      PATIENCE,
    );
    relay = await startWatch({
      command: 'relay',
      options: ['--servers', url, '--creds', join(folder, 'server/devbox.creds'), '--metrics', '127.0.0.1:0'],
    });
    await vi.waitFor(() => expect(relay.notes()).toContain('Metrics: '), PATIENCE);
  });
  afterAll(async () => {
    expect(await relay?.stop()).toBe(0);
    server?.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });

  it('serves metrics under the name in its credentials', async () => {
    const run = recording('same-command.jsonl').slice(0, 43);
    await relay.recorded('11111111-0000-4000-8000-0000000000cc', run);
    await vi.waitFor(async () => {
      const [, url] = /Metrics: (\S+)/.exec(relay.notes()) ?? [];
      expect(url, relay.notes()).toBeDefined();
      const text = await (await fetch(url)).text();
      expect(text).toContain(
        'unstuck_agents{gen_ai_agent_name="claude-code",unstuck_state="stuck",host_name="devbox"} 1\n',
      );
      expect(text).toContain(
        'unstuck_steps_total{gen_ai_agent_name="claude-code",unstuck_outcome="failure",host_name="devbox"} 6\n',
      );
    }, PATIENCE);
  });
});

async function freePort() {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address();
  await new Promise((resolve) => taken.close(resolve));
  return port;
}
