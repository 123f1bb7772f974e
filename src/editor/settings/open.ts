import * as vscode from 'vscode';

/**
 * Opens a machine setting where it can be changed. In a remote window that is the tab of the remote machine: the user's tab does not show the
 * setting, and would say that it does not exist.
 */
export async function openMachineSetting(query: string): Promise<void> {
  if (vscode.env.remoteName === undefined) await vscode.commands.executeCommand('workbench.action.openSettings', query);
  else await vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query });
}
