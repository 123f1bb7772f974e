import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Bridge } from '../../../../src/agents/inbox';
import { Connections, type ElsewherePort } from '../../../../src/editor/connect/connect';
import type { Routes } from '../../../../src/editor/nudges/routes';
import type { Services } from '../../../../src/editor/services';
import { editor, resetEditor, settings, workspace } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
vi.mock('../../../../src/editor/connect/plan-previews', () => ({
  PlanPreviews: class {
    show = () => Promise.resolve();
    hide = () => Promise.resolve();
  },
}));
beforeEach(() => {
  resetEditor();
  settings.clear();
  workspace.workspaceFolders.push({ uri: { fsPath: '/work', scheme: 'file' } });
});

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
  return { connections: new Connections(services, routes, untested, () => Promise.resolve(elsewhere)), did };
}

const shown = () => editor.shown.map(({ text }) => text);

describe('Connect', () => {
  it('finds an agent whose files lie elsewhere: it says where, and writes nothing', async () => {
    const { connections, did } = stage(ELSEWHERE);
    await connections.connect('codex');
    expect(shown()).toEqual([
      'Codex (process 7) keeps its files in /data/codex. This window looks in /home/me/.codex, so it does not see that agent, and what Connect writes may not reach it. Look there, or start VS Code where CODEX_HOME is set as the agent has it.',
    ]);
    expect(editor.shown[0]?.buttons).toEqual(['Look There', 'Connect Anyway']);
    expect([did, settings.size]).toEqual([[], 0]);
  });

  it('makes the windows of this machine look there when that is chosen', async () => {
    const { connections, did } = stage(ELSEWHERE);
    editor.answers.push('Look There', 'Reload Window');
    await connections.connect('codex');
    expect(settings.get('agents.folders')).toEqual({ CODEX_HOME: '/data/codex' });
    expect(editor.targets).toEqual(['global']);
    expect(editor.commands).toEqual([['workbench.action.reloadWindow']]);
    expect(did).toEqual([]);
  });

  it('offers no setting where other programs go by the same variable', async () => {
    const { connections, did } = stage({ ...ELSEWHERE, variable: 'XDG_CONFIG_HOME', settable: false });
    editor.answers.push('Connect Anyway');
    await connections.connect('codex');
    expect(editor.shown[0]?.buttons).toEqual(['Connect Anyway']);
    expect(shown()[0]).toMatch(/Start VS Code where XDG_CONFIG_HOME is set as the agent has it\.$/);
    expect(did).toEqual(['plan']);
  });

  it('asks with the words that the release was not tested', async () => {
    const { connections } = stage();
    editor.answers.push(undefined);
    await connections.connect('codex');
    expect(editor.shown[0]).toMatchObject({
      text: expect.stringContaining(UNTESTED),
      buttons: ['Connect', 'Details…', 'Cancel'],
    });
  });
});
