import type { Presence } from '../../model';
import { counted, whole } from '../../../base/util/counts';
import { age, ageInWords } from '../format';

type Lost = Exclude<Presence, 'live'>;

/** Heading for the agents of this machine where those of other machines are listed too. */
export function thisMachine(): string {
  return 'This machine';
}

/** Says in a few words why nothing has been known about a machine since then: `last seen 4 min ago`. */
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
      return `last seen ${time} ago`;
    case 'stopped':
      return `relay ended ${time} ago`;
    case 'version':
      return 'later version';
  }
}

/** The same as a sentence. */
export function presenceSentence(presence: Lost, since: number, now: number): string {
  const time = age(now - since);
  switch (presence) {
    case 'silent':
      return `This machine has not responded for ${time}. The current state of its agents is unknown.`;
    case 'stopped':
      return `The relay on this machine ended ${time} ago. The current state of its agents is unknown.`;
    case 'version':
      return 'This machine runs a later version of Unstuck. Update Unstuck here to see its agents.';
  }
}

/** Returns `1 needs you`, `6 need you`. */
export function needsYouWords(agents: number): string {
  return `${counted(agents, 'needs', 'need')} you`;
}

/** Number of agents of one machine, by their standing. */
export interface MachineFacts {
  readonly presence: Presence;
  readonly lastSeenAt: number;
  readonly needsYou: number;
  readonly stuck: number;
  readonly agents: number;
}

/** Text after the name of a machine: `1 needs you · 2 stuck · 5 agents`, or `last seen 4 min ago`. */
export function machineInShort(facts: MachineFacts, now: number): string {
  const { presence, needsYou, stuck, agents } = facts;
  if (presence !== 'live') return presenceWords(presence, facts.lastSeenAt, now);
  return [
    ...(needsYou > 0 ? [needsYouWords(needsYou)] : []),
    ...(stuck > 0 ? [`${whole(stuck)} stuck`] : []),
    agents === 0 ? 'no agent' : counted(agents, 'agent'),
  ].join(' · ');
}

/** Text for an action that needs files or a terminal of the agent's own machine. */
export function onlyThere(machine: string): string {
  return `This agent runs on ${machine}. You can only do this there.`;
}

/** Says why a message did not reach the inbox of an agent on another machine: by the relay's reason, or `lost`. */
export function refusalWords(reason: string): string {
  switch (reason) {
    case 'not_allowed':
      return 'its machine does not allow it';
    case 'no_such_agent':
      return 'its machine no longer knows the agent';
    case 'cannot_be_reached':
      return 'its machine cannot do that to this agent';
    case 'invalid':
      return 'its machine did not understand it';
    case 'version':
      return 'its machine runs another version of Unstuck';
    case 'inbox':
      return 'its machine could not write it to the inbox';
    case 'lost':
      return 'its machine did not accept it in time';
    // A later version has other reasons.
    default:
      return 'its machine did not accept it';
  }
}

/** Confirms that a message was sent to another machine. */
export function nudgeSentTo(machine: string): string {
  return `Nudge sent to ${machine}.`;
}

/** The same for a message that ends or starts an agent there. */
export function sentTo(act: 'restart' | 'stop', machine: string): string {
  return act === 'restart' ? `Restart sent to ${machine}.` : `Stop sent to ${machine}.`;
}

/** Reports the failure of a request to an agent on another machine. `what`: `Nudge`. */
export function notTakenThere(what: string, title: string, machine: string, why: string): string {
  return `${what} for “${title}” on ${machine} did not arrive: ${why}.`;
}

/** Says in one sentence why nothing was sent to an agent on another machine. */
export function sendProblem(why: 'unknown_agent' | 'not_allowed' | 'too_large' | 'too_many', machine: string): string {
  switch (why) {
    case 'unknown_agent':
      return `Nothing was sent: ${machine} no longer reports this agent.`;
    case 'not_allowed':
      return `Nothing was sent: ${machine} does not allow it.`;
    case 'too_large':
      return 'Nothing was sent: the message is too long.';
    case 'too_many':
      return 'Nothing was sent: too many messages are already on their way.';
  }
}
