import type { AgentView } from '../../core/model';
import type { MessageSituation } from './reach';
import { waitingOf } from '../../engine/session/agent-state';
import type { Session } from '../../engine/session/session';

/** Collects the facts that decide whether a message may be written for an agent; `session`: undefined if it is no longer followed. */
export function messageSituation(
  view: AgentView,
  session: Pick<Session, 'facts' | 'liveness'> | undefined,
  { trusted, inFolder }: Pick<MessageSituation, 'trusted' | 'inFolder'>,
): MessageSituation {
  const liveness = session?.liveness ?? null;
  return {
    state: view.state,
    // A stuck agent may wait for its user too, without its state saying so. A guess disables no button.
    waitingFor:
      (session ? waitingOf(session.facts, liveness) : view.state.probable ? null : view.state)?.waitingFor ?? null,
    liveness: liveness === null ? 'unknown' : liveness.alive ? 'alive' : 'gone',
    trusted,
    inFolder,
    ...(view.run?.isLast && { startsAgain: true }),
  };
}
