import type {
  AgentView,
  ClearingReason,
  Delivery,
  DetectorId,
  Incident,
  ReasonCode,
  RuleId,
  Situation,
} from '../../core/model';
import type { WireIncident } from './incident';
import type { AgentRecord } from './state';

/**
 * Turns the state from another machine into the view of an agent, so that rows and panel draw it like those of this machine. What is not sent is
 * absent: the transcript (`file` is empty, because none of it can be opened here), the process, samples of results, near misses.
 *
 * @param ahead milliseconds by which the other machine's clock is ahead of this one's; all times are then those of this machine
 */
export function viewOf(record: AgentRecord, ahead = 0): AgentView {
  const here = (at: number): number => Math.max(0, at - ahead);
  const { state, doing, health, usageLimit } = record;
  const { lastProgress, lastNewAt, ...counters } = health;
  return {
    agent: record.agent,
    agentName: record.agentName,
    session: record.session,
    file: '',
    title: record.title,
    ...optional(record, ['model', 'branch', 'role', 'cwd', 'version', 'mode', 'parent']),
    state: { ...state, since: here(state.since), ...(state.until !== undefined && { until: here(state.until) }) },
    ...(doing && { doing: { ...doing, since: here(doing.since) } }),
    health: {
      ...counters,
      blockedByPlanItem: {},
      startedAt: here(health.startedAt),
      lastEventAt: here(health.lastEventAt),
      ...(lastNewAt !== undefined && { lastNewAt: here(lastNewAt) }),
      ...(lastProgress && {
        lastProgress: { ...lastProgress, at: here(lastProgress.at), source: placeOf(lastProgress.line) },
      }),
    },
    coverage: {
      seen: health.calls,
      there: health.calls,
      lines: 0,
      skipped: 0,
      problems: [],
      lastReadAt: here(record.at),
    },
    plan: [],
    incidents: record.incidents.map((incident) => incidentOf(incident, record, ahead)),
    hints: [],
    nearMisses: [],
    ...(usageLimit && {
      usageLimit: {
        since: here(usageLimit.since),
        ...(usageLimit.opensAt !== undefined && { opensAt: here(usageLimit.opensAt) }),
      },
    }),
    deliveries: record.deliveries.map((delivery) => deliveryOf(delivery, record, here)),
    history: record.history,
    ...(record.history && { isPast: true }),
    deleted: false,
  };
}

/** Returns an incident of another machine. */
export function incidentOf(incident: WireIncident, of: IncidentOwner, ahead = 0): Incident {
  const here = (at: number): number => Math.max(0, at - ahead);
  const hereOrNull = (at: number | null): number | null => (at === null ? null : here(at));
  const { situations, ...rest } = incident;
  return {
    ...rest,
    key: incident.id,
    agent: of.agent,
    agentName: of.agentName ?? of.agent,
    session: of.session,
    title: of.title ?? '',
    file: '',
    // Words of a later version get the card of an unknown rule.
    detector: incident.detector as DetectorId,
    rule: incident.rule as RuleId | null,
    reason: incident.reason as ReasonCode,
    cleared: incident.cleared as ClearingReason | null,
    ...(situations && { situations: situations as Situation[] }),
    firstAt: here(incident.firstAt),
    openedAt: here(incident.openedAt),
    stuckAt: hereOrNull(incident.stuckAt),
    resolvedAt: hereOrNull(incident.resolvedAt),
    updatedAt: here(incident.updatedAt),
    resolvedLine: null,
    evidence: incident.evidence.map(({ line, endLine, ...row }) => ({
      ...row,
      at: here(row.at),
      source: placeOf(line),
      ...(endLine !== undefined && { end: placeOf(endLine) }),
    })),
    attempts: incident.attempts.map((attempt) => ({ ...attempt, at: here(attempt.at) })),
    notified: true,
    history: false,
  };
}

/** Agent and session to which an incident belongs. */
export type IncidentOwner = Pick<AgentRecord, 'agent' | 'session'> & Partial<Pick<AgentRecord, 'agentName' | 'title'>>;

function deliveryOf(
  { id, kind, text, automated, times, ...delivery }: AgentRecord['deliveries'][number],
  { session, agent }: AgentRecord,
  here: (at: number) => number,
): Delivery {
  const t = new Date(here(times['queued'] ?? 0)).toISOString();
  return {
    ...delivery,
    message: { v: 1, id, t, session, agent, kind, text, from: 'unstuck', automated, expires: t },
    times: Object.fromEntries(Object.entries(times).map(([name, at]) => [name, here(at)])),
  };
}

/** Returns a place whose line cannot be opened on this machine. */
function placeOf(line: number) {
  return { file: '', line, offset: 0 };
}

function optional<T, K extends keyof T>(from: T, names: readonly K[]): { [key in K]?: Exclude<T[key], undefined> } {
  const found: { [key in K]?: Exclude<T[key], undefined> } = {};
  for (const name of names) {
    const value = from[name];
    if (value !== undefined) found[name] = value as Exclude<T[K], undefined>;
  }
  return found;
}
