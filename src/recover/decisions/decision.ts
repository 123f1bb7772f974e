import type { SeenBefore } from '../seen-before';
import type { AgentState, Incident, MessageKind, PlanItem } from '../../core/model';
import { HINDRANCE_TEXTS, type MessageHindrance } from '../../core/words/messages/reach';
import type { Ladder, Rung } from '../ladder';
import type { Brakes } from '../brakes';
import type { LedgerEntry, LimitReached, RecoveryLimits } from './limits';
import type { Tiers } from './models';

/** Facts about an agent for decisions about it. */
export interface AgentSituation {
  readonly state: AgentState;
  /** Reason why it waits for its user; a stuck agent may wait too, without its state showing it. */
  readonly waitingFor: NonNullable<AgentState['waitingFor']> | null;
  /** Only silence suggests that it waits for permission: a person may send a message, automatic mode holds. */
  readonly probablyWaits: boolean;
  /** State of the process of this very session. `unknown` if the agent leaves no trace of it. */
  readonly liveness: 'alive' | 'gone' | 'unknown';
  /** The supervisor runs it: it can be started again without a terminal. */
  readonly supervised: boolean;
  /** It runs in a terminal of this window, where it can be ended. */
  readonly here: boolean;
  /** It works in the chat of this window, where its turn can be cancelled and a new chat started. */
  readonly inChat: boolean;
  /** Kinds of message that a bridge hands to it; none if it is not connected. Texts wait in its inbox nevertheless. */
  readonly takes: readonly MessageKind[];
  /** The workspace is trusted. */
  readonly trusted: boolean;
  /** An open folder holds its inbox. */
  readonly inFolder: boolean;
  readonly model?: string;
  readonly plan: readonly PlanItem[];
}

/** For each way to start the agent again, the reason why it does not exist; null if it does. */
export interface StartWays {
  readonly resume: string | null;
  readonly fork: string | null;
  readonly fresh: string | null;
}

export interface RecoveryFacts {
  readonly incident: Incident;
  readonly agent: AgentSituation;
  readonly ladder: Ladder;
  readonly limits: RecoveryLimits;
  readonly tiers: Tiers;
  readonly ways: StartWays;
  /** The words that start it with more thinking; null if it has none for that. */
  readonly moreThinking: string | null;
  /** The repeating call is known word for word, so that it can be refused once. */
  readonly callKnown: boolean;
  /** That call is the newest one of its session: no call came after it. */
  readonly isNewestCall: boolean;
  /** A budget that a person set is used up, and this incident reports it. */
  readonly isOverBudget: boolean;
  /** A message that stops the agent was sent for this incident. */
  readonly isStopSent: boolean;
  readonly brakes: Brakes;
  /** Longest wait of a message for delivery, milliseconds. */
  readonly messageExpiryMs: number;
  /** Attempts in incidents like this one; absent if they are not known. */
  readonly before?: SeenBefore;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface AutomaticMode {
  readonly on: boolean;
  /** The person pressed *Hold* for this incident. */
  readonly held: boolean;
  /** When this window began to watch, milliseconds since the epoch: no countdown begins before that. */
  readonly since: number;
  /** Automatic attempts of all windows, including those for other incidents. */
  readonly ledger: readonly LedgerEntry[];
}

export type DoReason = 'first_feedback' | 'strategy' | 'clicked' | 'brake_repeat' | 'brake_budget';
export type AskReason =
  | 'two_failures'
  | LimitReached
  | 'no_independent_work'
  | 'start_needs_person'
  | 'no_way_to_start'
  | 'no_models'
  | 'clicked';
export type WaitReason = 'countdown' | 'in_delivery' | 'watching';
export type NothingReason =
  | MessageHindrance
  | 'automatic_off'
  | 'held'
  | 'history'
  | 'over'
  | 'muted'
  | 'already_asked'
  | 'not_stuck_yet'
  | 'guessed'
  | 'expired'
  | 'turn_ended'
  | 'probably_waits'
  | 'frozen_streak'
  | 'nudge_queued'
  | 'outage'
  | 'as_is'
  | 'not_connected'
  | 'no_way_to_start'
  | 'no_models'
  | 'top_already'
  | 'no_call'
  | 'no_smaller_step'
  | 'no_such_rung'
  | 'only_counted_loops'
  | 'chat_goes_on';
export type DecisionReason = DoReason | AskReason | WaitReason | NothingReason;

/** Form of a restart. */
export interface StartForm {
  readonly mode: 'resume' | 'fork' | 'fresh';
  readonly model?: string;
  readonly thinking?: 'high';
}

/** A decision about an incident, with its reason; doing nothing has a reason too. */
export interface Decision {
  readonly do:
    | 'nudge'
    | 'restart'
    | 'escalate'
    | 'reassign'
    | 'stop'
    | 'checkpoint'
    | 'block'
    | 'ask'
    | 'wait'
    | 'nothing';
  readonly reason: DecisionReason;
  /** The reason in one sentence for a person. */
  readonly text: string;
  /** The rung that it takes or is on; null if the ladder has none for it. */
  readonly rung: Rung | null;
  /** Present for `restart` and `escalate`. */
  readonly start?: StartForm;
  /**
   * Starter of the agent: the supervisor that runs it, a terminal now, or a terminal once its process has ended, either in its terminal of this
   * window or because of a `stop` message. `chat`: a new chat of this window, or for `stop` the command that cancels a turn.
   */
  readonly via?: 'supervisor' | 'terminal' | 'terminal_after_stop' | 'chat';
  /** It is unknown whether its process is alive: the person has to confirm that it is not. */
  readonly confirmGone?: boolean;
  /** The work in progress is to be saved first. */
  readonly savesWork?: boolean;
  /** The nudge names the next smaller step of the plan. */
  readonly split?: boolean;
  /** When to check again, milliseconds since the epoch; for `wait` only. */
  readonly until?: number;
}

/** Returns the rung that a decision takes: handing the task to another agent is no step of this one, whatever rung its strategy is on. */
export function takenRung(decision: Decision): Rung | null {
  return decision.do === 'reassign' ? null : decision.rung;
}

/** The reasons in words. For `strategy` the strategy's own sentence is used instead. */
export const REASON_TEXTS: Readonly<Record<DecisionReason, string>> = {
  ...HINDRANCE_TEXTS,
  // Trust is needed for every action, not only for messages.
  untrusted: 'Nothing is sent until you trust this folder.',
  first_feedback: 'The first failure gets feedback, never escalation.',
  strategy: 'Feedback did not help.',
  clicked: 'You asked for it.',
  brake_repeat: 'Your settings block a call repeated this often.',
  brake_budget: 'Your settings stop an agent that has used up its budget.',
  two_failures: 'Two attempts did not help. Over to you.',
  limit_incident: 'The limit of automatic attempts for this incident is reached. Over to you.',
  limit_plan_item: 'The limit of automatic attempts for this item of its plan is reached. Over to you.',
  limit_agent: 'The limit of automatic attempts for this agent is reached. Over to you.',
  limit_global: 'The limit of automatic attempts for all agents is reached. Over to you.',
  no_independent_work: 'Its plan is blocked, and nothing else in it can be done first. Over to you.',
  start_needs_person: 'The next step restarts the agent, which only you or its supervisor can do.',
  no_way_to_start: 'Unstuck does not know how to start this agent in this way.',
  no_models: 'No models are set for this agent (unstuck.recovery.models).',
  top_already: 'It already uses the top model.',
  countdown: 'This will happen automatically unless you hold it.',
  in_delivery: 'A nudge is waiting for the agent.',
  watching: 'A nudge was delivered. The next calls show whether it helped.',
  automatic_off: 'Automatic mode is off.',
  held: 'You are holding it.',
  history: 'It was over before this window opened.',
  over: 'The incident is over.',
  muted: 'You muted it.',
  already_asked: 'You have already been asked.',
  not_stuck_yet: 'So far it is only a warning.',
  guessed: 'Unstuck never acts on a guess.',
  expired: 'Its last repeat was too long ago to act on.',
  turn_ended: 'Its turn has ended. It is waiting for you.',
  probably_waits: 'It is probably waiting for your permission.',
  frozen_streak: 'It has not repeated since the last nudge, so another one would add nothing.',
  nudge_queued: 'A nudge for this is already queued. Undo it to send another one.',
  outage: 'The service refuses requests. Nothing is wrong with the work.',
  as_is: 'The agent continues as it is.',
  not_connected: 'Not available until this agent is connected.',
  no_call: 'The exact text of the repeated call is not known.',
  no_smaller_step: 'Its plan has no smaller step.',
  no_such_rung: 'Your recovery steps do not include this one.',
  chat_goes_on: 'To continue a chat, nudge it. A new chat starts with a fresh context.',
  only_counted_loops: 'Only a call that was counted as repeating can be blocked.',
};
