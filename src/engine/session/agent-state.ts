import {
  type AgentState,
  type Incident,
  type SessionEndReason,
  WATCHED_STEPS,
  type WaitedFor,
  type WaitingCall,
  isActive,
  isTurnOver,
} from '../../core/model';
import { cardOf } from '../../core/rules';
import { stall } from '../../core/rules/cards/stall';
import { ASKED_MINUTES } from '../../detect/steps/patience';
import type { Liveness } from '../../agents/transcripts';
import { SILENCE_WITHOUT_TURNS_MS, type SessionFacts } from './facts';

/** Time for which a taken message makes the agent `recovering`, unless as many steps as are watched came before. */
const RECOVERING_MS = 10 * 60_000;
/** The patience of `stall` for the model: a complete answer without its turn end is the person's move after that. */
const ANSWER_MS = stall.thresholds.balanced.warn * 60_000;
/** Its patience for a person who may be asked: whoever has not answered by then is not there, or the agent is not. */
const ASKED_MS = ASKED_MINUTES.balanced * 60_000;
/** A program that ends so soon after an error ended because of it; later a person closed it. */
const BECAUSE_MS = 5_000;
/** The end of a turn that follows a loop is believed when it has stood for so long. */
const SETTLED_MS = 3_000;
export interface StateInput {
  readonly facts: SessionFacts;
  readonly incidents: readonly Incident[];
  readonly liveness: Liveness | null;
  /** The newest taken message and how many steps came since. */
  readonly taken: { readonly at: number; readonly steps: number } | null;
  /** Since when a call probably waits for permission, where only silence says so; null where none does. */
  readonly permissionSince: number | null;
  /** Calls without a result. */
  readonly pending?: readonly WaitingCall[];
  /** Too little of its transcript is understood: it is "not monitored". */
  readonly isBlind: boolean;
  /** True for a file that is being followed; a scan judges the file as it is. */
  readonly live: boolean;
  readonly now: number;
}

/** The state of an agent: the first that applies, the gravest first. Pure. */
export function agentState(input: StateInput): AgentState {
  const { facts, liveness, now } = input;
  const incidents = input.incidents.filter((incident) => isActive(incident.state));
  const escalated = incidents.find((incident) => incident.state === 'escalated');
  const end = endOf(input);

  // Before whose move it is, and before the end: all that would be said of it is guessed from the little that was read.
  if (input.isBlind) return { kind: 'not_monitored', since: facts.lastEventAt };
  if (end) return end;
  // A person who interrupted has the move: what was stuck is not stuck any more.
  if (facts.interruptedAt !== null) return { ...waiting('turn_end', facts.interruptedAt), interrupted: true };
  const known = waitingOf(facts, liveness) ?? answerOf(facts, now);
  const waits = known && withCalls(known, input.pending);
  // What it asks a person for comes before what was found of it.
  if (waits && !isTurnOver(waits.waitingFor)) return waits;
  if (escalated) return { kind: 'escalated', since: escalated.updatedAt };

  const stuck = incidents.filter((incident) => incident.level === 'stuck');
  // A turn that is over repeats nothing. A harness that sends the agent back at once goes on within the same moment.
  const isOver = waits !== null && (!input.live || now - waits.since >= SETTLED_MS) && !isSentOn(waits, input);
  if (waits && (stuck.length === 0 || isOver)) return overOr(waits, facts, now);
  if (stuck.length > 0 && input.taken && input.taken.steps < WATCHED_STEPS && now - input.taken.at < RECOVERING_MS)
    return { kind: 'recovering', since: input.taken.at };
  // After a person's message it is stuck again once it repeats itself again.
  const still = stuck.filter((incident) => !isAnswered(incident, facts.promptedAt));
  if (still.length > 0) return { kind: 'stuck', since: Math.min(...still.map((incident) => incident.firstAt)) };

  const silent = incidents.find((incident) => incident.detector === stall.id);
  if (silent || (input.permissionSince !== null && now - facts.lastEventAt >= ASKED_MS))
    return { kind: 'stalled', since: facts.lastEventAt };
  if (input.permissionSince !== null) {
    const guessed = { ...waiting('permission', input.permissionSince), probable: true as const };
    return withCalls(guessed, input.pending);
  }
  // Nobody has asked it anything.
  if (!facts.turnOpen) return waiting('turn_end', facts.lastEventAt);
  return { kind: 'working', since: facts.turnOpenedAt || facts.startedAt || now };
}

/** When time alone next changes a state, as nothing is written then: milliseconds since the epoch, infinite where it does not. */
export function nextStateMoment(
  facts: SessionFacts,
  liveness: Liveness | null,
  takenAt: number | undefined,
  after: number,
): number {
  const never = Number.POSITIVE_INFINITY;
  const coming = (at: number): number => (at > after ? at : never);
  const waits = waitingOf(facts, liveness);
  return Math.min(
    coming(waits && isTurnOver(waits.waitingFor) ? waits.since + SETTLED_MS : never),
    coming(facts.answered ? facts.answered.at + ANSWER_MS : never),
    coming(takenAt === undefined ? never : takenAt + RECOVERING_MS),
    facts.jobs.nextMoment(after),
  );
}

/** Its turn ended while something of its own ran: a sub-agent that will send it on, or what has ended since without a word to it. */
function overOr(state: AgentState, { jobs, turnOpenedAt }: SessionFacts, now: number): AgentState {
  if (state.waitingFor !== 'turn_end') return state;
  const missed = jobs.missed(state.since, now);
  if (missed) return { ...waiting('missed_notice', missed.endedAt), missed };
  // Whoever asks a person waits for them first.
  return state.question === undefined && jobs.awaited(now) ? { kind: 'working', since: turnOpenedAt } : state;
}

/** A message that was taken at the end of a turn, instead of the end, sends the agent on: its transcript may say so a minute later. */
function isSentOn({ since }: AgentState, { taken, now }: StateInput): boolean {
  return taken !== null && taken.at >= since && now - taken.at < RECOVERING_MS;
}

/** A person has written since its newest repeat. What only tells of the context is true until it is measured again. */
function isAnswered({ detector, evidence }: Incident, promptedAt = 0): boolean {
  return !cardOf(detector).ofContext && evidence.every(({ at }) => at < promptedAt);
}

/** Calls that wait for a yes. */
function withCalls(state: AgentState, calls: readonly WaitingCall[] = []): AgentState {
  const asks = state.waitingFor === 'permission' || state.waitingFor === 'plan';
  return asks && calls.length > 0 ? { ...state, calls } : state;
}

/** Reason for which an agent waits for its user, stuck or not; null while it works. */
export function waitingOf(facts: SessionFacts, liveness: Liveness | null): AgentState | null {
  if (liveness?.status === 'waiting' && !isOutdated(facts, liveness)) {
    const asked = facts.waiting?.for;
    // The registry calls a plan that waits for its yes a permission.
    const kind = asked === 'plan' ? asked : (liveness.waitingFor ?? asked ?? 'question');
    return waiting(kind, liveness.since ?? facts.lastEventAt, facts.waiting?.question);
  }
  if (facts.waiting) return waiting(facts.waiting.for, facts.waiting.since, facts.waiting.question);
  if (facts.turnEnd && !facts.turnOpen) return turnOver(facts, facts.turnEnd.at);
  if (liveness?.status === 'idle' && facts.lastEventAt <= (liveness.since ?? 0))
    return turnOver(facts, liveness.since ?? facts.lastEventAt);
  return null;
}

/** Returns whether its registry was not brought up to date: the call that waited has its result, and the agent has gone on. */
function isOutdated({ hasOpenCall, lastEventAt }: SessionFacts, { since = lastEventAt }: Liveness): boolean {
  return !hasOpenCall && lastEventAt > since;
}

/** Its turn is over: why it stands still, if that was said. */
function turnOver({ turnEnd, usageLimit, limitOpenedAt, failure, asks }: SessionFacts, since: number): AgentState {
  if (usageLimit) return { ...waiting('limit', since), ...(usageLimit.opensAt && { until: usageLimit.opensAt }) };
  if (limitOpenedAt !== null) return { ...waiting('limit', limitOpenedAt), until: limitOpenedAt };
  if (turnEnd?.reason === 'error')
    return { ...waiting('error', since), ended: 'error', ...(failure !== undefined && { error: failure }) };
  return waiting('turn_end', since, asks);
}

/** A complete answer without a call behind it, where no line said that the turn ended: the person's move. */
function answerOf(facts: SessionFacts, now: number): AgentState | null {
  const { answered } = facts;
  if (answered === null) return null;
  return answered.isEnd || now - answered.at >= ANSWER_MS ? turnOver(facts, answered.at) : null;
}

function waiting(waitingFor: WaitedFor, since: number, question?: string): AgentState {
  return { kind: 'waiting', since, waitingFor, ...(question && { question }) };
}

function endOf({ facts, liveness, live, now }: StateInput): AgentState | null {
  if (facts.ended) {
    const { reason, at } = facts.ended;
    const { turnEnd } = facts;
    const isFailed = reason === 'clean' && turnEnd?.reason === 'error' && at - turnEnd.at < BECAUSE_MS;
    return ended(isFailed ? 'error' : reason, at, facts);
  }
  if (liveness && !liveness.alive) {
    // A process that is gone in the middle of a turn died; one that is gone after its turn simply ended.
    const inTurn = (facts.turnOpen && facts.answered?.isEnd !== true) || facts.waiting?.for === 'permission';
    const reason = facts.turnEnd?.reason;
    const isRun = reason === 'interrupted' && facts.mode === 'print';
    const how = reason === 'error' || isRun ? reason : 'clean';
    return ended(inTurn ? 'died' : how, facts.lastEventAt, facts);
  }
  if (live && !liveness?.alive && !facts.hasTurnLines && now - facts.lastEventAt >= SILENCE_WITHOUT_TURNS_MS) {
    return ended('clean', facts.lastEventAt, facts);
  }
  if (facts.turnEnd && !facts.turnOpen && facts.mode === 'print' && !liveness?.alive) {
    const { reason } = facts.turnEnd;
    // A printed run ends when its sub-agents have reported.
    if (reason === 'done' && facts.jobs.awaited(now)) return null;
    return ended(reason === 'error' || reason === 'interrupted' ? reason : 'clean', facts.turnEnd.at, facts);
  }
  return null;
}

function ended(how: SessionEndReason, since: number, { failure }: SessionFacts): AgentState {
  return { kind: 'finished', since, ended: how, ...(how === 'error' && failure !== undefined && { error: failure }) };
}
