/**
 * Agents on other machines, in a real VS Code with a real nats-server and real relays: a recorded agent on "build-1", with its own home, its own
 * folder and the real hook, gets stuck, is seen here, is nudged by a click, and takes the nudge. Each stage leaves a picture.
 */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDemo, extensionIsActive } from '../support/demo.mjs';
import { receipts } from '../support/inboxes.mjs';
import { Machine, Servers } from '../fleet/support/fleet.mjs';
import { natsServer } from '../fleet/support/nats-server.mjs';
import { connectDemo } from './support/connect-demo.mjs';
import { useVSCode } from './support/session.mjs';

const soon = { timeout: 60_000 };
/** A machine is silent after three missed heartbeats. */
const untilSilent = { timeout: 120_000 };
/** State of a connected socket, as in /proc/net/tcp on Linux. */
const ESTABLISHED = '01';

const { path: program, why } = natsServer();
if (!program) console.warn(`Agents on other machines: skipped, ${why}`);

describe.skipIf(!program)('Agents on other machines', () => {
  const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-e2e-'));
  const there = createDemo({ root: join(root, 'there'), speed: 2, only: ['interleaved', 'healthy'] });
  const here = createDemo({ root: join(root, 'here'), speed: 2, only: ['healthy'] });
  const session = useVSCode(() => ({ workspace: here.workspace, home: here.home }));
  /** @type {any} */
  let server;
  /** @type {InstanceType<typeof Machine>[]} */
  const machines = [];

  const picture = async (/** @type {string} */ stage) => {
    await session.window.screenshot(`machines-${stage}`);
  };
  /** Makes room for a whole panel. */
  const tall = async (/** @type {() => Promise<void>} */ look) => {
    await session.window.page.setViewportSize({ width: 1400, height: 1400 });
    await look();
    await session.window.page.setViewportSize({ width: 1400, height: 900 });
  };
  const setServers = (/** @type {string[]} */ servers) =>
    fs.writeFileSync(
      join(session.host.dir, 'user/Machine/settings.json'),
      JSON.stringify({ 'unstuck.fleet.servers': servers }),
    );
  /** Starts the relay of a machine on which the agents of a demo work. */
  const relayOf = async (/** @type {string} */ name, /** @type {typeof there} */ demo) => {
    const machine = new Machine(name, server, { home: demo.home, project: demo.workspace });
    machines.push(machine);
    await machine.started();
  };
  /** Sockets of the extension host to the message server. */
  const toServer = () => socketsOf(session.host.extensionHosts().at(-1)).filter(({ port }) => port === server.ports[0]);

  beforeAll(async () => {
    server = await Servers.start({ machines: ['build-1', 'build-2'], viewers: ['laptop'] });
    await connectDemo(there, join(root, 'connected'));
    await relayOf('build-1', there);
  });
  afterAll(async () => {
    there.stop();
    here.stop();
    for (const machine of machines) await machine.kill();
    await server?.stop();
    fs.rmSync(root, { recursive: true, force: true });
  });

  it('opens no connection while no server is set', async () => {
    const { window, host } = session;
    await extensionIsActive(host.dir);
    await window.openViewContainer('Unstuck');
    await here.start();
    await window.row('add a mean').waitFor();
    expect(await window.row('build-1').count()).toBe(0);
    expect(toServer()).toEqual([]);
  });

  it('asks for credentials once, and opens no connection before they are there', async () => {
    const { window } = session;
    setServers(server.urls);
    await window.toast('needs credentials').waitFor();
    await window.row('no credentials yet').waitFor();
    await picture('1-credentials');
    expect(toServer()).toEqual([]);
    await window.toastButton('needs credentials', 'Set Credentials…').click();
    // The dialog writes the folder of the workspace into its field once it has listed it.
    await window.quickPickRow('README.md').waitFor();
    await window.input.fill(join(server.fleet, 'laptop.creds'));
    await window.quickPickRow('laptop.creds').waitFor();
    await picture('2-file');
    await window.input.press('Enter');
    await window.row('build-1').waitFor();
    expect(toServer()).toHaveLength(1);
  });

  it('shows the other machine as a group, with its agents as they appear', async () => {
    const { window } = session;
    await there.start();
    await window.row('Fix the failing').waitFor();
    await picture('3-tree');
  });

  it('changes the status bar and notifies once when an agent there is stuck, with the name of its machine', async () => {
    const { window } = session;
    await expect.poll(() => window.statusText('unstuck.status'), soon).toContain('1 stuck');
    await window.toast('on build-1 is stuck').waitFor();
    expect(await window.toasts.filter({ hasText: 'is stuck' }).count()).toBe(1);
    await picture('4-stuck');
  });

  it('shows evidence, and what the machine reported', async () => {
    const { window } = session;
    await window.toastButton('is stuck', 'Show Evidence').click();
    const panel = window.webview();
    await panel.getByText('as reported by build-1').waitFor();
    await panel.getByText('same result').first().waitFor();
    await panel.getByText(/^Reported by build-1/).waitFor();
    // Its lines are on the other machine.
    expect(await panel.getByRole('button', { name: /, line \d+$/ }).count()).toBe(0);
    await tall(() => picture('5-panel'));
  });

  it('puts a nudge into the inbox there on a click, and prints how long that took', async () => {
    const { window } = session;
    const button = window.webview().getByRole('button', { name: 'Send Nudge' });
    await button.scrollIntoViewIfNeeded();
    const { clickedAt, shownAt } = await button.evaluate(async (element) => {
      const isQueued = () =>
        [...document.querySelectorAll('.delivery li:not(.todo) .name')].some((one) => one.textContent === 'Queued');
      const at = Date.now();
      element.click();
      while (!isQueued()) await new Promise(requestAnimationFrame);
      return { clickedAt: at, shownAt: Date.now() };
    });
    const queuedAt = queuedTime(there.workspace);
    console.log(`from the click to queued: ${queuedAt - clickedAt} ms, shown after ${shownAt - clickedAt} ms`);
    expect(queuedAt).toBeGreaterThanOrEqual(clickedAt);
  });

  it('shows that the agent there took it, and its effect', async () => {
    const { window } = session;
    const panel = window.webview();
    await expect.poll(() => receipts(there.workspace), soon).toContain('taken');
    await panel.getByText('Taken', { exact: true }).first().waitFor();
    await expect.poll(() => receipts(there.workspace), soon).toEqual(['queued', 'taken', 'seen', 'acted']);
    await panel.getByText('Acted', { exact: true }).first().waitFor(soon);
    await tall(() => picture('6-acted'));
  });

  it('shows machines as groups in the overview', async () => {
    const { window } = session;
    await window.runCommand('Unstuck: Show Overview');
    const overview = window.webview();
    await overview.getByRole('button', { name: 'By Machine' }).click();
    await overview.getByText('This machine').waitFor();
    await picture('7-overview');
    await window.runCommand('View: Close Editor');
  });

  it('shows an agent once if both this window and a relay see it', async () => {
    const { window } = session;
    await relayOf('build-2', here);
    await window.row(/build-2.*no agent/).waitFor();
    expect(await window.rows.filter({ hasText: 'add a mean' }).count()).toBe(2);
  });

  it('says when a machine that fell silent was last seen', async () => {
    const { window } = session;
    // The earlier agents may have ended, and an end that is known stays known.
    await there.start();
    await expect.poll(() => window.statusText('unstuck.status'), soon).toContain('1 stuck');
    await machines[0]?.kill();
    await window.row(/build-1.*last seen \d+ (s|min) ago/).waitFor(untilSilent);
    await window.row(/Fix the failing.*last seen/).click();
    await window
      .webview()
      .getByText(/This machine has not responded for/)
      .first()
      .waitFor();
    await tall(() => picture('8-silent'));
  });

  it('closes the connection when the setting is cleared', async () => {
    const { window } = session;
    setServers([]);
    await window.row('build-2').waitFor({ state: 'detached' });
    await expect.poll(toServer, soon).toEqual([]);
  });
});

/** Sockets of a process that are connected over TCP, with the port at the other end. @param {number | undefined} pid */
function socketsOf(pid) {
  const inodes = new Set(
    fs.readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(fs.readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        // Closed in the meantime.
        return [];
      }
    }),
  );
  return ['tcp', 'tcp6'].flatMap((kind) =>
    fs
      .readFileSync(`/proc/${pid}/net/${kind}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === ESTABLISHED && inodes.has(inode ?? ''))
      .map(([, , remote = '']) => ({ port: Number.parseInt(remote.split(':')[1] ?? '', 16) })),
  );
}

/** Returns when the first message was written into an inbox of this workspace, milliseconds since the epoch. */
function queuedTime(/** @type {string} */ workspace) {
  const inbox = join(workspace, '.unstuck/inbox');
  const times = fs.readdirSync(inbox).flatMap((session) => {
    const file = join(inbox, session, 'receipts.jsonl');
    if (!fs.existsSync(file)) return [];
    const lines = fs.readFileSync(file, 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line)).filter(({ state }) => state === 'queued');
  });
  return Date.parse(times[0].t);
}
