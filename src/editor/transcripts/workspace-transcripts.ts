import * as vscode from 'vscode';
import { DisposableStore } from '../../base/util/disposable';

/** A file of the workspace whose name is that of a transcript. */
export interface NamedFile {
  readonly path: string;
  readonly size: number;
  readonly modifiedAt: number;
  readonly inode: number;
  readonly appeared: boolean;
}

const EXCLUDED = '**/{node_modules,.git,.unstuck}/**';
/** Maximum number of existing files that are reported for one pattern in one folder. */
const MOST = 2_000;

/**
 * Reports transcripts in the workspace, both existing and new ones: files with one of these endings anywhere, and those that match the user's own
 * globs. The editor's own watcher is used, so that a large workspace is not walked twice.
 */
export class WorkspaceTranscripts implements vscode.Disposable {
  private watchers = new DisposableStore();

  constructor(
    private readonly endings: readonly string[],
    private readonly found: (file: NamedFile) => void,
    /** Called if there are more than are reported. */
    private readonly leftSomeOut: (folder: string, reported: number) => void,
  ) {}

  /** Watches the folders that are open now, in place of the earlier ones. */
  watch(include: readonly string[]): void {
    this.watchers.dispose();
    this.watchers = new DisposableStore();
    const named = `**/{${this.endings.map((ending) => `*${ending}`).join(',')}}`;
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      if (folder.uri.scheme === 'file') for (const glob of [named, ...include]) this.watchGlob(folder, glob);
    }
  }

  dispose(): void {
    this.watchers.dispose();
  }

  private watchGlob(folder: vscode.WorkspaceFolder, glob: string): void {
    const { found } = this;
    const pattern = new vscode.RelativePattern(folder, glob);
    const watcher = this.watchers.add(vscode.workspace.createFileSystemWatcher(pattern, false, false, true));
    this.watchers.add(watcher.onDidCreate((uri) => void report(uri, true, found)));
    this.watchers.add(watcher.onDidChange((uri) => void report(uri, true, found)));
    void vscode.workspace.findFiles(pattern, EXCLUDED, MOST + 1).then((uris) => {
      for (const uri of uris.slice(0, MOST)) void report(uri, false, found);
      if (uris.length > MOST) this.leftSomeOut(folder.uri.fsPath, MOST);
    });
  }
}

async function report(uri: vscode.Uri, appeared: boolean, found: (file: NamedFile) => void): Promise<void> {
  try {
    const stat = await vscode.workspace.fs.stat(uri);
    if (stat.type !== vscode.FileType.File) return;
    found({ path: uri.fsPath, size: stat.size, modifiedAt: stat.mtime, inode: 0, appeared });
  } catch {
    // The file was gone before it could be checked.
  }
}
