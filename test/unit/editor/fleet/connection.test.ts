import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FleetClient, FleetOptions } from '../../../../src/fleet';
import { FleetCredentials } from '../../../../src/editor/fleet/credentials';
import { Fleet } from '../../../../src/editor/fleet/fleet';
import { T0 } from '../../history/support/incidents';
import { recordingLog } from '../../support/log';
import { memento } from '../support/memento';
import { chooseFile, editor, resetEditor } from '../support/vscode';
import { FakeFleet } from './support/fake-fleet';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

const SEED = `SU${'A'.repeat(56)}`;

/** A window with this setting, and what it loads and connects to. */
function stage(servers: readonly string[], secret?: string) {
  const made: { readonly options: FleetOptions; readonly client: FakeFleet }[] = [];
  const kept = new Map(secret === undefined ? [] : [['unstuck.fleet.credentials', secret]]);
  const listeners = new Set<(event: { key: string }) => void>();
  const tell = () => {
    for (const listener of listeners) listener({ key: 'unstuck.fleet.credentials' });
  };
  const secrets = {
    get: (key: string) => Promise.resolve(kept.get(key)),
    store: (key: string, text: string) => Promise.resolve(void kept.set(key, text)).then(tell),
    delete: (key: string) => Promise.resolve(void kept.delete(key)).then(tell),
    onDidChange: (listener: (event: { key: string }) => void) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
  const credentials = new FleetCredentials({ secrets, globalState: memento().memory } as never);
  const loaded: number[] = [];
  const followed: (FleetClient | null)[] = [];
  let list = servers;
  const log = recordingLog();
  let loads: 'never' | 'well' = 'well';
  let loading: Promise<void> | undefined;
  const fleet = new Fleet({
    servers: () => list,
    credentials,
    load: async () => {
      loaded.push(1);
      await loading;
      if (loads === 'never') throw new Error('damaged');
      return {
        connectFleet: (options) => {
          const client = new FakeFleet();
          made.push({ options, client });
          return client;
        },
      };
    },
    agents: { follow: (client) => void followed.push(client) },
    log,
  });
  const set = async (now: readonly string[]) => {
    list = now;
    fleet.configure();
    await settled();
  };
  /** Keeps the bundle loading until the test lets it finish. */
  const slowly = () => {
    let release = () => {};
    loading = new Promise((done) => (release = done));
    return async () => {
      loading = undefined;
      release();
      await settled();
    };
  };
  const breaks = () => void (loads = 'never');
  return { fleet, credentials, kept, made, loaded, followed, set, log, slowly, breaks };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
/** Texts as a person reads them: VS Code turns an address into a link unless a zero-width character breaks it. */
const texts = () => editor.shown.map(({ text }) => text.replaceAll('\u2060', ''));

describe('the connection to other machines', () => {
  it('is not made, and its bundle is not loaded, while no server is set', async () => {
    const { fleet, loaded, set } = stage([], SEED);
    await set([]);
    expect([loaded, fleet.client, fleet.note(), texts()]).toEqual([[], null, null, []]);
  });

  it('is made with the address and the credentials, and once for the same ones', async () => {
    const { fleet, made, set, followed } = stage([], SEED);
    await set(['tls://box:4222']);
    await set(['tls://box:4222']);
    expect(made).toHaveLength(1);
    expect(made[0]?.options).toMatchObject({ servers: ['tls://box:4222'], credentials: SEED });
    expect(followed).toEqual([fleet.client]);
    await set(['tls://other:4222']);
    expect([made.length, made[0]?.client.isDisposed, made[1]?.client.isDisposed]).toEqual([2, true, false]);
    await set([]);
    expect([made[1]?.client.isDisposed, fleet.client, followed.at(-1)]).toEqual([true, null, null]);
  });

  it('asks for credentials once, and connects when they are set', async () => {
    const { fleet, made, loaded, set, credentials } = stage([]);
    editor.answers.push('Not Now');
    await set(['tls://box:4222']);
    await set(['tls://box:4222']);
    expect(texts()).toEqual(['Unstuck needs credentials to see the agents of other machines at tls://box:4222.']);
    expect([loaded, fleet.note()?.command]).toEqual([[], 'unstuck.setFleetCredentials']);
    chooseFile(`# unstuck viewer me\n${SEED}\n`);
    await credentials.set();
    await settled();
    expect(made[0]?.options.credentials).toContain(SEED);
    expect(fleet.note()).toBeNull();
  });

  it('ends when they are removed, and is not made again before they are set', async () => {
    const { fleet, made, set, credentials, kept } = stage([], SEED);
    await set(['tls://box:4222']);
    editor.answers.push(undefined, 'Not Now');
    await credentials.forget();
    await settled();
    expect([kept.size, made[0]?.client.isDisposed, fleet.client]).toEqual([0, true, null]);
    expect(texts()).toContain('The credentials for other machines were removed.');
  });

  it('stores no file without credentials', async () => {
    const { credentials, kept } = stage([]);
    chooseFile('hunter2');
    await credentials.set();
    chooseFile(`${SEED}${'x'.repeat(70_000)}`);
    await credentials.set();
    expect([kept.size, editor.shown.map(({ kind }) => kind)]).toEqual([0, ['warning', 'warning']]);
    // The person chose no file.
    chooseFile(undefined);
    await credentials.set();
    expect(editor.shown).toHaveLength(2);
  });

  it('says in one line what is wrong with it', async () => {
    const { fleet, made, set } = stage([], SEED);
    await set(['tls://box:4222']);
    const problem = (kind: 'credentials' | 'unreachable' | 'not_prepared') =>
      made[0]?.client.becomes({ kind: 'disconnected', problem: kind, detail: 'why', at: T0 });
    problem('credentials');
    expect(fleet.note()).toEqual({
      id: 'fleet',
      text: 'Other machines: the server rejects these credentials. Set Other Credentials',
      command: 'unstuck.setFleetCredentials',
    });
    problem('unreachable');
    expect(fleet.note()?.text).toContain('no server answers');
    made[0]?.client.becomes({ kind: 'connected', at: T0, server: 'tls://box:4222' });
    expect(fleet.note()).toBeNull();
  });

  it('is reported as broken if its bundle cannot be loaded', async () => {
    const { fleet, set, log, breaks } = stage([], SEED);
    const heard = vi.fn();
    fleet.onDidChange(heard);
    breaks();
    await set(['tls://box:4222']);
    await set(['tls://box:4222']);
    expect([fleet.note()?.id, heard.mock.calls.length]).toEqual(['fleet', 1]);
    expect(log.lines[0]).toBe('error: other machines: Error: damaged');
  });

  it('is made once, to the servers of the latest setting, if the setting changes in the meantime', async () => {
    const { made, set, slowly } = stage([], SEED);
    const release = slowly();
    await set(['tls://box:4222']);
    await set(['tls://other:4222']);
    await release();
    expect(made.map(({ options }) => options.servers)).toEqual([['tls://other:4222']]);
  });

  it('that can no longer be made is no trouble once the setting is empty', async () => {
    const { fleet, set, slowly, breaks, log } = stage([], SEED);
    const release = slowly();
    await set(['tls://box:4222']);
    await set([]);
    breaks();
    await release();
    expect(fleet.note()).toBeNull();
    expect(log.lines).toEqual(['error: other machines: Error: damaged']);
  });

  it('ends with the window, which then neither receives nor opens one', async () => {
    const { fleet, made, set, credentials, slowly, followed } = stage([], SEED);
    await set(['tls://box:4222']);
    const heard = vi.fn();
    fleet.onDidChange(heard);
    const release = slowly();
    await set(['tls://other:4222']);
    fleet.dispose();
    await release();
    made[0]?.client.becomes({ kind: 'connecting', at: T0 } as never);
    chooseFile(SEED);
    await credentials.set();
    await settled();
    expect([made.length, made[0]?.client.isDisposed, followed.at(-1), heard.mock.calls]).toEqual([1, true, null, []]);
  });

  it('asks for credentials again after they were removed, and uses them at once', async () => {
    const { set, credentials, kept } = stage([]);
    chooseFile(SEED);
    editor.answers.push('Not Now');
    await set(['tls://box:4222']);
    expect(kept.size).toBe(0);
    await credentials.forget();
    editor.answers.push('Set Credentials…');
    await set(['tls://box:4222']);
    const question = editor.shown.filter(({ buttons }) => buttons.length === 2);
    expect(question).toHaveLength(2);
    expect(kept.size).toBe(1);
  });

  it('writes no credentials to the log', async () => {
    const { set, log, made } = stage([], SEED);
    await set(['tls://box:4222']);
    made[0]?.client.becomes({ kind: 'disconnected', problem: 'credentials', detail: 'refused', at: T0 });
    expect(log.lines.join('\n')).not.toContain(SEED);
  });
});
