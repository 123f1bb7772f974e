import type { IncidentBook } from '../../detect/incident';
import type {
  LoopRun,
  AgentId,
  AgentState,
  AgentView,
  Delivery,
  GateReport,
  Incident,
  NearMiss,
  ToolCallEvent,
  WaitingCall,
} from '../../core/model';
import type { Liveness } from '../../agents/transcripts';
import { agentState, type StateInput } from './agent-state';
import type { CoverageCount } from './coverage';
import type { SessionFacts } from './facts';
import type { HealthCounters } from './health';

/** Place of a session among those that one prompt started. */
export interface RunPlace extends LoopRun {
  /** Equal for all runs of one loop. */
  readonly loop: string;
}

/** Number of calls of a session that are listed as waiting: an answer has a handful. */
const MOST_CALLS = 20;
/** Characters of a command that waits for approval: a person reads it, so it is shown whole in all but absurd cases. */
const LONGEST_COMMAND = 8_000;

/** No one waits any more for an agent that stopped this long before the window opened. */
const LONG_AGO_MS = 12 * 3_600_000;

/** Facts about a session; `Session` describes each of them. */
interface Known {
  readonly options: {
    readonly agent: AgentId;
    readonly session: string;
    readonly file: string;
    readonly live: boolean;
    readonly isHistory: (at: number) => boolean;
  };
  readonly facts: SessionFacts;
  readonly health: HealthCounters;
  readonly coverage: CoverageCount;
  readonly book: IncidentBook;
  readonly hints: IncidentBook;
  readonly nearMisses: ReadonlyMap<string, NearMiss>;
  readonly liveness: Liveness | null;
  readonly deliveries: readonly Delivery[];
  readonly gates: GateReport | null;
  readonly since: number | undefined;
  readonly lastReadAt: number;
  readonly isCopy: boolean;
  readonly run: RunPlace | undefined;
  readonly deleted: boolean;
}

/** Values that apply at one moment. */
interface Moment extends Pick<StateInput, 'now' | 'taken' | 'permissionSince'> {
  /** Calls without a result, oldest first. */
  readonly pending: readonly ToolCallEvent[];
  /** The same calls as a person reads them. */
  readonly waiting: readonly WaitingCall[];
  /** Current counts of the rules about time. */
  readonly lasting: readonly NearMiss[];
}

/** Returns everything that is shown of a session. */
export function sessionView(session: Known, moment: Moment): AgentView {
  const { facts, options, liveness, coverage, run, since, gates } = session;
  const { now, pending, waiting, lasting } = moment;
  const incidents = session.book.active();
  const known = agentState({
    facts,
    incidents,
    liveness,
    taken: moment.taken,
    permissionSince: moment.permissionSince,
    pending: waiting,
    isBlind: coverage.isBlind,
    live: options.live,
    now,
  });
  // Nothing will be known any more of one whose transcript was deleted.
  const isOver = session.isCopy || (session.deleted && known.kind !== 'finished');
  const state: AgentState = isOver ? { kind: 'finished', since: facts.lastEventAt, ended: 'clean' } : known;
  const rests = (state.kind === 'finished' && state.ended !== 'died') || (state.kind === 'waiting' && !state.probable);
  const doing = rests ? undefined : facts.doing(pending, now);
  return {
    agent: options.agent,
    agentName: facts.agentName,
    session: options.session,
    file: options.file,
    title: facts.title || facts.agentName,
    state,
    ...(doing && { doing }),
    ...optional({
      model: facts.model,
      branch: facts.branch,
      role: facts.role,
      cwd: facts.cwd,
      version: facts.version,
      mode: facts.mode,
      pid: liveness?.pid ?? facts.pid,
      parent: facts.parent,
      promptedAt: facts.promptedAt,
    }),
    health: session.health.snapshot(facts),
    coverage: {
      ...coverage.snapshot(),
      lastReadAt: session.lastReadAt,
      ...(since !== undefined && { since }),
    },
    plan: facts.plan,
    incidents: [...incidents].sort(gravestFirst),
    hints: session.hints.active(),
    // A near miss that reached its limit became an incident, and is among those.
    nearMisses: [...session.nearMisses.values(), ...lasting].filter(
      ({ heldBackBy, reached, limit }) => heldBackBy !== undefined || reached < limit,
    ),
    ...(run && (run.number > 1 || !run.isLast) && { run }),
    ...(facts.usageLimit && { usageLimit: facts.usageLimit }),
    deliveries: session.deliveries,
    ...(gates && { gates }),
    history: options.isHistory(facts.lastEventAt),
    ...(isPast(session) && { isPast: true }),
    deleted: session.deleted,
  };
}

/** True if a session is past. A reload of the window within the same working day makes nothing past, and a live session never is. */
function isPast({ liveness, options, facts }: Known): boolean {
  return liveness?.alive !== true && options.isHistory(facts.lastEventAt + LONG_AGO_MS);
}

/** Returns calls as a person reads them, at most 20. */
export function waitingCalls(pending: readonly ToolCallEvent[]): readonly WaitingCall[] {
  return pending.slice(0, MOST_CALLS).map(({ id, name, subject, command }) => ({
    id,
    name,
    subject,
    ...(command !== undefined && { command: command.slice(0, LONGEST_COMMAND) }),
  }));
}

/** Orders escalated before stuck before warn; then the one that has lasted longest. */
function gravestFirst(a: Incident, b: Incident): number {
  const rank = (incident: Incident) => (incident.state === 'escalated' ? 0 : incident.level === 'stuck' ? 1 : 2);
  return rank(a) - rank(b) || a.firstAt - b.firstAt;
}

/** Leaves out undefined fields, for types without an explicit undefined. */
export function optional<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
