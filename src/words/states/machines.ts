import type { Presence } from '../../model';
import { t } from '../../util/l10n';
import { age, ageInWords } from '../format';

type Lost = Exclude<Presence, 'live'>;

/** How the agents of this machine are headed where those of others stand beside them. */
export function thisMachine(): string {
  return t`This machine`;
}

/** `last seen 4 min ago`: why nothing is known of a machine since then, in a few words. */
export function presenceWords(presence: Lost, since: number, now: number): string {
  return shortly(presence, age(now - since));
}

/** The same for screen readers: `last seen 4 minutes ago`. */
export function presenceInWords(presence: Lost, since: number, now: number): string {
  return shortly(presence, ageInWords(now - since));
}

function shortly(presence: Lost, time: string): string {
  switch (presence) {
    case 'silent':
      return t`last seen ${time} ago`;
    case 'stopped':
      return t`relay ended ${time} ago`;
    case 'version':
      return t`later version`;
  }
}

/** The same as the pill of the panel. */
export function presencePill(presence: Lost, since: number, now: number): string {
  const time = age(now - since);
  switch (presence) {
    case 'silent':
      return t`Last seen ${time} ago`;
    case 'stopped':
      return t`Relay ended ${time} ago`;
    case 'version':
      return t`Later version`;
  }
}

/** The same as a sentence. */
export function presenceSentence(presence: Lost, since: number, now: number): string {
  const time = age(now - since);
  switch (presence) {
    case 'silent':
      return t`Nothing was heard of this machine for ${time}. How its agents are now is not known.`;
    case 'stopped':
      return t`The relay of this machine ended ${time} ago. How its agents are now is not known.`;
    case 'version':
      return t`This machine runs a later version of Unstuck. Update Unstuck here to see its agents.`;
  }
}

/** `1 needs you`, `6 need you` */
export function needsYouWords(agents: number): string {
  return t`${agents} {0:needs|need} you`;
}

/** Agents of one machine, by how they stand. */
export interface MachineFacts {
  readonly presence: Presence;
  readonly lastSeenAt: number;
  readonly needsYou: number;
  readonly stuck: number;
  readonly agents: number;
}

/** Beside the name of a machine: `1 needs you · 2 stuck · 5 agents`, or `last seen 4 min ago`. */
export function machineInShort(facts: MachineFacts, now: number): string {
  const { presence, needsYou, stuck, agents } = facts;
  if (presence !== 'live') return presenceWords(presence, facts.lastSeenAt, now);
  return [
    ...(needsYou > 0 ? [needsYouWords(needsYou)] : []),
    ...(stuck > 0 ? [t`${stuck} stuck`] : []),
    agents === 0 ? t`no agent` : t`${agents} {0:agent|agents}`,
  ].join(' · ');
}

/** For what needs files or a terminal of the agent's own machine. */
export function onlyThere(machine: string): string {
  return t`This agent runs on ${machine}. That can be done there only.`;
}

/** Why a message did not come into the inbox of an agent on another machine: the relay's reason, or `lost`. */
export function refusalWords(reason: string): string {
  switch (reason) {
    case 'not_allowed':
      return t`its machine does not allow it`;
    case 'no_such_agent':
      return t`its machine does not know the agent any more`;
    case 'cannot_be_reached':
      return t`nothing on its machine can do that to this agent`;
    case 'invalid':
      return t`its machine did not understand it`;
    case 'version':
      return t`its machine runs another version of Unstuck`;
    case 'inbox':
      return t`its machine could not write it into the inbox`;
    case 'lost':
      return t`no machine took it in time`;
    // A later version has other reasons.
    default:
      return t`its machine did not take it`;
  }
}

/** A message to another machine was sent. */
export function nudgeSentTo(machine: string): string {
  return t`Nudge sent to ${machine}.`;
}

/** The same of what ends or starts an agent there. */
export function sentTo(act: 'restart' | 'stop', machine: string): string {
  return act === 'restart' ? t`Restart sent to ${machine}.` : t`Stop sent to ${machine}.`;
}

/** What was asked of an agent on another machine did not happen. `what`: `Nudge`. */
export function notTakenThere(what: string, title: string, machine: string, why: string): string {
  return t`${what} for “${title}” on ${machine} did not arrive: ${why}.`;
}

/** Why nothing was sent to an agent on another machine, in one sentence. */
export function sendProblem(why: 'unknown_agent' | 'not_allowed' | 'too_large' | 'too_many', machine: string): string {
  switch (why) {
    case 'unknown_agent':
      return t`Nothing was sent: ${machine} does not tell of this agent any more.`;
    case 'not_allowed':
      return t`Nothing was sent: ${machine} does not allow it.`;
    case 'too_large':
      return t`Nothing was sent: the message is too long.`;
    case 'too_many':
      return t`Nothing was sent: too many messages are on their way already.`;
  }
}
