import { isTurnOver } from '../../core/model';
import type { ChatHindrance } from '../../core/words/messages/chat';
import { type MessageSituation, messageHindrance } from './reach';

/** Facts that decide whether a message may be put into the chat of this window, for an agent that works there. */
export interface ChatSituation {
  readonly agent: MessageSituation;
  /** Its session belongs to the storage of this window: the commands of the chat reach no other. */
  readonly inThisWindow: boolean;
  readonly isSubAgent: boolean;
  /** Version of VS Code: `1.139.1`. */
  readonly version: string;
  /** One of its calls has begun, and no record says that it has ended. */
  readonly hasOpenCall: boolean;
  /** It needs no permission for its calls, so that an open call is running. */
  readonly asksNoPermission: boolean;
}

/** The first version for which it was measured that a message leaves alone what a person has typed in the box. */
const KEEPS_DRAFTS = { major: 1, minor: 139 };

/**
 * Returns the reason why the chat is not steered now; null if it may be. A message ends the question of a call that waits for permission, and the
 * whole turn with it, and the record of that question comes up to a minute late: so an open call counts as waiting unless it is known to be running.
 */
export function chatHindrance(situation: ChatSituation): ChatHindrance | null {
  const { agent, inThisWindow, isSubAgent, version, hasOpenCall, asksNoPermission } = situation;
  const why = messageHindrance(agent);
  if (why) return why;
  if (isSubAgent) return 'sub_agent';
  if (!inThisWindow) return 'other_window';
  if (!keepsDrafts(version)) return 'older_editor';
  return !isTurnOver(agent.waitingFor) && hasOpenCall && !asksNoPermission ? 'may_wait_for_permission' : null;
}

function keepsDrafts(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > KEEPS_DRAFTS.major || (major === KEEPS_DRAFTS.major && minor >= KEEPS_DRAFTS.minor);
}
