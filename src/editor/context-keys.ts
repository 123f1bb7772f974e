import * as vscode from 'vscode';

/** Context keys that menus, welcome views and enablement use (package.json). */
export interface ContextKeys {
  'unstuck.hasAgents': boolean;
  'unstuck.hasIncidents': boolean;
  'unstuck.needsYou': boolean;
  /** True if an agent still waits after a usage limit that has opened. */
  'unstuck.limitOpened': boolean;
  'unstuck.paused': boolean;
  'unstuck.virtual': boolean;
  'unstuck.replaying': boolean;
  'unstuck.incidentFilter': boolean;
  'unstuck.finishedToday': number;
  'unstuck.gates': boolean;
  /** True if an agent's settings contain our hook, in a folder of this window. */
  'unstuck.connected': boolean;
  /** True once the panel has shown an incident with its evidence. */
  'unstuck.evidenceSeen': boolean;
  /** True if the agent of the panel in front runs in a terminal or the chat of this window. */
  'unstuck.panelSurface': boolean;
  /** True if a restart of that agent waits until its person has closed it. */
  'unstuck.panelCloses': boolean;
}

const known = new Map<keyof ContextKeys, boolean | number>();

/** Sets a context key when it changed. */
export function setContext<K extends keyof ContextKeys>(key: K, value: ContextKeys[K]): void {
  if (known.get(key) === value) return;
  known.set(key, value);
  void vscode.commands.executeCommand('setContext', key, value);
}
