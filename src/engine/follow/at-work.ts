import type { Session } from '../session/session';

/** An agent that wrote this recently may do something more, or end. */
const RECENT_MS = 60_000;
/** After this long without a line, an open turn no longer means that an agent works in it. */
const QUIET_MS = 10 * 60_000;

/** True if this agent works or did so just now. Then it is checked often; anything it writes is seen at once in any case. */
export function isAtWork({ facts, lastReadAt, liveness }: Session, now: number): boolean {
  if (now - lastReadAt < RECENT_MS || liveness?.status === 'busy') return true;
  return facts.turnOpen && !facts.ended && now - facts.lastEventAt < QUIET_MS;
}
