import { beforeEach, expect, it, vi } from 'vitest';
import { WatchedFolders } from '../../../src/editor/folders';
import { changes, resetEditor, workspace } from './support/vscode';

vi.mock('vscode', () => import('./support/vscode'));
beforeEach(resetEditor);

it('agents are watched in the folders on disk that are open now, and in the folder of a replay', () => {
  const folders = new WatchedFolders();
  const heard = vi.fn();
  folders.onDidChange(heard);
  expect(folders.list()).toEqual([]);
  workspace.workspaceFolders.push(
    { uri: { scheme: 'file', fsPath: '/home/me/calc' } },
    { uri: { scheme: 'vscode-vfs', fsPath: '/github/shop' } },
  );
  changes.folders.fire();
  expect([folders.list(), heard.mock.calls.length]).toEqual([['/home/me/calc'], 1]);
  folders.addReplayed('/replay/1');
  folders.addReplayed('/replay/2');
  expect([folders.list(), heard.mock.calls.length]).toEqual([['/home/me/calc', '/replay/2'], 3]);
  folders.dispose();
  changes.folders.fire();
  expect(heard).toHaveBeenCalledTimes(3);
});
