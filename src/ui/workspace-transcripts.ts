import * as vscode from 'vscode';
import { DisposableStore } from '../util/disposable';

/** A file of the workspace that is a transcript by its name. */
export interface NamedFile {
  readonly path: string;
  readonly size: number;
  readonly modifiedAt: number;
  readonly inode: number;
  readonly appeared: boolean;
}

const EXCLUDED = '**/{node_modules,.git,.unstuck}/**';
const MOST = 2_000;

/**
 * Tells of transcripts in the workspace: files whose names end like this anywhere, and the user's own globs, those that are there and
 * those that appear. The editor's own watcher is used, so that a large workspace is not walked twice.
 */
export function watchWorkspaceTranscripts(
  endings: readonly string[],
  include: readonly string[],
  found: (file: NamedFile) => void,
): vscode.Disposable {
  const owned = new DisposableStore();
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    if (folder.uri.scheme !== 'file') continue;
    for (const glob of [`**/{${endings.map((ending) => `*${ending}`).join(',')}}`, ...include]) {
      const pattern = new vscode.RelativePattern(folder, glob);
      const watcher = owned.add(vscode.workspace.createFileSystemWatcher(pattern, false, false, true));
      owned.add(watcher.onDidCreate((uri) => void tell(uri, true, found)));
      owned.add(watcher.onDidChange((uri) => void tell(uri, true, found)));
      void vscode.workspace.findFiles(pattern, EXCLUDED, MOST).then((uris) => {
        for (const uri of uris) void tell(uri, false, found);
      });
    }
  }
  return owned;
}

async function tell(uri: vscode.Uri, appeared: boolean, found: (file: NamedFile) => void): Promise<void> {
  try {
    const stat = await vscode.workspace.fs.stat(uri);
    if (stat.type !== vscode.FileType.File) return;
    found({ path: uri.fsPath, size: stat.size, modifiedAt: stat.mtime, inode: 0, appeared });
  } catch {
    // Gone again before it could be looked at.
  }
}
