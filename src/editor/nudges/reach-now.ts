import type { AgentView } from '../../core/model';
import { type MessageSituation, type Route, reachOf } from '../../recover/decisions/reach';
import type { Reach } from '../../core/words';
import type { Services } from '../services';

/** Returns the way in which a message would reach an agent now. */
export function reachNow(
  view: AgentView,
  route: Route,
  agent: MessageSituation,
  { settings, now }: Pick<Services, 'settings' | 'now'>,
): Reach {
  return reachOf({
    agent,
    route,
    ...(view.doing && { doing: view.doing }),
    ...(view.mode && { mode: view.mode }),
    startedAt: view.health.startedAt > 0 ? view.health.startedAt : null,
    expiresAt: now() + settings().nudgeExpiryMs,
    now: now(),
  });
}
