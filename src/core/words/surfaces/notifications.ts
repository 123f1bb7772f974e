import { counted, whole } from '../../../base/util/counts';
import { type DamageFacts, damageNotice } from '../history/history';
import type { Delivery, DetectorId } from '../../model';
import { ruleWords } from '../../rules';
import type { ToastButton } from '../../rules/card';
import { fill } from '../fill';
import { age, ago, clock, cutWords } from '../format';
import { plain } from '../parts';
import { type Relief, reliefSentence } from '../messages/relief';

/** A button, by its label. */
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
  | 'Continue All'
  | 'Show File'
  | 'OK';

/** Place in this window that can be shown to a person. */
export type Surface = 'terminal' | 'chat';

/** Labels of the buttons that lead there. */
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
  /** The other machine on which it runs. */
  readonly machine?: string;
  /** The call or message that repeats. */
  readonly call: string;
  readonly count: number;
  /** Age without progress, already formatted, for a full context. */
  readonly time?: string;
  /** Result of the gate: `tests failed: 2 of 214`. */
  readonly gate?: string;
}

/** Longest title and call in a notification. */
const TITLE = 80;
const CALL = 80;
/** Longest title where there are several in one notification. */
const SHORT_TITLE = 40;

/**
 * Returns the notification of one incident; null where the rule only shows a badge. Whether this incident may notify at all is decided in
 * `incident/notify`.
 */
export function incidentNotification(notice: IncidentNotice): Notification | null {
  const { toast } = ruleWords(notice.detector, null);
  if (!toast) return null;
  const template = notice.time === undefined ? (toast.textWithoutTime ?? toast.text) : toast.text;
  const text = fill(template, {
    count: notice.count,
    call: cutWords(notice.call, CALL),
    time: notice.time ?? '',
    gate: notice.gate === undefined ? 'its gates failed' : notice.gate,
  });
  return { level: 'warning', text: `${titled(notice.title, notice.machine)} ${text}`, buttons: toast.buttons };
}

/** Notification that a message freed the agent: shown once, quietly. */
export function freed(title: string, relief: Relief, machine?: string): Notification {
  return {
    level: 'information',
    text: `${titled(title, machine)} is working again. ${plain(reliefSentence(relief))}`,
    buttons: ['Show Evidence'],
  };
}

/** Reply to a button of a notification whose agent was freed in the meantime, since a notification cannot be withdrawn. */
export function noLongerStuck(title: string): string {
  return `Nothing was done: “${cutWords(title, TITLE)}” is no longer stuck.`;
}

/** Number of agents named in one notification, at most. */
const NAMED = 3;

/** Notification for several agents within a short time, each with its reason: `3 agents are stuck: “Fix it” (same result 7 times: npm test), …`. */
export function manyStuck(agents: readonly { readonly title: string; readonly why: string }[]): Notification {
  const names = agents
    .slice(0, NAMED)
    .map(({ title, why }) => `“${cutWords(title, SHORT_TITLE)}”${why === '' ? '' : ` (${cutWords(why, CALL)})`}`);
  const more = agents.length > NAMED ? [`${whole(agents.length - NAMED)} more`] : [];
  return {
    level: 'warning',
    text: `${counted(agents.length, 'agent is', 'agents are')} stuck: ${[...names, ...more].join(', ')}.`,
    buttons: ['Next Agent', 'Show Agents'],
  };
}

export function escalated(title: string, steps: number, machine?: string): Notification {
  return {
    level: 'error',
    text: `${titled(title, machine)} needs you: ${counted(steps, 'recovery step')} did not help.`,
    buttons: ['Show Evidence', 'Stop Agent', 'Not Stuck'],
  };
}

function titled(title: string, machine: string | undefined): string {
  const name = `“${cutWords(title, TITLE)}”`;
  return machine === undefined ? name : `${name} on ${machine}`;
}

/** Subject of a notification: its title, and its place where that distinguishes it from others. */
export interface Named {
  readonly title: string;
  /** Empty where all agents work in one place. */
  readonly place: string;
}

function named({ title, place }: Named): string {
  const name = cutWords(title, TITLE);
  return place === '' ? `“${name}”` : `“${name}” (${place})`;
}

/** Notification for a request that has been unanswered for `waited` milliseconds. `asks`: `wants to run npm publish`. */
export function waitsForYou(agent: Named, waited: number, asks: string): Notification {
  const end = /[.?!…]$/.test(asks) ? '' : '.';
  // An age below a minute is left out: the agent has only just asked.
  const since = waited < 60_000 ? '' : ` It has been waiting for ${age(waited)}.`;
  return {
    level: 'information',
    text: `${named(agent)} ${cutWords(asks, CALL * 2)}${end}${since}`,
    buttons: ['Go There'],
  };
}

export function manyWait(agents: number): Notification {
  return {
    level: 'information',
    text: `${counted(agents, 'agent is', 'agents are')} waiting for you.`,
    buttons: ['Next Agent'],
  };
}

/** Notification that an agent is connected, but has made calls without calling Unstuck. */
export function doesNotAnswer(agent: Named): Notification {
  return {
    level: 'warning',
    text: `${named(agent)} is connected but works without calling Unstuck, so no nudge reaches it. It may run with a different configuration folder, in a sandbox, without trust in this folder, or with hooks turned off. Restart it, or connect it again.`,
    buttons: ['Show Agent', 'Connect Agent'],
  };
}

export function died(agent: Named): Notification {
  return {
    level: 'warning',
    text: `${named(agent)} died: its process ended in the middle of a turn.`,
    buttons: ['Show Agent', 'Restart'],
  };
}

export function manyDied(agents: number): Notification {
  return {
    level: 'warning',
    text: `${counted(agents, 'agent')} died: their processes ended in the middle of a turn.`,
    buttons: ['Show Agents'],
  };
}

/** @param ran duration of its session, in milliseconds */
export function finished(agent: Named, ran: number): Notification {
  return { level: 'information', text: `${named(agent)} finished after ${age(ran)}.`, buttons: ['Show Agent'] };
}

export function manyFinished(agents: number): Notification {
  return {
    level: 'information',
    text: `${counted(agents, 'agent has', 'agents have')} finished.`,
    buttons: ['Show Agents'],
  };
}

/** @param held number of agents of this kind that the limit holds up */
export function usageLimitReached(agentName: string, held: number, opensAt: number | undefined): Notification {
  const opens = opensAt === undefined ? '' : ` until ${clock(opensAt)}`;
  return {
    level: 'warning',
    text: `${agentName} hit its usage limit; ${counted(held, 'agent is', 'agents are')} paused${opens}.`,
    buttons: ['Show Agents'],
  };
}

export function usageLimitOpen(agentName: string): Notification {
  return {
    level: 'information',
    text: `${agentName} can continue: its usage limit has ended.`,
    buttons: ['Continue All', 'Show Agents'],
  };
}

/** @param expiry how long the message waited to be taken, in milliseconds */
export function notTaken(title: string, expiry: number, machine?: string): Notification {
  return {
    level: 'warning',
    text:
      machine === undefined
        ? `The nudge for “${cutWords(title, TITLE)}” was not taken in ${age(expiry)}.`
        : `The nudge for “${cutWords(title, TITLE)}” on ${machine} was not taken in ${age(expiry)}.`,
    buttons: machine === undefined ? ['Show Nudge', 'Connect Agent'] : ['Show Nudge'],
  };
}

/** @param code the system's code, or LIMIT where there are more folders than are watched */
export function cannotWatch(code: string): Notification {
  return {
    level: 'warning',
    text:
      code === 'LIMIT'
        ? 'Unstuck has reached its limit of watched folders. It checks the others periodically.'
        : code === 'ENOSPC' || code === 'EMFILE'
          ? 'Unstuck cannot watch for new lines: the system’s limit on watched files is reached. It now checks every 2 s.'
          : `Unstuck cannot watch for new lines: ${code}. It now checks every 2 s.`,
    buttons: ['Show Log'],
  };
}

/** Shown once, whichever window or command found the damage. */
export function historyDamaged(facts: DamageFacts): Notification {
  return { level: 'warning', text: damageNotice(facts), buttons: ['Show File', 'OK'] };
}

/** Tooltip of the view's badge: `2 open incidents`. */
export function badgeTooltip(open: number): string {
  return counted(open, 'open incident');
}

/** Room for the first words of the text in a notification. Characters. */
const FIRST_WORDS = 80;

/** Returns `Nudge queued for “Fix the build”`. The step follows after a colon. */
export function nudgeQueued(title: string): string {
  return `Nudge queued for “${cutWords(title, TITLE)}”`;
}

/**
 * Returns the first words of the step: `Before you run this call again, read its result…`
 *
 * @param text as it was sent; its second paragraph is the step
 * @param arrival sentences about when and how it arrives; empty for the usual way
 */
export function queuedStep(text: string, arrival: string): string {
  const [sender = '', step = sender] = text.split('\n\n');
  const words = cutWords(step.replaceAll(/\s+/g, ' ').trim(), FIRST_WORDS);
  const shown = /[.…!?]$/.test(words) ? words : `${words}.`;
  return arrival === '' ? shown : `${shown} ${arrival}`;
}

/** Says why *Undo* or *Cancel* came too late. `now`: milliseconds since the epoch. */
export function tooLate(agentName: string, delivery: Delivery | undefined, now: number): string {
  if (delivery?.state === 'withdrawn') return 'It was already withdrawn.';
  if (delivery?.state === 'expired') return 'It has already expired.';
  const taken = delivery?.times.taken;
  return taken === undefined
    ? `Too late to undo: ${agentName} already has it.`
    : `Too late to undo: delivered ${ago(now - taken)}.`;
}
