import { createHash } from 'node:crypto';
import * as vscode from 'vscode';

/** The same short name for the same set of folders, in every window. */
export function workspaceName(): string {
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.toString()).sort();
  return folders.length === 0 ? 'none' : createHash('sha256').update(folders.join('\n')).digest('hex').slice(0, 16);
}
