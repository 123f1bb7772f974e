import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Chats } from '../../../../src/editor/chat/chats';
import { editor, lm, resetEditor, workspace } from '../support/vscode';
import { agentView } from '../support/views';

vi.mock('vscode', () => import('../support/vscode'));

const STORAGE = '/home/ada/.config/Code/User/workspaceStorage/w1';
const SESSION = '548ca3eb-a298-4901-b80b-b5ddf10a935f';
const FILE = `${STORAGE}/GitHub.copilot-chat/transcripts/${SESSION}.jsonl`;
const view = (more: object = {}) => ({ ...agentView(SESSION), agent: 'vscode-chat' as const, file: FILE, ...more });

function stage() {
  const context = { storageUri: { scheme: 'file', fsPath: `${STORAGE}/unstuck.unstuck` } };
  return new Chats({ context } as never);
}

beforeEach(() => {
  resetEditor();
  workspace.workspaceFolders.push({ uri: { scheme: 'file', fsPath: '/home/ada/work' } });
});

describe('a session of the chat', () => {
  it('can be opened in the window whose storage holds it', () => {
    const chats = stage();
    expect(chats.isHere(view())).toBe(true);
    expect(chats.isHere(view({ file: FILE.replace('/w1/', '/w2/') }))).toBe(false);
    expect(chats.isHere(view({ agent: 'copilot-cli' }))).toBe(false);
  });

  it('cannot be opened for a sub-agent, or in a window without a folder', () => {
    expect(stage().isHere(view({ parent: 'p' }))).toBe(false);
    workspace.workspaceFolders.length = 0;
    expect(stage().isHere(view())).toBe(false);
  });

  it('is opened by its own address, so that no other chat comes to the front', async () => {
    await stage().show(view());
    const id = Buffer.from(SESSION).toString('base64');
    expect(editor.commands).toEqual([['vscode.open', `vscode-chat-session://local/${id}`]]);
  });
});

it('the chat in front is cancelled, started again in agent mode, or sent a prompt, without what the person has typed there', async () => {
  const chats = stage();
  await chats.cancel();
  await chats.ask('Print the path.');
  expect(await chats.begin('Fix it')).toBe(true);
  const open = 'workbench.action.chat.open';
  expect(editor.commands).toEqual([
    ['workbench.action.chat.cancel'],
    [open, { query: 'Print the path.', preserveInput: true }],
    ['workbench.action.chat.newChat'],
    [open, { query: 'Fix it', mode: 'agent' }],
  ]);
});

it('a new chat begins with the model of a rung where the window has it, and says where it does not', async () => {
  const chats = stage();
  lm.models.push({ vendor: 'copilot', id: 'opus', name: 'Opus' });
  expect(await chats.begin('Fix it', 'opus')).toBe(true);
  expect(editor.commands.at(-1)?.[1]).toEqual({
    query: 'Fix it',
    mode: 'agent',
    modelSelector: { vendor: 'copilot', id: 'opus' },
  });
  expect(await chats.begin('Fix it', 'haiku')).toBe(false);
  expect(editor.commands.at(-1)?.[1]).toEqual({ query: 'Fix it', mode: 'agent' });
});
