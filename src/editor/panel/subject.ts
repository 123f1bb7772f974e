import type { AgentView, Incident } from '../../core/model';
import type { Services } from '../services';

/** The agent or incident that a person asked the panel to show. */
export interface ShownSubject {
  readonly session: string;
  /** The chosen incident. Without one the panel shows the gravest active incident. */
  readonly incident?: string;
  /** An incident of the history, whose session may no longer be followed. */
  readonly past?: Incident;
}

/** The agent that the panel shows now, and its incident. */
export interface Subject {
  readonly view: AgentView;
  /** Set if the agent is known only from this incident of the history; absent if the session is followed. */
  readonly past?: Incident;
  /** The chosen incident, otherwise the gravest. */
  readonly incident?: Incident;
}

type Agents = Pick<Services['agents'], 'agent' | 'incidentsOf'>;

/** Returns the subject; null if the session is not followed and no incident of the history is shown. */
export function subjectOf(shown: ShownSubject, agents: Agents): Subject | null {
  const followed = agents.agent(shown.session);
  if (followed) {
    const incident = chosen(shown, agents) ?? followed.incidents[0];
    return { view: followed, ...(incident && { incident }) };
  }
  const { past } = shown;
  if (!past) return null;
  const view = pastView(past);
  const incident = past.id === shown.incident ? past : view.incidents[0];
  return { view, past, ...(incident && { incident }) };
}

function chosen({ session, incident, past }: ShownSubject, agents: Agents): Incident | undefined {
  if (incident === undefined || incident === '') return undefined;
  const known = agents.incidentsOf(session).find(({ id }) => id === incident);
  return known ?? (past?.id === incident ? past : undefined);
}

/** Returns the incidents of the session, plus the shown one if a second reading of the session did not find it. */
export function incidentsOf(shown: ShownSubject, { past }: Subject, agents: Agents): readonly Incident[] {
  if (past) return [past];
  const incidents = agents.incidentsOf(shown.session);
  const kept = shown.past;
  return kept === undefined || incidents.some(({ id }) => id === kept.id) ? incidents : [kept, ...incidents];
}

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
