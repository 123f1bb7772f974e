import type { AgentView } from '../../core/model';
import type { SessionSeen } from '../../history/types';

/** Returns a session as the statistics count it: stuck sessions are compared with all of them. */
export function seenOf(view: AgentView): SessionSeen {
  return {
    agent: view.agent,
    session: view.session,
    firstAt: view.health.startedAt,
    lastAt: view.health.lastEventAt,
    steps: view.health.calls,
    ...(view.health.rereads && { rereads: view.health.rereads }),
    ...(view.model !== undefined && { model: view.model }),
    ...(view.role !== undefined && { role: view.role }),
    ...(view.cwd !== undefined && { folder: view.cwd }),
  };
}
