import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Bridge, ConnectionStatus } from '../../../../src/agents/inbox';
import type { ConnectScope } from '../../../../src/agents/inbox/bridge';
import { Connections, type ElsewherePort } from '../../../../src/editor/connect/connect';
import type { Routes } from '../../../../src/editor/nudges/routes';
import type { Services } from '../../../../src/editor/services';
import type { AgentView } from '../../../../src/core/model';
import { recordingLog } from '../../support/log';
import { agentView } from '../support/views';
import { changes, editor, resetEditor, settings, workspace } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
/** The differences that Connect shows, and what the person does with them. */
const read = vi.hoisted(() => ({ answers: [] as boolean[], shown: [] as string[], open: 0, closed: 0 }));
vi.mock('../../../../src/editor/connect/plan-previews', () => ({
  PlanPreviews: class {
    show = (plans: readonly { title: string; plan: { file: string } }[]) => {
      read.open = plans.length;
      return Promise.resolve(void read.shown.push(...plans.map(({ title, plan }) => `${title}: ${plan.file}`)));
    };
    answer = () => Promise.resolve(read.answers.shift() ?? false);
    hide = () => Promise.resolve(void (read.open = 0));
    dispose = () => void read.closed++;
  },
}));
const keys = vi.hoisted(() => [] as unknown[]);
vi.mock('../../../../src/editor/context-keys', () => ({ setContext: (key: string) => void keys.push(key) }));
beforeEach(() => {
  keys.length = 0;
  resetEditor();
  Object.assign(read, { answers: [], shown: [], open: 0, closed: 0 });
  settings.clear();
  workspace.workspaceFolders.push({ uri: { fsPath: '/work', scheme: 'file' } });
});

const made: Connections[] = [];
afterEach(() => {
  for (const connections of made.splice(0)) connections.dispose();
});
function connectionsOf(...parts: ConstructorParameters<typeof Connections>): Connections {
  const connections = new Connections(...parts);
  made.push(connections);
  return connections;
}

const ELSEWHERE = { pid: 7, variable: 'CODEX_HOME', folder: '/data/codex', ours: '/home/me/.codex', settable: true };
const UNTESTED = 'Unstuck was not tested with Codex 0.200.0.';

function stage(elsewhere: Awaited<ReturnType<ElsewherePort>> = null) {
  const did: string[] = [];
  const plan = { file: '/home/me/.codex/hooks.json', before: null, diff: '+ x', warnings: [], remarks: ['Later.'] };
  const bridge = {
    agent: 'codex',
    scopes: ['user'],
    plan: () => {
      did.push('plan');
      return Promise.resolve({ ok: true, value: plan });
    },
    connect: () => Promise.resolve({ ok: false, error: { message: 'The disk is full.' } }),
  };
  const services = {
    bridges: new Map([['codex', bridge as unknown as Bridge]]),
    agentNames: new Map([['codex', 'Codex']]),
    engine: { agents: () => [] },
  } as unknown as Services;
  const routes = { forget: () => undefined } as unknown as Routes;
  const untested = {
    isFound: () => Promise.resolve(false),
    versionOf: () => Promise.resolve('0.200.0'),
    sentenceOf: () => Promise.resolve(UNTESTED),
  };
  return { connections: connectionsOf(services, routes, untested, () => Promise.resolve(elsewhere)), did };
}

const shown = () => editor.shown.map(({ text }) => text);

describe('Connect', () => {
  it('finds an agent whose files are elsewhere, says where, and writes nothing', async () => {
    const { connections, did } = stage(ELSEWHERE);
    await connections.connect({ agent: 'codex' });
    expect(shown()).toEqual([
      'Codex (process 7) keeps its files in /data/codex. This window looks in /home/me/.codex, so it cannot see that agent, and what Connect writes may not reach it. Look there, or start VS Code with the same CODEX_HOME as the agent.',
    ]);
    expect(editor.shown[0]?.buttons).toEqual(['Look There', 'Connect Anyway']);
    expect([did, settings.size]).toEqual([[], 0]);
  });

  it('makes the windows of this machine look there if the person chooses that', async () => {
    const { connections, did } = stage(ELSEWHERE);
    editor.answers.push('Look There', 'Reload Window');
    await connections.connect({ agent: 'codex' });
    expect(settings.get('agents.folders')).toEqual({ CODEX_HOME: '/data/codex' });
    expect(editor.targets).toEqual(['global']);
    expect(editor.commands).toEqual([['workbench.action.reloadWindow']]);
    expect(did).toEqual([]);
  });

  it('reloads the window only if the person says so', async () => {
    const { connections } = stage(ELSEWHERE);
    editor.answers.push('Look There');
    await connections.connect({ agent: 'codex' });
    expect([settings.has('agents.folders'), editor.commands]).toEqual([true, []]);
  });

  it('offers no setting if other programs use the same variable', async () => {
    const { connections, did } = stage({ ...ELSEWHERE, variable: 'XDG_CONFIG_HOME', settable: false });
    editor.answers.push('Connect Anyway');
    await connections.connect({ agent: 'codex' });
    expect(editor.shown[0]?.buttons).toEqual(['Connect Anyway']);
    expect(shown()[0]).toMatch(/Start VS Code with the same XDG_CONFIG_HOME as the agent\.$/);
    expect(did).toEqual(['plan']);
  });

  it('asks in a dialog that says the release was not tested', async () => {
    const { connections } = stage();
    await connections.connect({ agent: 'codex' });
    expect(editor.shown[0]).toMatchObject({
      text: 'Connect Codex?',
      buttons: [{ modal: true, detail: expect.stringContaining(UNTESTED) }, 'Connect', 'Read First'],
    });
  });
});

const codexes = (count: number) =>
  Array.from({ length: count }, (_, at) => agentView(`x${at}`, {}, { cwd: '/docs', agent: 'codex' }));
const FILES = { '/shop': '/shop/.claude/settings.local.json', '/docs': '/docs/.claude/settings.local.json' };

/** A window with two folders, Claude Code in both and Codex, whose settings are the person's own, in one. */
function window(...more: readonly AgentView[]) {
  workspace.workspaceFolders.length = 0;
  for (const fsPath of Object.keys(FILES)) workspace.workspaceFolders.push({ uri: { fsPath, scheme: 'file' } });
  const did: string[] = [];
  const states = new Map<string, ConnectionStatus['state']>();
  /** The kind of agent whose settings cannot be read. */
  const broken = { breaks: '' };
  let after: Pick<ConnectionStatus, 'state' | 'message'> = { state: 'connected', message: '' };
  let refreshed: typeof after = after;
  let diff = '--- a\n+ x\n+ y\n  z';
  let trouble: string | null = null;
  let troubled: string | undefined;
  let before: string | null = null;
  let alternative: 'user' | undefined;
  let forgotten = 0;
  const log = recordingLog();
  const bridgeOf = (agent: string, scope: ConnectScope) => ({
    agent,
    scopes: [scope],
    plan: (target: { folder: string; scope: ConnectScope }) => {
      const isUser = scope === 'user' || target.scope === 'user';
      if (target.scope !== scope) trouble = null;
      const file = isUser ? '/home/me/.codex/hooks.json' : `${target.folder}/.claude/settings.local.json`;
      return Promise.resolve({ ok: true, value: { file, target, before, diff, warnings: [], remarks: [] } });
    },
    connect: ({ file }: { file: string }) => {
      if (trouble !== null && (troubled ?? file) === file)
        return Promise.resolve({ ok: false, error: { message: trouble, alternative } });
      did.push(file);
      return Promise.resolve({ ok: true, value: after });
    },
    disconnect: ({ folder }: { folder: string }) => {
      did.push(`removed in ${folder}`);
      if (trouble !== null) return Promise.resolve({ ok: false, error: { message: trouble } });
      return Promise.resolve({ ok: true, value: { file: `${folder}/.claude/settings.local.json` } });
    },
    refresh: ({ folder }: { folder: string }) => {
      did.push(`refreshed in ${folder}`);
      return Promise.resolve(refreshed);
    },
    test: () => Promise.resolve({ passed: true, message: 'Tested: the hook answered in 4 ms' }),
    status: ({ folder }: { folder: string }) =>
      broken.breaks === agent
        ? Promise.reject(new Error('gone'))
        : Promise.resolve({
            state: states.get(`${agent} ${folder}`) ?? 'not_connected',
            scope: states.has(`${agent} ${folder}`) ? scope : null,
            file: scope === 'user' ? '/home/me/.codex/hooks.json' : `${folder}/.claude/settings.local.json`,
          }),
  });
  const views = [
    agentView('a', {}, { cwd: '/shop' }),
    agentView('b', {}, { cwd: '/docs' }),
    agentView('c', {}, { cwd: '/docs', agent: 'codex' }),
    agentView('d', {}, { cwd: '/elsewhere' }),
    agentView('e', { kind: 'finished' }, { cwd: '/shop' }),
    ...more,
  ];
  const services = {
    bridges: new Map([
      ['claude-code', bridgeOf('claude-code', 'project')],
      ['codex', bridgeOf('codex', 'user')],
    ]),
    agentNames: new Map([
      ['claude-code', 'Claude Code'],
      ['codex', 'Codex'],
    ]),
    engine: { agents: () => views },
    folders: () => Object.keys(FILES),
    log,
  } as unknown as Services;
  const untested = {
    isFound: () => Promise.resolve(true),
    versionOf: () => Promise.resolve(null),
    sentenceOf: () => Promise.resolve(null),
  };
  const routes = { forget: () => void forgotten++, proofOfAll: () => 'proven' } as unknown as Routes;
  return {
    did,
    log,
    states: broken,
    forgotten: () => forgotten,
    isThere: () => void (before = '{}'),
    breaks: (message: string, other?: 'user') => void ([trouble, alternative] = [message, other]),
    breaksAt: (file: string) => void ([trouble, troubled] = ['The disk is full.', file]),
    writesNothing: () => void (diff = ''),
    refreshes: (status: typeof after) => void (refreshed = status),
    connections: connectionsOf(services, routes, untested, () => Promise.resolve(null)),
    is: (agent: string, folder: string, state: ConnectionStatus['state']) =>
      void states.set(`${agent} ${folder}`, state),
    ends: (status: typeof after) => void (after = status),
  };
}

describe('Connect in a window with several folders', () => {
  it('from an agent is for its own folder, without asking for one', async () => {
    const { connections, did } = window();
    editor.answers.push('Connect');
    expect(await connections.connect({ agent: 'claude-code', cwd: '/docs' })).toBe(true);
    expect(did).toEqual([FILES['/docs']]);
    expect([editor.picked, shown()]).toEqual([
      [],
      [
        'Connect Claude Code?',
        'Claude Code is connected; its next tool call will confirm it. Tested: the hook answered in 4 ms.',
      ],
    ]);
  });

  it('from the palette is for all folders, with one question', async () => {
    const { connections, did } = window();
    editor.answers.push('Connect');
    await connections.connect({ agent: 'claude-code' });
    expect(did).toEqual(Object.values(FILES));
    expect(shown().filter((text) => text.endsWith('?'))).toEqual(['Connect Claude Code?']);
  });

  it('lists for each kind of agent what it would write, and in how many folders', async () => {
    const { connections, is } = window();
    is('claude-code', '/shop', 'connected');
    await connections.connect();
    expect(editor.picks[0]).toMatchObject([
      {
        label: 'Claude Code',
        description: '4 sessions here, connected in 1 of 2 folders',
        detail: 'Shows the change and asks before writing: .claude/settings.local.json in 2 folders',
      },
      { label: 'Codex', detail: 'Shows the change and asks before writing: /home/me/.codex/hooks.json' },
    ]);
  });

  it('writes into a person’s own settings once, however many folders there are', async () => {
    const { connections, did } = window();
    editor.answers.push('Connect');
    expect(await connections.connect({ agent: 'codex' })).toBe(true);
    expect(did).toEqual(['/home/me/.codex/hooks.json']);
  });

  it('is not done while one of its folders is left, so no nudge follows', async () => {
    const { connections, did, breaksAt } = window();
    breaksAt(FILES['/docs']);
    editor.answers.push('Connect and Nudge');
    expect(await connections.connect({ agent: 'claude-code' }, true)).toBe(false);
    expect(did).toEqual([FILES['/shop']]);
  });

  it('lists the agents that work here first, and includes those that could not be checked', async () => {
    const { connections, states } = window(agentView('f', {}, { cwd: '/docs', agent: 'codex' }), ...codexes(3));
    states.breaks = 'claude-code';
    await connections.connect();
    expect(editor.questions).toEqual(['Connect which agent?']);
    expect(editor.picks[0]).toMatchObject([
      { label: 'Codex', description: '5 sessions here, not connected' },
      { label: 'Claude Code', detail: '' },
    ]);
    await connections.disconnect();
    expect(editor.questions[1]).toBe('Disconnect which agent?');
  });

  it('writes nothing without an answer, and does not report success', async () => {
    const { connections, did } = window();
    expect(await connections.connect({ agent: 'claude-code', cwd: '/docs' }, true)).toBe(false);
    expect([did, shown()]).toEqual([[], ['Connect Claude Code and send the nudge?']]);
  });

  it('does not take Cancel for a yes, although the preview is open', async () => {
    const { connections, did } = window();
    read.answers.push(true);
    expect(await connections.connect({ agent: 'claude-code', cwd: '/docs' })).toBe(false);
    expect(did).toEqual([]);
  });

  it('waits for a person who reads first', async () => {
    const { connections, did } = window();
    editor.answers.push('Read First', 'Read First');
    read.answers.push(false, true);
    expect(await connections.connect({ agent: 'claude-code', cwd: '/docs' })).toBe(false);
    expect(await connections.connect({ agent: 'claude-code', cwd: '/docs' })).toBe(true);
    expect(did).toEqual([FILES['/docs']]);
  });

  it('leaves the report to the nudge that follows, except for a step that the person must do', async () => {
    const { connections, ends } = window();
    editor.answers.push('Connect and Nudge');
    expect(await connections.connect({ agent: 'codex', cwd: '/docs' }, true)).toBe(true);
    expect(shown()).toEqual(['Connect Codex and send the nudge?']);
    ends({ state: 'not_trusted', message: 'One step left: trust the hook.' });
    editor.answers.push('Connect and Nudge');
    expect(await connections.connect({ agent: 'codex', cwd: '/docs' }, true)).toBe(true);
    expect(shown().at(-1)).toBe('Unstuck is set up for Codex. One step left: trust the hook.');
  });
});

describe('what Connect writes', () => {
  const docs = { agent: 'claude-code', cwd: '/docs' };

  it('is shown before the question and closed after it, with the number of added lines', async () => {
    const { connections, isThere } = window();
    isThere();
    await connections.connect(docs);
    expect([read.shown, read.open]).toEqual([[`Connect Claude Code: ${FILES['/docs']}`], 0]);
    expect(editor.shown[0]?.buttons[0]).toMatchObject({ detail: expect.stringContaining('2 lines are added') });
    connections.dispose();
    expect(read.closed).toBe(1);
  });

  it('needs a question only if something changes', async () => {
    const { connections, writesNothing, did, forgotten } = window();
    writesNothing();
    expect(await connections.connect(docs)).toBe(true);
    expect([read.shown, did, forgotten()]).toEqual([[], [FILES['/docs']], 1]);
    expect(keys).toContain('unstuck.connected');
  });

  it('is reported if it cannot be written, and nothing counts as connected', async () => {
    const { connections, breaks, did } = window();
    breaks('The disk is full.');
    editor.answers.push('Connect');
    expect(await connections.connect(docs)).toBe(false);
    expect([did, shown().at(-1), keys]).toEqual([[], 'The disk is full.', []]);
  });

  it('goes into other settings only if the person chooses them and agrees again', async () => {
    const { connections, breaks, did } = window();
    breaks('The file is read-only.', 'user');
    editor.answers.push('Connect', undefined);
    expect([await connections.connect(docs), did]).toEqual([false, []]);
    editor.answers.push('Connect', 'Use My User Settings', undefined);
    expect([await connections.connect(docs), did]).toEqual([false, []]);
    breaks('The file is read-only.', 'user');
    editor.answers.push('Connect', 'Use My User Settings', 'Connect');
    expect([await connections.connect(docs), did]).toEqual([true, ['/home/me/.codex/hooks.json']]);
  });

  it('needs a folder', async () => {
    const { connections, did } = window();
    workspace.workspaceFolders.length = 0;
    expect(await connections.connect({ agent: 'claude-code' })).toBe(false);
    editor.answers.push('Disconnect');
    await connections.disconnect('claude-code');
    const said = 'First open the folder in which the agent works. An agent is connected for one folder.';
    expect([did, shown()]).toEqual([[], [said, said]]);
  });
});

describe('Disconnect', () => {
  it('removes what was written once the person agrees, and nothing before', async () => {
    const { connections, did, is, forgotten } = window();
    workspace.workspaceFolders.length = 1;
    is('claude-code', '/shop', 'connected');
    await connections.disconnect('claude-code');
    expect([did, shown()]).toEqual([[], ['Disconnect Claude Code?']]);
    editor.answers.push('Disconnect');
    await connections.disconnect('claude-code');
    expect([did, forgotten()]).toEqual([['removed in /shop'], 1]);
    expect(shown().at(-1)).toContain('Unstuck removed everything it wrote to /shop/.claude/settings.local.json.');
  });

  it('applies to the folder that was picked, and to none if the list was closed', async () => {
    const { connections, did, is } = window();
    is('claude-code', '/docs', 'connected');
    await connections.disconnect('claude-code');
    expect([editor.picked, did, shown()]).toEqual([[['shop', 'docs']], [], []]);
    editor.answers.push('docs', 'Disconnect');
    await connections.disconnect('claude-code');
    expect(did).toEqual(['removed in /docs']);
  });

  it('says why it could not be done', async () => {
    const { connections, is, breaks } = window();
    workspace.workspaceFolders.length = 1;
    is('claude-code', '/shop', 'connected');
    breaks('The file is read-only.');
    editor.answers.push('Disconnect');
    await connections.disconnect('claude-code');
    expect(editor.shown.at(-1)).toMatchObject({ kind: 'error', text: 'The file is read-only.' });
  });

  it('asks nothing if nothing was written', async () => {
    const { connections, did } = window();
    workspace.workspaceFolders.length = 1;
    await connections.disconnect('claude-code');
    expect([did, shown()]).toEqual([[], ['Claude Code is not connected here.']]);
  });
});

describe('an update of the extension', () => {
  it('updates what is installed, but in no untrusted folder', async () => {
    const { connections, did } = window();
    workspace.isTrusted = false;
    await connections.refresh();
    expect(did).toEqual([]);
    workspace.isTrusted = true;
    await connections.refresh();
    expect(did).toEqual(['/shop', '/shop', '/docs', '/docs'].map((folder) => `refreshed in ${folder}`));
    expect(keys).toContain('unstuck.connected');
  });

  it('reaches a folder that is trusted or opened later, too: the hook looks for messages in known folders only', async () => {
    const { connections, did } = window();
    workspace.workspaceFolders.length = 1;
    workspace.isTrusted = false;
    await connections.refresh();
    expect(did).toEqual([]);
    workspace.isTrusted = true;
    changes.trust.fire();
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    await settled();
    expect(did).toEqual(['refreshed in /shop', 'refreshed in /shop']);
    did.length = 0;
    workspace.workspaceFolders.push({ uri: { fsPath: '/docs', scheme: 'file' } });
    changes.folders.fire();
    await settled();
    expect(did).toContain('refreshed in /docs');
    did.length = 0;
    connections.dispose();
    changes.folders.fire();
    await settled();
    expect(did).toEqual([]);
  });

  it('skips folders that are not on a disk, and logs what went wrong', async () => {
    const { connections, did, refreshes, log } = window();
    workspace.workspaceFolders.length = 1;
    workspace.workspaceFolders.push({ uri: { fsPath: '/github', scheme: 'vscode-vfs' } });
    refreshes({ state: 'not_connected', message: 'It was never connected.' });
    await connections.refresh();
    expect([did, log.lines, keys]).toEqual([['refreshed in /shop', 'refreshed in /shop'], [], []]);
    refreshes({ state: 'broken' as never, message: 'The file is damaged.' });
    await connections.refresh();
    expect(log.lines).toEqual(['warn: The file is damaged.', 'warn: The file is damaged.']);
  });
});

describe('Connect All', () => {
  it('connects every agent that works in this window and is not connected, with one question', async () => {
    const { connections, did, is } = window();
    is('claude-code', '/shop', 'connected');
    editor.answers.push('Connect');
    await connections.connectAll();
    expect(did).toEqual([FILES['/docs'], '/home/me/.codex/hooks.json']);
    expect(shown()[0]).toBe('Connect Claude Code, Codex?');
  });

  it('skips agents that have ended, that cannot be connected or that work in no folder of this window', async () => {
    const { cwd: _, ...nowhere } = agentView('h');
    const ended = agentView('f', { kind: 'finished' }, { cwd: '/docs' });
    const { connections, did, is } = window(ended, agentView('g', {}, { cwd: '/docs', agent: 'generic' }), nowhere);
    for (const folder of Object.keys(FILES)) is('claude-code', folder, 'connected');
    is('codex', '/docs', 'connected');
    await connections.connectAll();
    expect([did, shown().length]).toEqual([[], 1]);
  });

  it('says so when nothing is left to connect', async () => {
    const { connections, did, is } = window();
    for (const folder of Object.keys(FILES))
      for (const agent of ['claude-code', 'codex']) is(agent, folder, 'connected');
    await connections.connectAll();
    expect([did, shown()]).toEqual([[], ['All agents in this window that can be connected are connected.']]);
  });
});
