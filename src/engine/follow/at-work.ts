import type { Session } from '../session/session';

/** An agent that wrote so recently may do something more, or end. */
const RECENT_MS = 60_000;
/** Without a line for so long, an open turn says no more that somebody works in it. */
const QUIET_MS = 10 * 60_000;

/** Does this agent work, or did it just now? Then it is looked at closely. Whatever it writes is seen at once in any case. */
export function isAtWork({ facts, lastReadAt, liveness }: Session, now: number): boolean {
  if (now - lastReadAt < RECENT_MS || liveness?.status === 'busy') return true;
  return facts.turnOpen && !facts.ended && now - facts.lastEventAt < QUIET_MS;
}
