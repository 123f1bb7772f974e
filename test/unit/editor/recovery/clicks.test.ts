import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Decision } from '../../../../src/recover/decisions/decision';
import { RecoveryUi } from '../../../../src/editor/recovery/recovery-ui';
import { ok } from '../../../../src/base/util/result';
import { incident } from '../../history/support/incidents';
import { agentView } from '../support/views';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

/** An agent that is stuck, a person who clicks, and what recovery was told to do. */
function stage(decision: Partial<Decision> = {}) {
  const acted: unknown[] = [];
  const nothing = () => ({ dispose: () => undefined });
  const recovery = {
    onLaunch: nothing,
    onDidChange: nothing,
    ended: () => undefined,
    decide: () => ({ do: 'restart', reason: 'asked', text: '', rung: null, ...decision }),
    act: (id: string, request: unknown) => Promise.resolve((acted.push([id, request]), ok({ kind: 'asked' }))),
  };
  const terminals = { onDidChange: nothing, onDidEnd: nothing };
  const ui = new RecoveryUi(
    {} as never,
    recovery as never,
    () => ok({} as never),
    terminals as never,
    { of: () => undefined, onDidChange: nothing },
    {} as never,
    {} as never,
  );
  const about = incident({ id: 'A', session: 's' });
  const view = agentView('s', { kind: 'stuck' }, { incidents: [about] });
  return { acted, act: (action: 'fresh' | 'stop' | 'block') => ui.act(view, about, action) };
}

const questions = () => editor.shown.map(({ text }) => text);

describe('a click that ends a process', () => {
  it.each([
    ['fresh', 'Restart Claude Code with a fresh context?', 'Restart'],
    ['stop', 'Stop Claude Code?', 'Stop'],
  ] as const)('%s asks first, and ends nothing where the person cancels', async (action, question, button) => {
    const { act, acted } = stage();
    await act(action);
    expect([questions(), acted]).toEqual([[question], []]);
    editor.answers.push(button);
    await act(action);
    expect(acted).toEqual([['A', { action }]]);
  });

  it('twin: one that ends nothing asks nothing', async () => {
    const { act, acted } = stage({ do: 'block' });
    await act('block');
    expect([questions(), acted]).toEqual([[], [['A', { action: 'block' }]]]);
  });
});

it('a click that cannot be carried out says why, and does nothing', async () => {
  const { act, acted } = stage({ do: 'nothing', text: 'It is working again.' });
  await act('fresh');
  expect([questions(), acted]).toEqual([['It is working again.'], []]);
});
