import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Bridge, ConnectionStatus } from '../../../../src/agents/inbox';
import { Routes } from '../../../../src/editor/nudges/routes';
import { T0 } from '../../history/support/incidents';
import { agentView } from '../support/views';
import { resetEditor, workspace } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

const CONNECTED_AT = T0 - 5_000;

/** One kind of agent whose bridge answers when the test says so. */
function stage(isReplayed = false) {
  let now = T0;
  let state: ConnectionStatus['state'] = 'connected';
  let fails = false;
  let proven = false;
  const asked: string[] = [];
  let proofs = 0;
  let changes = 0;
  /** Holds the next answer back, which is as of now. */
  let held: Promise<void> | null = null;
  const answer = async <T>(now: T): Promise<T> => {
    const waits = held;
    held = null;
    await waits;
    return now;
  };
  const bridge = {
    agent: 'claude-code',
    abilities: { wakesIdle: false, joinsRunning: false, kinds: ['nudge', 'gate'] },
    isProven: () => answer((proofs++, proven)),
    status: ({ folder, workspaceFolders }: { folder: string; workspaceFolders: readonly string[] }) => {
      asked.push([folder, ...workspaceFolders].join(' in '));
      return fails
        ? Promise.reject(new Error('gone'))
        : answer({ state, connectedAt: CONNECTED_AT, message: 'Trust it in Codex.' });
    },
  };
  const routes = new Routes(
    new Map([['claude-code', bridge as unknown as Bridge]]),
    () => isReplayed,
    () => now,
  );
  routes.onDidChange(() => changes++);
  return {
    routes,
    asked,
    changes: () => changes,
    proofs: () => proofs,
    later: (ms: number) => void (now += ms),
    become: (other: ConnectionStatus['state']) => void (state = other),
    prove: (isSo = true) => void (proven = isSo),
    holdBack: () => {
      let release = () => {};
      held = new Promise<void>((resolve) => void (release = resolve));
      return () => release();
    },
    breaks: () => void (fails = true),
    answered: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

const view = agentView('s', {}, { cwd: '/work/calc' });

describe('the route of messages to an agent', () => {
  it('is unknown at first: it is looked up in the background, and listeners are notified', async () => {
    const { routes, asked, changes, answered } = stage();
    workspace.workspaceFolders.push({ uri: { fsPath: '/work' } });
    expect([routes.isConnected(view), routes.kindsTaken(view)]).toEqual([false, []]);
    await answered();
    expect(asked).toEqual(['/work/calc in /work']);
    expect(changes()).toBe(1);
    expect([routes.isConnected(view), routes.kindsTaken(view)]).toEqual([true, ['nudge', 'gate']]);
    expect(routes.routeOf(view)).toEqual({
      connected: true,
      canConnect: true,
      connectedAt: CONNECTED_AT,
      chat: false,
      wakesIdle: false,
      joinsRunning: false,
      proof: 'waiting',
    });
  });

  it("waits for the agent's own first call, and is silent after three calls without one", async () => {
    const { routes, changes, answered, later, prove } = stage();
    const after = (calls: number) => ({ ...view, health: { ...view.health, calls: view.health.calls + calls } });
    routes.isConnected(view);
    await answered();
    expect([routes.proofOf(view), routes.proofOf(after(2)), routes.proofOf(after(3))]).toEqual([
      'waiting',
      'waiting',
      'silent',
    ]);
    expect(routes.proofOfAll([after(3), view])).toBe('silent');
    prove();
    later(2_001);
    routes.proofOf(after(3));
    await answered();
    expect([routes.proofOf(after(3)), routes.proofOfAll([view]), changes()]).toEqual(['proven', 'proven', 2]);
    expect(routes.proofOfAll([])).toBe('waiting');
  });

  it('seems silent until it is checked again, unless the session could not have loaded our hooks', async () => {
    const { routes, answered, prove } = stage();
    const calls = (startedAt: number) => ({ ...view, health: { ...view.health, startedAt, calls: 3 } });
    routes.isConnected(view);
    await answered();
    routes.proofOf(view);
    expect([routes.seemsSilent(calls(T0)), routes.seemsSilent(calls(CONNECTED_AT - 1))]).toEqual([true, false]);
    expect(await routes.isSilent(calls(T0))).toBe(true);
    prove();
    expect(routes.seemsSilent(calls(T0))).toBe(true);
    expect(await routes.isSilent(calls(T0))).toBe(false);
  });

  it('is looked up again after half a minute, and rows are redrawn only if it changed', async () => {
    const { routes, asked, changes, answered, later, become } = stage();
    routes.isConnected(view);
    await answered();
    later(30_000);
    routes.isConnected(view);
    expect(asked).toHaveLength(1);
    later(1);
    expect(routes.isConnected(view)).toBe(true);
    await answered();
    expect([asked.length, changes()]).toEqual([2, 1]);
    become('not_connected');
    later(30_001);
    routes.isConnected(view);
    await answered();
    expect([routes.isConnected(view), routes.kindsTaken(view), changes()]).toEqual([false, [], 2]);
  });

  it("does not exist yet while the setup waits for the person's trust, and names the step that is left", async () => {
    const { routes, become } = stage();
    become('not_trusted');
    await routes.learn(view);
    expect([routes.isConnected(view), routes.kindsTaken(view)]).toEqual([false, []]);
    expect(routes.routeOf(view)).toMatchObject({ connected: false, trustStep: 'Trust it in Codex.' });
    become('connected');
    await routes.learn(view);
    expect(routes.routeOf(view)).not.toHaveProperty('trustStep');
  });

  it('is a different one in another folder', async () => {
    const { routes, asked, answered } = stage();
    routes.isConnected(view);
    await answered();
    expect(routes.isConnected({ ...view, cwd: '/work/other' })).toBe(false);
    expect(asked).toEqual(['/work/calc', '/work/other']);
  });

  it('is looked up again after Connect', async () => {
    const { routes, asked, answered, changes } = stage();
    routes.isConnected(view);
    await answered();
    routes.forget();
    expect([changes(), routes.isConnected(view)]).toEqual([2, false]);
    await answered();
    expect(asked).toHaveLength(2);
  });

  // a row is drawn: the settings are being read │ Connect writes them │ the reading returns: it saw no connection
  it('is not taken from before Connect if the look at the settings was under way', async () => {
    const { routes, become, holdBack, answered } = stage();
    become('not_connected');
    const release = holdBack();
    routes.isConnected(view);
    become('connected');
    routes.forget();
    const learnt = routes.learn(view);
    release();
    await learnt;
    await answered();
    expect([routes.isConnected(view), routes.kindsTaken(view)]).toEqual([true, ['nudge', 'gate']]);
  });

  // the proof of the old connection is being looked for │ Connect removes it │ the look returns: it found it
  it('is not proven by a proof that was looked for before Connect', async () => {
    const { routes, prove, holdBack, answered } = stage();
    await routes.learn(view);
    prove();
    const release = holdBack();
    routes.proofOf(view);
    routes.forget();
    prove(false);
    routes.isConnected(view);
    await answered();
    routes.proofOf(view);
    release();
    await answered();
    expect(routes.proofOf(view)).toBe('waiting');
  });

  it('must be proven again after Connect, and is checked every two seconds, however often a row is drawn', async () => {
    const { routes, answered, prove, proofs, later } = stage();
    prove();
    routes.isConnected(view);
    await answered();
    for (let i = 0; i < 5; i++) routes.proofOf(view);
    await answered();
    expect([routes.proofOf(view), proofs()]).toEqual(['proven', 1]);
    later(2_001);
    routes.forget();
    await routes.learn(view);
    expect(routes.proofOf(view)).toBe('waiting');
  });

  it('does not exist if the lookup fails', async () => {
    const { routes, breaks, answered, changes } = stage();
    breaks();
    routes.isConnected(view);
    await answered();
    expect([routes.isConnected(view), changes()]).toEqual([false, 0]);
  });

  it('does not exist for a kind of agent without a bridge, or if the folder is unknown', () => {
    const { routes, asked } = stage();
    const { cwd: _cwd, ...nowhere } = view;
    const unknown = agentView('t', {}, { agent: 'goose', cwd: '/work/calc' });
    expect([routes.isConnected(nowhere), routes.isConnected(unknown), asked]).toEqual([false, false, []]);
    expect(routes.routeOf(unknown)).toEqual({
      connected: false,
      canConnect: false,
      connectedAt: null,
      chat: false,
      wakesIdle: true,
      joinsRunning: true,
      proof: 'proven',
    });
  });

  it('is looked up once while the answer is on its way, however often a row is drawn', async () => {
    const { routes, asked, answered } = stage();
    for (let i = 0; i < 5; i++) routes.isConnected(view);
    await answered();
    expect(asked).toHaveLength(1);
  });

  it('of a replayed agent is the replay itself, which takes nudges and nothing else', () => {
    const { routes, asked } = stage(true);
    expect([routes.isConnected(view), routes.kindsTaken(view), asked]).toEqual([true, ['nudge'], []]);
  });
});
