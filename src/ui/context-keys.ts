import * as vscode from 'vscode';

/** Context keys that menus, welcome views and enablement ask for (package.json). */
export interface ContextKeys {
  'unstuck.hasAgents': boolean;
  'unstuck.hasIncidents': boolean;
  'unstuck.stuck': boolean;
  'unstuck.paused': boolean;
  'unstuck.virtual': boolean;
  'unstuck.replaying': boolean;
  'unstuck.showsFinished': boolean;
  'unstuck.showsOtherFolders': boolean;
  'unstuck.incidentFilter': boolean;
  'unstuck.finishedToday': number;
  'unstuck.gates': boolean;
}

const known = new Map<keyof ContextKeys, boolean | number>();

/** Sets a context key when it changed. */
export function setContext<K extends keyof ContextKeys>(key: K, value: ContextKeys[K]): void {
  if (known.get(key) === value) return;
  known.set(key, value);
  void vscode.commands.executeCommand('setContext', key, value);
}
