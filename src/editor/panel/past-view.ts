import type { AgentView, Incident } from '../../core/model';

/** Returns the view of an agent as an incident of the history remembers it, for a session that is no longer followed. */
export function pastView(incident: Incident): AgentView {
  const endedAt = incident.resolvedAt ?? incident.updatedAt;
  return {
    agent: incident.agent,
    agentName: incident.agentName,
    session: incident.session,
    file: incident.file,
    title: incident.title,
    ...(incident.model !== undefined && { model: incident.model }),
    ...(incident.role !== undefined && { role: incident.role }),
    ...(incident.folder !== undefined && { cwd: incident.folder }),
    state: { kind: 'finished', since: endedAt, ended: 'clean' },
    health: {
      calls: 0,
      callsByTool: {},
      failures: 0,
      failuresInARow: 0,
      validationFailures: 0,
      validationFailuresInARow: 0,
      gateAttempts: 0,
      blockedByPlanItem: {},
      startedAt: incident.firstAt,
      lastEventAt: endedAt,
    },
    coverage: { seen: 0, there: 0, lines: 0, skipped: 0, problems: [], lastReadAt: endedAt },
    plan: [],
    incidents: [],
    hints: [],
    nearMisses: [],
    deliveries: [],
    history: true,
    deleted: false,
  };
}
