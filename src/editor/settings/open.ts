import * as vscode from 'vscode';

/**
 * Opens a setting of the machine where it can be changed. In a remote window that is the tab of the remote machine: the user's tab does not
 * show it there, and would say that there is no such setting.
 */
export async function openMachineSetting(query: string): Promise<void> {
  if (vscode.env.remoteName === undefined) await vscode.commands.executeCommand('workbench.action.openSettings', query);
  else await vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query });
}
