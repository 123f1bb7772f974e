import { beforeEach, describe, expect, it, vi } from 'vitest';
import { addTranscriptPath, foundWords, globProblem } from '../../../../src/editor/commands/add-transcript-path';
import { openMachineSetting } from '../../../../src/editor/settings/open';
import { editor, env, filesByGlob, resetEditor, settings, workspace } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));

beforeEach(() => {
  resetEditor();
  workspace.workspaceFolders = [{ uri: { scheme: 'file', fsPath: '/w' } }];
});

const isTranscript = (path: string) => Promise.resolve(path.endsWith('.agent.jsonl'));
const add = (...answers: (string | undefined)[]) => {
  editor.answers = answers;
  return addTranscriptPath({ isTranscript });
};

describe('a transcript path', () => {
  it('is asked for, shown with what it matches, and written for the workspace after a click', async () => {
    filesByGlob.set('logs/**', ['/w/logs/a.agent.jsonl', '/w/logs/b.agent.jsonl', '/w/logs/notes.txt']);
    settings.set('transcripts.include', ['old/*.jsonl']);
    await add(' logs/** ', 'Watch Them');
    expect(editor.shown.map(({ text }) => text)).toEqual(['logs/**: 3 files match, 2 are transcripts.']);
    expect(settings.get('transcripts.include')).toEqual(['old/*.jsonl', 'logs/**']);
    expect(editor.targets).toEqual(['workspace']);
  });

  it('is not written without the click, after Escape, or twice', async () => {
    await add('logs/**', undefined);
    await add(undefined);
    expect(settings.has('transcripts.include')).toBe(false);
    settings.set('transcripts.include', ['logs/**']);
    await add('logs/**', 'Watch Them');
    expect(editor.targets).toEqual([]);
  });

  it('takes effect in an untrusted folder only once it is trusted, and the message says so', async () => {
    workspace.isTrusted = false;
    await add('logs/**', undefined);
    expect(editor.shown[0]?.text).toBe('logs/**: No file matches yet. It takes effect once you trust this folder.');
  });

  it('needs a folder', async () => {
    workspace.workspaceFolders = [];
    await add('logs/**');
    expect(editor.shown.map(({ text }) => text)).toEqual(['First open the folder in which the agent works.']);
  });

  it('must be inside the folders of the window', () => {
    for (const glob of ['/var/log/*', '../x', 'a/../../b', '~/logs/*', 'C:\\logs\\*', '', '  '])
      expect(globProblem(glob), glob).not.toBeNull();
    for (const glob of ['logs/**/*.agent.jsonl', '**/*.txt', 'a..b/*']) expect(globProblem(glob), glob).toBeNull();
  });

  it('is shown with numbers that agree', () => {
    expect(foundWords(1, 1)).toBe('1 file matches, 1 is a transcript.');
    expect(foundWords(4, 0)).toBe('4 files match, 0 are transcripts.');
    expect(foundWords(201, 7)).toBe('More than 200 files match, 7 of the first 200 are transcripts.');
  });
});

describe('a setting of the machine', () => {
  it('opens where it can be changed: in the user settings, or in those of the remote machine', async () => {
    await openMachineSetting('unstuck.gates');
    env.remoteName = 'ssh-remote';
    await openMachineSetting('unstuck.gates');
    expect(editor.commands).toEqual([
      ['workbench.action.openSettings', 'unstuck.gates'],
      ['workbench.action.openRemoteSettings', { query: 'unstuck.gates' }],
    ]);
  });
});
