import { type DamageFacts, damageNotice } from './history';
import type { DetectorId } from '../model';
import { wordsOf } from '../rules';
import type { ToastButton } from '../rules/card';
import { fill } from './fill';
import { age, clock, counted, cutWords } from './format';
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
  | 'Show Agent'
  | 'Go to Terminal'
  | 'Go to Chat'
  | 'Go There'
  | 'Next Agent'
  | 'Show File'
  | 'OK';

/** Where in this window an agent runs: what a person can be taken to. */
export type Surface = 'terminal' | 'chat';

/** The button that leads there. */
export const GO_TO = { terminal: 'Go to Terminal', chat: 'Go to Chat' } as const satisfies Readonly<
  Record<Surface, NotificationButton>
>;

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
  return {
    level: 'warning',
    text: `${counted(agents, 'agent')} ${agents === 1 ? 'is' : 'are'} stuck.`,
    buttons: ['Show Agents'],
  };
}

export function escalated(title: string, steps: number): Notification {
  return {
    level: 'error',
    text: `“${cutWords(title, TITLE)}” asks you: ${counted(steps, 'recovery step')} did not help.`,
    buttons: ['Show Evidence', 'Stop Agent', 'Not Stuck'],
  };
}

/** Who a notification is about: its title, and where it works if that tells it from others. */
export interface Named {
  readonly title: string;
  /** Empty where all agents work in one place. */
  readonly place: string;
}

function named({ title, place }: Named): string {
  return `“${cutWords(title, TITLE)}”${place === '' ? '' : ` (${place})`}`;
}

/** It has asked for so long, milliseconds, and nobody answered. `asks`: `Asks: Run the migration?`. */
export function waitsForYou(agent: Named, waited: number, asks: string): Notification {
  return {
    level: 'information',
    text: `${named(agent)} has waited for you for ${age(waited)}. ${cutWords(asks, CALL * 2)}${/[.?!…]$/.test(asks) ? '' : '.'}`,
    buttons: ['Go There'],
  };
}

export function manyWait(agents: number): Notification {
  return { level: 'information', text: `${counted(agents, 'agent')} wait for you.`, buttons: ['Next Agent'] };
}

/** It is connected, and made calls without calling us. */
export function doesNotAnswer(agent: Named): Notification {
  return {
    level: 'warning',
    text: `${named(agent)} does not answer Unstuck although it is connected, so no nudge reaches it. It may run with another configuration folder, in a sandbox, without trust in this folder, or with hooks switched off. Start it anew, or connect it again.`,
    buttons: ['Show Agent', 'Connect Agent'],
  };
}

export function died(agent: Named): Notification {
  return {
    level: 'warning',
    text: `${named(agent)} ended in mid-turn: its process is gone.`,
    buttons: ['Show Agent', 'Restart'],
  };
}

export function manyDied(agents: number): Notification {
  return {
    level: 'warning',
    text: `${counted(agents, 'agent')} ended in mid-turn: their processes are gone.`,
    buttons: ['Show Agents'],
  };
}

/** @param ran how long its session lasted, milliseconds */
export function finished(agent: Named, ran: number): Notification {
  return { level: 'information', text: `${named(agent)} has finished after ${age(ran)}.`, buttons: ['Show Agent'] };
}

export function manyFinished(agents: number): Notification {
  return { level: 'information', text: `${counted(agents, 'agent')} have finished.`, buttons: ['Show Agents'] };
}

/** @param held how many agents of the kind it holds */
export function usageLimitReached(agentName: string, held: number, opensAt: number | undefined): Notification {
  const opens = opensAt === undefined ? '' : ` It opens again at ${clock(opensAt)}.`;
  return {
    level: 'warning',
    text: `${agentName} reached its usage limit, which holds ${counted(held, 'agent')}.${opens}`,
    buttons: ['Show Agents'],
  };
}

export function usageLimitOpen(agentName: string): Notification {
  return {
    level: 'information',
    text: `${agentName} can go on: its usage limit is open again.`,
    buttons: ['Show Agents'],
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
