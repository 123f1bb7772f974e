import type { AgentView, Delivery, Evidence, Incident } from '../../core/model';
import { presentable, presentableLine } from '../../base/util/redact';
import { fail, ok, type Result } from '../../base/util/result';
import { encode, type WireProblem } from './codec';
import { LIMITS, MOST_EVIDENCE } from './fields';
import type { WireIncident } from './incident';
import { type FleetAction, sessionKey } from './names';
import type { AgentRecord } from './state';

/** What a record says beside the agent. */
export type RecordHead = Pick<AgentRecord, 'machine' | 'run' | 'n' | 'at'>;

const MOST_TOOLS = 20;

/** How much of an agent is sent. */
interface Amounts {
  readonly incidents: number;
  /** Lines of all incidents. */
  readonly evidence: number;
  readonly deliveries: number;
}

/** The most first; the last always fits into 64 KB, whatever the script that the texts are written in. */
const AMOUNTS: readonly [Amounts, ...Amounts[]] = [
  { incidents: 5, evidence: MOST_EVIDENCE, deliveries: 10 },
  { incidents: 3, evidence: 10, deliveries: 3 },
  { incidents: 1, evidence: 5, deliveries: 1 },
];

/** The record of an agent with as much as fits, and its bytes. */
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
 * The state of an agent as it leaves its machine: every text redacted and cut, at most 20 lines of evidence, no sample of a result, no path
 * of a transcript.
 */
export function agentRecord(
  view: AgentView,
  head: RecordHead,
  accepts: readonly FleetAction[],
  amounts: Amounts = AMOUNTS[0],
): AgentRecord {
  const { state, doing, usageLimit } = view;
  let left = amounts.evidence;
  const incidents = view.incidents.slice(0, amounts.incidents).map((incident) => {
    const record = incidentRecord(incident, left);
    left -= record.evidence.length;
    return record;
  });
  return {
    v: 1,
    kind: 'agent',
    ...head,
    key: sessionKey(view.session),
    session: wordOf(view.session) ?? '-',
    agent: view.agent,
    agentName: wordOf(view.agentName) ?? view.agent,
    title: presentableLine(view.title, LIMITS.title),
    ...words(view, ['model', 'branch', 'role', 'version', 'parent']),
    ...(view.cwd !== undefined && { cwd: presentableLine(view.cwd, LIMITS.path) }),
    ...(view.mode && { mode: view.mode }),
    state: {
      ...state,
      ...(state.question !== undefined && { question: presentable(state.question, LIMITS.sentence) }),
    },
    ...(doing && { doing: { ...doing, subject: lineOf(doing.subject) } }),
    health: healthOf(view),
    ...planOf(view),
    incidents,
    ...(usageLimit && { usageLimit }),
    deliveries: view.deliveries.slice(-amounts.deliveries).map(deliveryRecord),
    history: view.history,
    accepts: [...accepts],
  };
}

/** An incident as it leaves its machine. */
export function incidentRecord(incident: Incident, evidence = MOST_EVIDENCE): WireIncident {
  return {
    id: incident.id,
    detector: incident.detector,
    rule: incident.rule,
    reason: incident.reason,
    exhaustion: incident.exhaustion,
    certainty: incident.certainty,
    level: incident.level,
    confidence: Math.min(1, Math.max(0, incident.confidence)),
    state: incident.state,
    count: incident.count,
    firstAt: incident.firstAt,
    openedAt: incident.openedAt,
    stuckAt: incident.stuckAt,
    resolvedAt: incident.resolvedAt,
    updatedAt: incident.updatedAt,
    firstLine: incident.firstLine,
    alertLine: incident.alertLine,
    stuckLine: incident.stuckLine,
    subject: lineOf(incident.subject),
    why: presentable(incident.why, LIMITS.sentence),
    suggestion: presentable(incident.suggestion, LIMITS.sentence),
    clears: incident.clears.slice(0, 8).map(lineOf),
    ...(incident.situations && { situations: incident.situations.slice(0, 8) }),
    outcome: incident.outcome,
    cleared: incident.cleared,
    reopened: incident.reopened,
    evidence: chosen(incident.evidence, evidence).map(evidenceRecord),
    attempts: incident.attempts.slice(-10).map(({ attempt, kind, message, at, automated, state, outcome }) => {
      return { attempt, kind, message, at, automated, state, ...(outcome && { outcome }) };
    }),
    ...(incident.tokensSinceFirst !== undefined && { tokensSinceFirst: incident.tokensSinceFirst }),
    ...(incident.model !== undefined && words({ model: incident.model }, ['model'])),
  };
}

/** The first two lines and the newest: what began it, and what goes on. */
function chosen(rows: readonly Evidence[], most: number): readonly Evidence[] {
  if (rows.length <= most) return rows;
  const first = rows.slice(0, Math.min(2, most));
  return first.length === most ? first : [...first, ...rows.slice(first.length - most)];
}

function evidenceRecord({ source, end, at, role, letter, subject, text }: Evidence): WireIncident['evidence'][number] {
  return {
    at,
    line: source.line,
    ...(end && { endLine: end.line }),
    role,
    ...(letter !== undefined && { letter }),
    subject: lineOf(subject),
    text: lineOf(text),
  };
}

function deliveryRecord({ message, state, times, by, outcome, reason }: Delivery): AgentRecord['deliveries'][number] {
  return {
    id: message.id,
    kind: message.kind,
    text: presentable(message.text, LIMITS.sentence),
    automated: message.automated,
    state,
    times: { ...times },
    ...words({ by }, ['by']),
    ...(outcome && { outcome }),
    ...(reason !== undefined && { reason: lineOf(reason) }),
  };
}

function healthOf({ health }: AgentView): AgentRecord['health'] {
  const { blockedByPlanItem: _, lastNewStep: __, lastProgress, callsByTool, ...counters } = health;
  const tools = Object.entries(callsByTool)
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_TOOLS)
    .map(([tool, calls]) => [presentableLine(tool, 64), calls] as const);
  return {
    ...counters,
    callsByTool: Object.fromEntries(tools),
    ...(lastProgress && {
      lastProgress: {
        kind: lastProgress.kind,
        at: lastProgress.at,
        line: lastProgress.source.line,
        text: lineOf(lastProgress.text),
      },
    }),
  };
}

function planOf({ plan }: AgentView): Pick<AgentRecord, 'plan'> {
  if (plan.length === 0) return {};
  const current = plan.find(({ status }) => status === 'in_progress');
  const done = plan.filter(({ status }) => status === 'completed').length;
  return { plan: { done, total: plan.length, ...(current && { current: lineOf(current.title) }) } };
}

function lineOf(text: string): string {
  return presentableLine(text, LIMITS.line);
}

function wordOf(text: string): string | undefined {
  const word = presentableLine(text, LIMITS.word);
  return word === '' ? undefined : word;
}

/** Those of the fields that say something, redacted. */
function words<K extends string>(of: { readonly [key in K]?: string | undefined }, names: readonly K[]) {
  const found: { [key in K]?: string } = {};
  for (const name of names) {
    const word = of[name] === undefined ? undefined : wordOf(of[name]);
    if (word !== undefined) found[name] = word;
  }
  return found;
}
