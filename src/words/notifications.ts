import { type DamageFacts, damageNotice } from './history';
import type { DetectorId } from '../model';
import { wordsOf } from '../rules';
import type { ToastButton } from '../rules/card';
import { fill } from './fill';
import { age, counted, cutWords } from './format';
import { plain } from './parts';
import { type Relief, reliefSentence } from './relief';

export type NotificationButton =
  | ToastButton
  | 'Stop Agent'
  | 'Show Nudge'
  | 'Connect Agent'
  | 'Show Log'
  | 'Restart Unstuck'
  | 'Show Agents'
  | 'Show File'
  | 'OK';

export interface Notification {
  readonly level: 'information' | 'warning' | 'error';
  readonly text: string;
  readonly buttons: readonly NotificationButton[];
}

export interface IncidentNotice {
  readonly detector: DetectorId;
  readonly title: string;
  /** The call or message that repeats. */
  readonly call: string;
  readonly count: number;
  /** Age without progress, already written, for a full context. */
  readonly time?: string;
  /** What the gate says: `tests failed: 2 of 214`. */
  readonly gate?: string;
}

/** Longest title and call in a notification. */
const TITLE = 80;
const CALL = 80;

/**
 * The notification of one incident, or null where the rule only badges. Whether this incident may notify at all is decided in
 * `incident/notify`.
 */
export function incidentNotification(notice: IncidentNotice): Notification | null {
  const { toast } = wordsOf(notice.detector, null);
  if (!toast) return null;
  const template = notice.time === undefined ? (toast.textWithoutTime ?? toast.text) : toast.text;
  const text = fill(template, {
    count: notice.count,
    call: cutWords(notice.call, CALL),
    time: notice.time ?? '',
    gate: notice.gate ?? 'its gates failed',
  });
  return { level: 'warning', text: `“${cutWords(notice.title, TITLE)}” ${text}`, buttons: toast.buttons };
}

/** Something that was sent freed it: said once, quietly. */
export function freed(title: string, relief: Relief): Notification {
  return {
    level: 'information',
    text: `“${cutWords(title, TITLE)}” goes on. ${plain(reliefSentence(relief))}`,
    buttons: ['Show Evidence'],
  };
}

/** More than one within 10 s. */
export function manyStuck(agents: number): Notification {
  return { level: 'warning', text: `${agents} agents are stuck.`, buttons: ['Show Agents'] };
}

export function escalated(title: string, steps: number): Notification {
  return {
    level: 'error',
    text: `“${cutWords(title, TITLE)}” asks you: ${counted(steps, 'recovery step')} did not help.`,
    buttons: ['Show Evidence', 'Stop Agent', 'Not Stuck'],
  };
}

/** `expiry`: how long the message waited to be taken, milliseconds. */
export function notTaken(title: string, expiry: number): Notification {
  return {
    level: 'warning',
    text: `The nudge for “${cutWords(title, TITLE)}” was not taken in ${age(expiry)}.`,
    buttons: ['Show Nudge', 'Connect Agent'],
  };
}

/** @param code the system's, or LIMIT where more folders lie there than are watched */
export function cannotWatch(code: string): Notification {
  return {
    level: 'warning',
    text:
      code === 'LIMIT'
        ? 'Unstuck watches as many folders as it may, and looks into the others by turns.'
        : `Unstuck cannot watch for new lines: ${code === 'ENOSPC' || code === 'EMFILE' ? 'the system’s limit of watched files is used up' : code}. It now looks every 2 s.`,
    buttons: ['Show Log'],
  };
}

/** Said once, whichever window or command found the damage. */
export function historyDamaged(facts: DamageFacts): Notification {
  return { level: 'warning', text: damageNotice(facts), buttons: ['Show File', 'OK'] };
}

/** What *Mute* offers. */
export const MUTE_CHOICES = {
  incident: 'Mute This Incident',
  agent: 'Mute Agent for 1 Hour',
  rule: 'Turn Off Rule for This Agent',
} as const;

/** View badge's tooltip: `2 open incidents`. */
export function badgeTooltip(open: number): string {
  return counted(open, 'open incident');
}

/** After *Nudge* in a toast or on a row: the draft was sent at once, and can be taken back while it is queued. */
export const NUDGE_QUEUED = { text: 'Nudge queued', buttons: ['Undo', 'Edit'] } as const;
