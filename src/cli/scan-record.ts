import type { ScannedFile, ScannedSession } from '../engine/scan';
import { type AgentState, type Incident, type NearMiss, repeatsIn } from '../core/model';

/** Returns one incident or hint as `scan --json` prints it (docs/command-line.md). */
export function incidentRecord(file: string, incident: Incident, kind: 'incident' | 'hint' = 'incident') {
  return {
    kind,
    file,
    agent: incident.agent,
    session: incident.session,
    detector: incident.detector,
    rule: incident.rule,
    reason: incident.reason,
    exhaustion: incident.exhaustion,
    level: incident.level,
    confidence: round(incident.confidence),
    certainty: incident.certainty,
    firstLine: incident.firstLine,
    alertLine: incident.alertLine,
    stuckLine: incident.stuckLine,
    resolvedLine: incident.resolvedLine,
    count: incident.count,
    ...(incident.context && { context: incident.context }),
    evidence: repeatsIn(incident.evidence).map((row) => ({
      line: row.source.line,
      endLine: row.end?.line ?? row.source.line,
      text: `${row.subject}: ${row.text}`,
    })),
    why: incident.why,
    suggestion: incident.suggestion,
  };
}

/** Returns a record that says how near one rule came to firing in a session, and what held it back (`--why`). `line` is where it came nearest. */
export function nearMissRecord(scanned: ScannedFile, session: ScannedSession, near: NearMiss) {
  return {
    kind: 'near_miss' as const,
    file: scanned.file,
    agent: session.agent,
    session: session.session,
    detector: near.detector,
    rule: near.rule,
    nearest: near.nearest,
    reached: near.reached,
    limit: near.limit,
    heldBackBy: near.heldBackBy ?? null,
    line: near.source?.line ?? null,
  };
}

export function fileRecord(scanned: ScannedFile, session: ScannedSession | null) {
  return {
    kind: 'file' as const,
    file: scanned.file,
    agent: scanned.agent,
    session: session?.session ?? null,
    lines: session?.lines ?? scanned.lines,
    events: session?.events ?? 0,
    actions: session?.actions ?? 0,
    skipped: (session?.skipped ?? scanned.orphans).map((problem) => ({ line: problem.line, why: problem.why })),
    incidents: session?.incidents.length ?? 0,
    state: session?.state.kind ?? ('not_monitored' as const),
    ...(session && waitRecord(session.state)),
    ended: session?.state.ended ?? null,
    ...(!session && { why: whyNothing(scanned) }),
  };
}

/** Returns the reason why an agent waits; `probable` if only silence shows it. */
export function waitRecord({ waitingFor, probable, question, calls, until, error }: AgentState) {
  // A turn that ended with a question asks it, though nothing holds the agent until it is answered.
  const asksInText = waitingFor === 'turn_end' && question !== undefined;
  return {
    ...(waitingFor && { for: asksInText ? ('question' as const) : waitingFor }),
    ...(probable && { probable }),
    ...(asksInText && { asks: question }),
    ...(until !== undefined && { until: new Date(until).toISOString() }),
    ...(calls && { calls: calls.map(({ id, name, subject }) => ({ id, name, subject })) }),
    ...(error !== undefined && { error }),
  };
}

/** Returns the state in words: `waiting (permission, probably)`, `finished (died)`. */
export function stateWords({ kind, waitingFor, probable, ended }: AgentState): string {
  const detail = waitingFor ?? ended;
  return detail ? `${kind} (${detail}${probable ? ', probably' : ''})` : kind;
}

/** Returns why no session was found in a transcript. */
export function whyNothing({ orphans, lines }: Pick<ScannedFile, 'orphans' | 'lines'>): string {
  const first = orphans[0];
  if (first) return `no record could be read: ${first.why}`;
  return lines === 0 ? 'it holds no record' : 'no record shows what an agent did';
}

/** Returns the record of a file that was named but is not a transcript that any adapter recognises. */
export function unknownFileRecord(file: string, why: string) {
  return {
    kind: 'file' as const,
    file,
    agent: null,
    session: null,
    lines: 0,
    events: 0,
    actions: 0,
    skipped: [],
    incidents: 0,
    state: 'not_monitored' as const,
    ended: null,
    why,
  };
}

export function totalRecord(files: number, bytes: number, events: number, seconds: number) {
  return { kind: 'total' as const, files, bytes, events, seconds: Math.round(seconds * 1000) / 1000 };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
