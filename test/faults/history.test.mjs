/** The history on disk is damaged, cannot be written, or belongs to another version: nothing that is kept elsewhere is lost, and a person is told. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { extensionIsActive } from '../support/demo.mjs';
import { buildCatalogue } from '../bench/support/build.mjs';
import { snapshotOf } from '../bench/support/history-snapshot.mjs';
import { manyIncidents } from '../bench/support/many-incidents.mjs';
import { seedHistory, storeOf } from '../e2e/support/history.mjs';
import { useVSCode } from '../e2e/support/session.mjs';
import { HISTORY_GROUP } from '../e2e/support/workbench.mjs';
import { createAgent } from './support/agents.mjs';
import { incidentsBySession } from './support/history.mjs';

const soon = { timeout: 120_000 };
/** Incidents in the snapshot alone: all are older than the last days, which have a copy. */
const OLD = 30;
/** Incidents in the snapshot and in the copy of the last days. */
const TODAY = 5;
/** Incidents in the journal of a window that died, and only there. */
const NEW = 2;
const ALL = OLD + TODAY + NEW;

/** True if a file system of 600 KB may be mounted here. */
const mayMount = (() => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'unstuck-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=600k', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    fs.rmdirSync(folder);
  }
})();
if (!mayMount) console.log('skipped: a full and a read-only disk (mounting needs root)');

/** Damage to the history, the number of incidents afterwards, and the message to a person. */
const DAMAGED = /** @type {const} */ ([
  [
    'is cut',
    (/** @type {Files} */ { snapshot }) => fs.truncateSync(snapshot, Math.floor(fs.statSync(snapshot).size * 0.6)),
    null,
    /^The history was damaged: \d+ of 35 incidents saved, \d+ lost\./,
  ],
  [
    'is zeroed',
    ({ snapshot }) => fs.writeFileSync(snapshot, Buffer.alloc(fs.statSync(snapshot).size)),
    TODAY + NEW,
    /^The history was damaged: /,
  ],
  ['is empty', ({ snapshot }) => fs.truncateSync(snapshot, 0), TODAY + NEW, /^The history was damaged: /],
  [
    'has a folder in its place',
    ({ snapshot }) => (fs.rmSync(snapshot), fs.mkdirSync(snapshot)),
    TODAY + NEW,
    /^The history was damaged: /,
  ],
  ['has one bit flipped', ({ snapshot }) => flip(snapshot), null, /^The history was damaged: /],
  [
    'has a journal that is torn',
    ({ journal }) => tear(journal),
    ALL,
    // Reported when the journal is moved into the snapshot, which is delayed until it is worthwhile.
    /^$/,
  ],
  [
    'has a journal with a line of 6 MB',
    ({ journal }) => insertLine(journal, 'x'.repeat(6_000_000)),
    ALL,
    /^The history was damaged: 1 line of a journal could not be read\./,
  ],
  [
    'is of a version to come',
    ({ snapshot }) => setVersion(snapshot, 99),
    null,
    /^The history was written by a newer version/,
  ],
]);

/** @typedef {{ snapshot: string, journal: string }} Files */

function flip(/** @type {string} */ file) {
  const bytes = fs.readFileSync(file);
  // In the text of a row, in the middle of the file.
  const at = bytes.indexOf('gave the same result', Math.floor(bytes.length / 2));
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  fs.writeFileSync(file, bytes);
}

function insertLine(/** @type {string} */ file, /** @type {string} */ line) {
  const [head = '', ...rest] = fs.readFileSync(file, 'utf8').split('\n');
  fs.writeFileSync(file, [head, line, ...rest].join('\n'));
}

/** Cuts the file off within the line after the one with the last new incident. */
function tear(/** @type {string} */ file) {
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  const sessions = new Set();
  const last = lines.findIndex((line) => {
    const session = /"k":"incident".*"session":"([^"]+)"/.exec(line)?.[1];
    return session !== undefined && sessions.add(session).size === NEW;
  });
  fs.truncateSync(file, Buffer.byteLength(lines.slice(0, last + 1).join('\n')) + 100);
}

/** The `user_version` of the SQLite file format, at byte 60. */
function setVersion(/** @type {string} */ file, /** @type {number} */ version) {
  const bytes = fs.readFileSync(file);
  bytes.writeUInt32BE(version, 60);
  fs.writeFileSync(file, bytes);
}

describe('A history that', () => {
  const root = fs.mkdtempSync(join(tmpdir(), 'unstuck-faults-'));
  const [home, workspace, runs, kept] = ['home', 'work', 'runs', 'kept'].map((name) => join(root, name));
  for (const folder of [home, workspace, runs]) fs.mkdirSync(folder);
  const session = useVSCode(() => ({ workspace, home }));
  let store = '';

  afterAll(() => {
    if (mayMount) spawnQuietly('umount', '--lazy', store);
    fs.rmSync(root, { recursive: true, force: true });
  });

  it('is in a snapshot, in the copy of the last days, and in the journal of a window that died', async () => {
    const { host } = session;
    await extensionIsActive(host.dir);
    await session.window.openViewContainer('Unstuck');
    await session.window.welcome.filter({ hasText: 'No incidents yet.' }).waitFor();
    store = storeOf(host.dir);
    await host.killServer();
    const require = createRequire(import.meta.url);
    const parts = require(await buildCatalogue());
    const engine = parts.createSqlEngine(require.resolve('sql.js/dist/sql-wasm.wasm'));
    const old = manyIncidents(OLD, Date.now() - 4 * 86_400_000);
    fs.writeFileSync(join(store, 'incidents.sqlite'), await snapshotOf(parts, engine, old));
    // The window takes this history over, and adds what it reads.
    seedHistory(host.dir, runs, Date.now());
    await host.startServer();
    await host.reload();
    const agents = Array.from({ length: NEW }, (_, number) =>
      createAgent({ home, workspace, session: `00000000-0000-4000-8000-00000000005${number}`, task: `New ${number}` }),
    );
    for (const agent of agents) agent.loop();
    await expect.poll(() => session.window.statusText('unstuck.status'), soon).toContain(`${NEW} stuck`);
    const known = new Map(agents.map((agent) => [agent.session, 1]));
    await expect.poll(() => incidentsBySession(host.dir), soon).toMatchObject(Object.fromEntries(known));
    await host.killServer();
    // Without their transcripts only the journal knows about them.
    for (const agent of agents) fs.rmSync(agent.file);
    fs.cpSync(store, kept, { recursive: true });
  });

  /** Opens the window after the history was restored and something was done to it. */
  async function reopened(/** @type {(files: Files) => void} */ harm) {
    const { host, window } = session;
    await host.killServer();
    for (const name of fs.readdirSync(store)) fs.rmSync(join(store, name), { recursive: true, force: true });
    fs.cpSync(kept, store, { recursive: true });
    const journals = join(store, 'journal');
    const [journal = ''] = fs.readdirSync(journals);
    harm({ snapshot: join(store, 'incidents.sqlite'), journal: join(journals, journal) });
    await host.startServer();
    await host.reload();
    await window.openViewContainer('Unstuck');
    await window.row(HISTORY_GROUP).waitFor(soon);
  }

  const counted = async () => {
    const labels = await session.window.rows.evaluateAll((rows) =>
      rows.map((row) => row.getAttribute('aria-label') ?? ''),
    );
    const counts = labels.flatMap((label) => /^(?:Today|Yesterday|This week|Earlier) (\d+)/.exec(label)?.[1] ?? []);
    return counts.reduce((sum, count) => sum + Number(count), 0);
  };
  /** The text above the incidents. */
  const above = async () => {
    const [text = ''] = await session.window.page
      .locator('.sidebar .pane', { has: session.window.page.locator('.pane-header[aria-label^="Incidents"]') })
      .locator('.message')
      .allInnerTexts();
    return text.trim();
  };

  it('is intact shows no message', async () => {
    await reopened(() => {});
    await expect.poll(counted, soon).toBe(ALL);
    expect(await above()).toBe('');
  });

  it.each(DAMAGED)('%s', async (what, harm, left, told) => {
    const { window } = session;
    await reopened(harm);
    // Damage in a journal is reported when it is moved into the snapshot, a minute after the start.
    await expect.poll(above, soon).toMatch(told);
    await window.screenshot(`faults-history-${what.replaceAll(' ', '-')}`);
    console.log(
      `${what}: ${await counted()} of ${ALL}; above the incidents: ${await above()}; notifications: ${JSON.stringify(await window.toastTexts())}`,
    );
    if (left !== null) expect(await counted()).toBe(left);
  });

  describe.skipIf(!mayMount)('on a disk that', () => {
    const agents = ['Full', 'Closed'].map((task, number) =>
      createAgent({ home, workspace, session: `00000000-0000-4000-8000-00000000006${number}`, task }),
    );

    /** Puts the history on a file system of its own; `before` runs while nothing is open. */
    async function mounted(/** @type {() => void} */ before) {
      const { host, window } = session;
      await host.killServer();
      spawnQuietly('umount', '--lazy', store);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=600k', 'tmpfs', store]);
      fs.cpSync(kept, store, { recursive: true });
      before();
      await host.startServer();
      await host.reload();
      await window.openViewContainer('Unstuck');
      await window.row(HISTORY_GROUP).waitFor(soon);
    }

    it.each([
      ['is full', 0, /^The disk is full/, () => fill(join(store, 'filler')), () => fs.rmSync(join(store, 'filler'))],
      [
        'may not be written',
        1,
        /^The folder of the history is not writable\./,
        () => execFileSync('mount', ['-o', 'remount,ro', store]),
        () => execFileSync('mount', ['-o', 'remount,rw', store]),
      ],
    ])('%s', async (what, number, told, close, open) => {
      const { host, window } = session;
      await mounted(close);
      const agent = agents[number];
      agent?.loop();
      await expect.poll(above, soon).toMatch(told);
      await expect.poll(counted, soon).toBe(ALL + 1);
      await window.screenshot(`faults-history-${what.replaceAll(' ', '-')}`);
      console.log(
        `${what}: ${await counted()} of ${ALL + 1}; above the incidents: ${await above()}; notifications: ${JSON.stringify(await window.toastTexts())}`,
      );
      expect(incidentsBySession(host.dir)).not.toHaveProperty([agent?.session ?? '']);
      open();
      await expect.poll(above, soon).toBe('');
      await expect.poll(() => incidentsBySession(host.dir), soon).toHaveProperty([agent?.session ?? ''], 1);
      if (agent) fs.rmSync(agent.file);
    });
  });
});

/** Writes until the disk is full. */
function fill(/** @type {string} */ file) {
  const handle = fs.openSync(file, 'w');
  try {
    for (;;) fs.writeSync(handle, Buffer.alloc(1_024));
  } catch {
    // No room is left.
  } finally {
    fs.closeSync(handle);
  }
}

function spawnQuietly(/** @type {string} */ program, /** @type {string[]} */ ...args) {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
  } catch {
    // nothing was mounted
  }
}
