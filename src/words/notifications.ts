import type { DetectorId } from '../model';
import { counted, times } from './format';
import { cutWords } from './format';

export type NotificationButton =
  | 'Show Evidence'
  | 'Nudge'
  | 'Mute'
  | 'Restart'
  | 'Save Checkpoint'
  | 'Show Gates'
  | 'Send to Agent'
  | 'Stop Agent'
  | 'Show Nudge'
  | 'Connect Agent'
  | 'Show Log'
  | 'Restart Unstuck'
  | 'Show Agents';

export interface Notification {
  readonly level: 'warning' | 'error';
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
 * The notification of one incident (design/UI.md 7.7), or null where the rule only badges. Guesses never notify; whether this incident may
 * is for `incident/notify` to say.
 */
export function incidentNotification(notice: IncidentNotice): Notification | null {
  const title = `“${cutWords(notice.title, TITLE)}”`;
  const call = cutWords(notice.call, CALL);
  const { count } = notice;
  const stuck = (
    text: string,
    buttons: readonly NotificationButton[] = ['Show Evidence', 'Nudge', 'Mute'],
  ): Notification => ({
    level: 'warning',
    text: `${title} ${text}`,
    buttons,
  });
  switch (notice.detector) {
    case 'repeating_action':
    case 'repeating_outcome':
      return stuck(`is stuck: ${call} gave the same result ${times(count)}.`);
    case 'action_error_alternation':
      return stuck(`is stuck: two steps take turns, ${counted(count, 'round')} with the same results.`);
    case 'cycle':
      return stuck(`is stuck: its steps take turns, ${counted(count, 'round')} with the same results.`);
    case 'condensation_loop':
      return stuck(`is stuck: its context was condensed ${times(count)} and it went back to ${call}.`, [
        'Show Evidence',
        'Restart',
        'Mute',
      ]);
    case 'token_exhaustion': {
      const time = notice.time ? `, with no progress for ${notice.time}` : ', with no progress since';
      return stuck(`has used ${Math.floor(count)} % of its context${time}.`, [
        'Show Evidence',
        'Save Checkpoint',
        'Mute',
      ]);
    }
    case 'consecutive_failures':
      return stuck(`is stuck: ${counted(count, 'call')} in a row failed.`);
    case 'validation_failure':
      return stuck(`is stuck: ${counted(count, 'malformed call')} in a row.`);
    case 'context_pollution':
      return stuck(`tries again what failed before: ${call}.`);
    case 'gate_blocked':
      return stuck(`says it is done, but ${notice.gate ?? 'its gates failed'}.`, ['Show Gates', 'Send to Agent']);
    // Equal text again and again is counted and may notify (the amendments of design/UI.md).
    case 'monologue':
      return stuck(`is stuck: ${counted(count, 'message')} in a row without a tool call.`);
    case 'text_loop':
      return stuck(`is stuck: the same text came ${times(count)}.`);
    case 'stall':
    case 'max_runtime':
    case 'premature_action':
    case 'over_helpfulness':
    case 'oversized_response':
    case 'rate_limited':
      return null;
  }
}

/** More than one within 10 s. */
export function manyStuck(agents: number): Notification {
  return { level: 'warning', text: `${agents} agents are stuck.`, buttons: ['Show Agents'] };
}

export function escalated(title: string, steps: number): Notification {
  return {
    level: 'error',
    text: `“${cutWords(title, TITLE)}” asks you: ${counted(steps, 'recovery step')} did not help.`,
    buttons: ['Show Evidence', 'Stop Agent'],
  };
}

export function notTaken(title: string): Notification {
  return {
    level: 'warning',
    text: `The nudge for “${cutWords(title, TITLE)}” was not taken in 10 min.`,
    buttons: ['Show Nudge', 'Connect Agent'],
  };
}

export function cannotWatch(reason: string): Notification {
  return {
    level: 'warning',
    text: `Unstuck cannot watch for new lines: ${reason}. It now looks every 2 s.`,
    buttons: ['Show Log'],
  };
}

/** What *Mute* offers. */
export const MUTE_CHOICES = ['Mute This Incident', 'Mute Agent for 1 Hour', 'Turn Off Rule for This Agent'] as const;
export type MuteChoice = (typeof MUTE_CHOICES)[number];

/** View badge's tooltip: `2 open incidents`. */
export function badgeTooltip(open: number): string {
  return counted(open, 'open incident');
}

/** After *Nudge* in a toast or on a row: the draft was sent at once, and can be taken back while it is queued. */
export const NUDGE_QUEUED = { text: 'Nudge queued', buttons: ['Undo', 'Edit'] } as const;
