import { type AgentView, isTurnOver } from '../../core/model';
import type { MessageHindrance, Proof, Reach } from '../../core/words/messages/reach';
import type { AgentSituation } from './decision';

/** A call that runs longer than this is named instead of the usual promise, milliseconds. */
const LONG_CALL_MS = 60_000;

/** Facts that decide whether a message may be written for an agent at all. */
export type MessageSituation = Pick<AgentSituation, 'trusted' | 'inFolder' | 'state' | 'liveness' | 'waitingFor'> & {
  /** It is the last run of a loop, whose next run takes what waits for this one. */
  readonly startsAgain?: boolean;
};

/** Facts about the route of messages to an agent. */
export interface Route {
  /** A bridge hands messages to this agent. */
  readonly connected: boolean;
  /** The connection is set up, and starts to work after this step of the person, a sentence. */
  readonly trustStep?: string;
  /** A connection can be set up for this kind of agent. */
  readonly canConnect: boolean;
  /** When it was connected, milliseconds since the epoch; null if that is not known. */
  readonly connectedAt: number | null;
  /** A session can be woken after its turn has ended, but only one that began after Connect. */
  readonly wakesIdle: boolean;
  /** Sessions that began before Connect take messages too. */
  readonly joinsRunning: boolean;
  readonly proof: Proof;
  /** It works in the chat of this window, into which a message can be put after a click. */
  readonly chat?: boolean;
}

/** Tool calls after which an agent that loads what Connect wrote must have called Unstuck. */
const CALLS_UNTIL_SILENT = 3;

/**
 * Returns how far it is proven that the agent calls Unstuck. Connect cannot know: an agent may ignore settings that are well written. Its own next
 * call proves it.
 *
 * @param calls tool calls of the session since it is known to be connected
 */
export function proofOf(isProven: boolean, calls: number): Proof {
  if (isProven) return 'proven';
  return calls >= CALLS_UNTIL_SILENT ? 'silent' : 'waiting';
}

export interface ReachSituation {
  readonly agent: MessageSituation;
  readonly route: Route;
  readonly doing?: AgentView['doing'];
  readonly mode?: AgentView['mode'];
  /** When the session began, milliseconds since the epoch; null if that is not known. */
  readonly startedAt: number | null;
  /** When a message written now expires, milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Returns the reason why no message may be written for an agent now; null if one may. An agent that asks its user something never gets one: it could
 * read the message as the answer. A turn that ended is no hindrance: the message wakes the agent, or waits for the next prompt.
 */
export function messageHindrance(agent: MessageSituation): MessageHindrance | null {
  if (!agent.trusted) return 'untrusted';
  if (!agent.inFolder) return 'no_folder';
  if (isOver(agent)) return agent.startsAgain ? null : 'finished';
  switch (agent.waitingFor) {
    case 'permission':
      return 'waits_for_permission';
    case 'plan':
      return 'waits_for_approval';
    case 'question':
      return 'waits_for_answer';
    case 'turn_end':
    case 'limit':
    case 'error':
    case 'missed_notice':
    case null:
      return null;
  }
}

/** True if an agent takes nothing more: it has finished, or its process is gone. */
export function isOver({ state, liveness }: Pick<AgentSituation, 'state' | 'liveness'>): boolean {
  return state.kind === 'finished' || liveness === 'gone';
}

/** Returns whether a message may be sent to an agent now, and if so how it arrives. */
export function reachOf({ agent, route, doing, mode, startedAt, expiresAt, now }: ReachSituation): Reach {
  const why = messageHindrance(agent);
  if (why) return { kind: 'hindered', why };
  const atPrompt = agent.state.interrupted === true || isTurnOver(agent.waitingFor);
  // A hook delivers with the next call, as it does without the chat. If no hook calls Unstuck, and at the agent's prompt, only the chat is left.
  if (route.chat && (!route.connected || route.proof === 'silent' || atPrompt))
    return { kind: 'chat', runs: !atPrompt };
  if (!route.connected) {
    return route.trustStep === undefined
      ? { kind: 'not_connected', canConnect: route.canConnect }
      : { kind: 'waits_for_trust', step: route.trustStep };
  }
  if (isOver(agent)) return { kind: 'next_run' };
  const beganBefore = route.connectedAt !== null && startedAt !== null && startedAt < route.connectedAt;
  if (beganBefore && !route.joinsRunning) return { kind: 'not_loaded' };
  if (route.proof === 'silent') return { kind: 'silent' };
  if (agent.state.interrupted) return { kind: 'next_prompt', interrupted: true };
  if (isTurnOver(agent.waitingFor)) {
    // A panel of an editor starts a turn only after a prompt; so does a program that ends with its turn.
    const canWake = route.wakesIdle && !beganBefore && (mode ?? 'interactive') === 'interactive';
    return { kind: canWake ? 'wakes' : 'next_prompt' };
  }
  if (agent.state.kind === 'stalled' && doing?.kind === 'model') return { kind: 'hanging' };
  if (doing?.kind === 'tool' && now - doing.since >= LONG_CALL_MS) {
    return { kind: 'long_call', call: doing.subject, since: doing.since, until: expiresAt };
  }
  return { kind: 'next_call' };
}
