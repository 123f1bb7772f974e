import * as vscode from 'vscode';
import { Emitter } from '../base/util/emitter';

/** Folders whose agents are watched: the workspace folders on disk, and the folder of a replay. */
export class WatchedFolders implements vscode.Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly subscription = vscode.workspace.onDidChangeWorkspaceFolders(() => this.changed.fire());
  private replayed: string | null = null;

  /** Absolute paths. */
  list(): readonly string[] {
    const open = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
    return [...open.map((folder) => folder.uri.fsPath), ...(this.replayed === null ? [] : [this.replayed])];
  }

  /** Adds the folder in which replayed agents appear to work. */
  addReplayed(folder: string): void {
    this.replayed = folder;
    this.changed.fire();
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }
}
