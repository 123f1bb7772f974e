import { dirname } from 'node:path';
import * as vscode from 'vscode';

/**
 * Returns where VS Code keeps the data of the open workspace, and the workspace's first folder, in which its own chat agent works. Returns nothing in
 * a window without a folder.
 */
export function editorStorage(context: Pick<vscode.ExtensionContext, 'storageUri'>): {
  readonly editor?: { readonly storage: string; readonly folder: string };
} {
  const own = context.storageUri;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (own?.scheme !== 'file' || folder?.scheme !== 'file') return {};
  return { editor: { storage: dirname(own.fsPath), folder: folder.fsPath } };
}
