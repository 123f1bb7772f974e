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

/** Time for which a taken message makes the agent `recovering`, unless the number of watched steps is reached before. */
const RECOVERING_MS = 10 * 60_000;
/** The patience of `stall` with the model: after that, a complete answer without its turn end makes it the person's move. */
const ANSWER_MS = stall.thresholds.balanced.warn * 60_000;
/** Its patience with a person who may have a question to answer: after that, either the person is not there or the agent is not. */
const ASKED_MS = ASKED_MINUTES.balanced * 60_000;
/** A program that ends this soon after an error ended because of it; if it ends later, a person closed it. */
const BECAUSE_MS = 5_000;
/** The end of a turn that follows a loop is believed once it has lasted this long. */
const SETTLED_MS = 3_000;
export interface StateInput {
  readonly facts: SessionFacts;
  readonly incidents: readonly Incident[];
  readonly liveness: Liveness | null;
  /** The newest taken message and the number of steps since. */
  readonly taken: { readonly at: number; readonly steps: number } | null;
  /** When a call probably began to wait for permission, if only silence shows that; null if none does. */
  readonly permissionSince: number | null;
  /** Calls without a result. */
  readonly pending?: readonly WaitingCall[];
  /** Too little of its transcript is understood: it is "not monitored". */
  readonly isBlind: boolean;
  /** True for a file that is being followed; a scan judges the file as it is. */
  readonly live: boolean;
  readonly now: number;
}

/** Returns the state of an agent: the first that applies, the most serious first. Pure. */
export function agentState(input: StateInput): AgentState {
  const { facts, liveness, now } = input;
  const incidents = input.incidents.filter((incident) => isActive(incident.state));
  const escalated = incidents.find((incident) => incident.state === 'escalated');
  const end = endOf(input);

  // Comes before whose move it is, and before the end: anything said about the agent would be guessed from the little that was read.
  if (input.isBlind) return { kind: 'not_monitored', since: facts.lastEventAt };
  if (end) return end;
  // A person who interrupted has the move: what was stuck is no longer stuck.
  if (facts.interruptedAt !== null) return { ...waiting('turn_end', facts.interruptedAt), interrupted: true };
  const known = waitingOf(facts, liveness) ?? answerOf(facts, now);
  const waits = known && withCalls(known, input.pending);
  // What the agent asks of a person comes before what was found about it.
  if (waits && !isTurnOver(waits.waitingFor)) return waits;
  if (escalated) return { kind: 'escalated', since: escalated.updatedAt };

  const stuck = incidents.filter((incident) => incident.level === 'stuck');
  // A turn that is over repeats nothing. A harness that sends the agent back at once continues within the same moment.
  const isOver = waits !== null && (!input.live || now - waits.since >= SETTLED_MS) && !isSentOn(waits, input);
  if (waits && (stuck.length === 0 || isOver)) return overOr(waits, facts, now);
  if (stuck.length > 0 && input.taken && input.taken.steps < WATCHED_STEPS && now - input.taken.at < RECOVERING_MS)
    return { kind: 'recovering', since: input.taken.at };
  // After a person's message it is stuck again only once it repeats itself again.
  const still = stuck.filter((incident) => !isAnswered(incident, facts.promptedAt));
  if (still.length > 0) return { kind: 'stuck', since: Math.min(...still.map((incident) => incident.firstAt)) };

  const silent = incidents.find((incident) => incident.detector === stall.id);
  if (silent || (input.permissionSince !== null && now - facts.lastEventAt >= ASKED_MS))
    return { kind: 'stalled', since: facts.lastEventAt };
  if (input.permissionSince !== null) {
    const guessed = { ...waiting('permission', input.permissionSince), probable: true as const };
    return withCalls(guessed, input.pending);
  }
  // It was given no prompt yet.
  if (!facts.turnOpen) return waiting('turn_end', facts.lastEventAt);
  return { kind: 'working', since: facts.turnOpenedAt || facts.startedAt || now };
}

/** Returns when time alone next changes a state, because nothing is written then: milliseconds since the epoch; infinite if it does not. */
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

/**
 * Corrects the state of an agent whose turn ended while jobs of its own ran: a sub-agent that will make it continue, or a job that has ended since
 * without notifying it.
 */
function overOr(state: AgentState, { jobs, turnOpenedAt }: SessionFacts, now: number): AgentState {
  if (state.waitingFor !== 'turn_end') return state;
  const missed = jobs.missed(state.since, now);
  if (missed) return { ...waiting('missed_notice', missed.endedAt), missed };
  // An agent that asks a person something waits for the person first.
  return state.question === undefined && jobs.awaited(now) ? { kind: 'working', since: turnOpenedAt } : state;
}

/** True if a message taken at the end of a turn makes the agent continue instead of ending it: its transcript may show that only a minute later. */
function isSentOn({ since }: AgentState, { taken, now }: StateInput): boolean {
  return taken !== null && taken.at >= since && now - taken.at < RECOVERING_MS;
}

/** True if a person has written since its newest repeat. A finding about the context stays true until the context is measured again. */
function isAnswered({ detector, evidence }: Incident, promptedAt = 0): boolean {
  return !cardOf(detector).ofContext && evidence.every(({ at }) => at < promptedAt);
}

/** Adds the calls that wait for approval. */
function withCalls(state: AgentState, calls: readonly WaitingCall[] = []): AgentState {
  const asks = state.waitingFor === 'permission' || state.waitingFor === 'plan';
  return asks && calls.length > 0 ? { ...state, calls } : state;
}

/** Returns the state of an agent that waits for its user, with the reason, stuck or not; null while it works. */
export function waitingOf(facts: SessionFacts, liveness: Liveness | null): AgentState | null {
  if (liveness?.status === 'waiting' && !isOutdated(facts, liveness)) {
    const asked = facts.waiting?.for;
    // The registry calls a plan that waits for approval a permission.
    const kind = asked === 'plan' ? asked : (liveness.waitingFor ?? asked ?? 'question');
    return waiting(kind, liveness.since ?? facts.lastEventAt, facts.waiting?.question);
  }
  if (facts.waiting) return waiting(facts.waiting.for, facts.waiting.since, facts.waiting.question);
  if (facts.turnEnd && !facts.turnOpen) return turnOver(facts, facts.turnEnd.at);
  if (liveness?.status === 'idle' && facts.lastEventAt <= (liveness.since ?? 0))
    return turnOver(facts, liveness.since ?? facts.lastEventAt);
  return null;
}

/** True if its registry was not brought up to date: the call that waited has its result, and the agent has continued. */
function isOutdated({ hasOpenCall, lastEventAt }: SessionFacts, { since = lastEventAt }: Liveness): boolean {
  return !hasOpenCall && lastEventAt > since;
}

/** Returns the state after the end of a turn, with the reason why the agent stands still, if it is known. */
function turnOver({ turnEnd, usageLimit, limitOpenedAt, failure, asks }: SessionFacts, since: number): AgentState {
  if (usageLimit) return { ...waiting('limit', since), ...(usageLimit.opensAt && { until: usageLimit.opensAt }) };
  if (limitOpenedAt !== null) return { ...waiting('limit', limitOpenedAt), until: limitOpenedAt };
  if (turnEnd?.reason === 'error')
    return { ...waiting('error', since), ended: 'error', ...(failure !== undefined && { error: failure }) };
  return waiting('turn_end', since, asks);
}

/** Returns the state after a complete answer that no call follows, if no line ended the turn: it is the person's move. */
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
