import * as vscode from 'vscode';

/** Context keys that menus, welcome views and enablement ask for (package.json). */
export interface ContextKeys {
  'unstuck.hasAgents': boolean;
  'unstuck.hasIncidents': boolean;
  'unstuck.stuck': boolean;
  'unstuck.needsYou': boolean;
  /** An agent waits after a limit of use that has opened. */
  'unstuck.limitOpened': boolean;
  'unstuck.paused': boolean;
  'unstuck.virtual': boolean;
  'unstuck.replaying': boolean;
  'unstuck.incidentFilter': boolean;
  'unstuck.finishedToday': number;
  'unstuck.gates': boolean;
  /** An agent's settings hold our hook, in a folder of this window. */
  'unstuck.connected': boolean;
  /** The panel showed an incident with its evidence. */
  'unstuck.evidenceSeen': boolean;
  /** The agent of the panel in front runs in a terminal or the chat of this window. */
  'unstuck.panelSurface': boolean;
  /** A restart of it waits until its person has closed it. */
  'unstuck.panelCloses': boolean;
}

const known = new Map<keyof ContextKeys, boolean | number>();

/** Sets a context key when it changed. */
export function setContext<K extends keyof ContextKeys>(key: K, value: ContextKeys[K]): void {
  if (known.get(key) === value) return;
  known.set(key, value);
  void vscode.commands.executeCommand('setContext', key, value);
}
