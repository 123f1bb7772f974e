import { counted, cutWords, whole } from './format';

/** Titles: 80 characters in the panel, 26 in trees. */
export const PANEL_TITLE = 80;
export const TREE_TITLE = 26;

export function treeTitle(title: string): string {
  return cutWords(title, TREE_TITLE);
}

/** `TreeView.message` of the agents' view, by the first reason that applies. */
export function agentsMessage(facts: {
  readonly restricted: boolean;
  /** The folder has settings of the detectors, and nobody trusts it. */
  readonly settingsIgnored: boolean;
  readonly paused: boolean;
  readonly watcherFailed: boolean;
}): string | undefined {
  if (facts.paused) return 'Watching is paused';
  if (facts.restricted && facts.settingsIgnored)
    return 'Restricted mode: reading only. This folder’s own settings for watching do not apply.';
  if (facts.restricted) return 'Restricted mode: reading only';
  if (facts.watcherFailed) return 'Looking every 2 s';
  return undefined;
}

/** For the log, of settings that a folder may not say. */
export function ignoredSettings(names: string): string {
  return `${names} of this folder: not applied until you trust the folder`;
}

/** `3 sessions found for other folders.` */
export function otherFolders(sessions: number): string {
  return `${counted(sessions, 'session')} found for other folders.`;
}

/** `Read 212 earlier sessions, 9 with incidents.` */
export function earlierRead(sessions: number, withIncidents: number): string {
  return `Read ${counted(sessions, 'earlier session')}, ${whole(withIncidents)} with incidents.`;
}

/** `Nothing found for “pytest”.` */
export function nothingFound(query: string): string {
  return `Nothing found for “${query}”.`;
}

/** Of a panel that has just opened and knows nothing yet. */
export const LOADING = 'Waiting for this agent’s transcript.';

/** Notices at the head of the panel. */
export const NOTICES = {
  gone: 'This session’s transcript was deleted. What was recorded stays below.',
  storeLocked: 'Another window writes the history. This one shows it read-only.',
  restricted: 'Restricted mode: reading only',
  paused: 'Watching is paused',
} as const;
