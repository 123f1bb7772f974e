import type { AgentView, Delivery, Evidence, Incident } from '../../core/model';
import { fail, ok, type Result } from '../../base/util/result';
import { encode, type WireProblem } from './codec';
import { MOST_EVIDENCE } from './fields';
import { incidentSchema, type WireIncident } from './incident';
import { type FleetAction, sessionKey } from './names';
import { outgoing } from './outgoing';
import { type AgentRecord, agentSchema } from './state';

/** Fields of a record in addition to the agent. */
export type RecordHead = Pick<AgentRecord, 'machine' | 'run' | 'n' | 'at'>;

const MOST_TOOLS = 20;

/** Limits on the data of an agent that is sent. */
interface Amounts {
  readonly incidents: number;
  /** Lines of evidence in all incidents together. */
  readonly evidence: number;
  readonly deliveries: number;
}

/** The largest amounts first; the last always fits into 64 KB, whatever script the texts are written in. */
const AMOUNTS: readonly [Amounts, ...Amounts[]] = [
  { incidents: 5, evidence: MOST_EVIDENCE, deliveries: 10 },
  { incidents: 3, evidence: 10, deliveries: 3 },
  { incidents: 1, evidence: 5, deliveries: 1 },
];

/** Returns the record of an agent with as much as fits, and its bytes. */
export function encodeAgent(
  view: AgentView,
  head: RecordHead,
  accepts: readonly FleetAction[],
): Result<{ readonly record: AgentRecord; readonly bytes: Uint8Array }, WireProblem> {
  for (const amounts of AMOUNTS) {
    const record = agentRecord(view, head, accepts, amounts);
    const bytes = encode(record);
    if (bytes.ok) return ok({ record, bytes: bytes.value });
  }
  return fail('too_large');
}

/**
 * Returns the state of an agent as it leaves its machine: every text redacted and cut, at most 20 lines of evidence, no sample of a result, no path
 * of a transcript.
 */
export function agentRecord(
  view: AgentView,
  head: RecordHead,
  accepts: readonly FleetAction[],
  amounts: Amounts = AMOUNTS[0],
): AgentRecord {
  let left = amounts.evidence;
  const incidents = view.incidents.slice(0, amounts.incidents).map((incident) => {
    const rows = incidentRows(incident, left);
    left -= rows.evidence.length;
    return rows;
  });
  const record = outgoing(agentSchema, {
    ...view,
    ...head,
    v: 1,
    kind: 'agent',
    key: sessionKey(view.session),
    health: healthOf(view),
    plan: planOf(view),
    incidents,
    deliveries: view.deliveries.slice(-amounts.deliveries).map(deliveryRow),
    accepts,
  });
  return { ...record, session: record.session || '-', agentName: record.agentName || view.agent };
}

/** Returns an incident as it leaves its machine. */
export function wireIncident(incident: Incident): WireIncident {
  return outgoing(incidentSchema, incidentRows(incident, MOST_EVIDENCE));
}

/** Returns an incident with as much of its lists as is sent. */
function incidentRows(incident: Incident, evidence: number) {
  return {
    ...incident,
    confidence: Math.min(1, Math.max(0, incident.confidence)),
    clears: incident.clears.slice(0, 8),
    situations: incident.situations?.slice(0, 8),
    evidence: chosen(incident.evidence, evidence).map((row) => ({
      ...row,
      line: row.source.line,
      endLine: row.end?.line,
    })),
    attempts: incident.attempts.slice(-10),
  };
}

/** Returns the first two rows and the newest: what began it, and what is happening now. */
function chosen(rows: readonly Evidence[], most: number): readonly Evidence[] {
  if (rows.length <= most) return rows;
  const first = rows.slice(0, Math.min(2, most));
  return first.length === most ? first : [...first, ...rows.slice(first.length - most)];
}

function deliveryRow({ message, ...delivery }: Delivery) {
  return { ...delivery, id: message.id, kind: message.kind, text: message.text, automated: message.automated };
}

function healthOf({ health }: AgentView) {
  const { lastProgress } = health;
  const tools = Object.entries(health.callsByTool).sort(([, one], [, other]) => other - one);
  return {
    ...health,
    callsByTool: Object.fromEntries(tools.slice(0, MOST_TOOLS)),
    lastProgress: lastProgress && { ...lastProgress, line: lastProgress.source.line },
  };
}

function planOf({ plan }: AgentView) {
  if (plan.length === 0) return undefined;
  const current = plan.find(({ status }) => status === 'in_progress');
  const done = plan.filter(({ status }) => status === 'completed').length;
  return { done, total: plan.length, current: current?.title };
}
