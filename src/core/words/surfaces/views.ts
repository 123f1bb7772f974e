import { counted, whole } from '../../../base/util/counts';
import { type DamageFacts, damageInShort } from '../history/history';

/** Returns `TreeView.message` of the agents' view, by the first reason that applies. */
export function agentsMessage(facts: {
  readonly restricted: boolean;
  /** True if the folder has settings for the detectors, but is not trusted. */
  readonly settingsIgnored: boolean;
  readonly paused: boolean;
  readonly watcherFailed: boolean;
}): string | undefined {
  if (facts.paused) return 'Watching is paused';
  if (facts.restricted && facts.settingsIgnored)
    return 'Restricted mode: reading only. This folder’s own settings for watching do not apply.';
  if (facts.restricted) return 'Restricted mode: reading only';
  if (facts.watcherFailed) return 'Checking every 2 s';
  return undefined;
}

/** Text shown once, where an earlier version stored settings of rules. */
export function formerRules(lost: readonly string[]): string {
  const gone = lost.length === 0 ? '' : ` This version has no setting for ${lost.join(', ')}.`;
  return `Unstuck has converted your settings for rules to their new form.${gone}`;
}

/** Text for the log about settings that an untrusted folder may not make. */
export function ignoredSettings(names: string): string {
  return `${names} of this folder: ignored until you trust the folder`;
}

/** Rows of the view *Agents* while it lists none, but knows of sessions elsewhere. A side bar shows about 36 characters of a row. */
export const EMPTY_ROWS = {
  noAgent: 'No agent in this folder yet',
  replay: 'Replay a Stuck Agent',
  connect: 'Connect Agent…',
} as const;

/** Returns `Show 3 Sessions in Other Folders`. */
export function otherFolders(sessions: number): string {
  return `Show ${counted(sessions, 'Session')} in Other Folders`;
}

/** Returns `~/.claude/projects: 3 sessions, none in this folder`. */
export function noneOfThisFolder(place: string, sessions: number): string {
  return `${place}: ${counted(sessions, 'session')}, none in this folder`;
}

/** Returns `Read 212 earlier sessions, 9 with incidents.` */
export function earlierRead(sessions: number, withIncidents: number): string {
  return `Read ${counted(sessions, 'earlier session')}, ${whole(withIncidents)} with incidents.`;
}

/** Returns `TreeView.message` of the incidents' view, by the first reason that applies. */
export function incidentsMessage(facts: {
  /** Filter of the list, and the number of matches; undefined for none. */
  readonly narrowed?: string;
  /** Sentence about why the history is not read or written as usual. */
  readonly problem?: string;
  readonly damage?: DamageFacts;
  /** True while incidents older than a few days are not loaded yet. */
  readonly isReading?: boolean;
  /** True if all of them are still open. */
  readonly isOnlyOpen?: boolean;
}): string | undefined {
  const { narrowed, problem, damage, isReading = false, isOnlyOpen = false } = facts;
  if (narrowed !== undefined) return narrowed;
  if (problem !== undefined) return problem;
  if (damage) return damageInShort(damage);
  if (isReading) return 'Reading older incidents…';
  return isOnlyOpen ? 'Open incidents are listed in Agents. They move here when they end.' : undefined;
}

/** Text of a panel that has just opened and has no data yet. */
export function loadingText(): string {
  return 'Waiting for this agent’s transcript.';
}

/** Notices at the head of the panel. */
export const NOTICES = {
  gone: 'The transcript of this session was deleted. What was recorded is shown below.',
  past: 'This session is no longer watched. What was recorded of the incident is shown below.',
  storeLocked: 'There is a problem with the history. The Incidents view says what to do.',
  restricted: 'Restricted mode: reading only',
  paused: 'Watching is paused',
} as const;
