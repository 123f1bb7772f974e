import {
  BUDGETS,
  type Budgets,
  type ClearingReason,
  type DetectorOptions,
  type Exhaustion,
  type Source,
} from '../../core/model';
import { maxRuntime as card } from '../../core/rules/cards/max-runtime';
import { stall } from '../../core/rules/cards/stall';
import { Activity, type EventPlace } from '../session/activity';
import { Alert } from '../session/alert';
import type { DetectContext, Detector, DetectorDefinition, DetectorSink } from '../session/detector';
import { age } from '../../core/words/format';
import { NearMissLog, inMinutes } from '../session/near-misses';
import { isFromPerson } from '../steps/step-builder';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NEVER = Number.POSITIVE_INFINITY;
/** The patience of `stall`: a longer gap does not count as activity. */
const LONGEST_ANSWER = stall.thresholds.balanced.warn * MINUTE;
const LONGEST_CALL = stall.numbers.build.balanced * MINUTE;
/** Number of steps since the last progress that make a turn active; a turn that is merely silent belongs to `stall`. */
const STEPS = 3;

const EXHAUSTED: Readonly<Record<keyof Budgets, Exhaustion>> = {
  hours: 'time',
  calls: 'attempts',
  tokens: 'tokens',
  cost: 'tokens',
};

/**
 * Detects a turn that is active for too long without progress, or a session that has used up a budget set by a person. Time counts while the agent
 * works, but not while it waits for a person, nor between turns. It only warns.
 */
export const maxRuntime: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const budgets: readonly { readonly name: keyof Budgets; readonly alert: Alert }[] = BUDGETS.map((name) => ({
    name,
    alert: new Alert({ ...card, exhaustion: EXHAUSTED[name] }, sink, name),
  }));
  const turn = new Alert(card, sink, 'turn', false);
  const near = new NearMissLog(card.id, null, sink);

  let activity: Activity | undefined;
  let start: EventPlace | undefined;
  /** Active time up to `countedTo`, for the session, and since the turn began or last made progress. */
  let active = 0;
  let inTurn = 0;
  /** The latter at the newest call. */
  let inTurnAtCall = 0;
  let countedTo = 0;
  /** The parts of both that were counted since the newest event. */
  let inGap = 0;
  let inGapOfTurn = 0;
  /** True if the newest step was a wait: where results have the time of their call, the wait follows it. */
  let waited = false;
  /** Start of the time for the turn rule, and the number of steps since then that were not waits. */
  let turnFrom: { readonly at: number; readonly source: Source; readonly what: string } | undefined;
  let steps = 0;
  /** True if the agent's calls would show an edit or a check among them; otherwise the absence of one means nothing. */
  let isReadable = false;
  let calls = 0;
  let cost = 0;

  /** Returns whether the time counts as the agent's own; it does not while only sub-agents work. */
  const isActive = (context: DetectContext): boolean =>
    activity?.isBusy === true &&
    !(context.pending.length > 0 && context.pending.every(({ kind }) => kind === 'delegated'));

  /**
   * Counts the time since the newest event. A gap longer than the patience of `stall` does not count as activity: the machine slept, or the agent
   * waited for permission.
   */
  const countTo = (at: number, context: DetectContext): void => {
    if (at <= countedTo) return;
    if (isActive(context)) {
      const gap = at - (activity?.since ?? at);
      if (gap <= (context.pending.length > 0 ? LONGEST_CALL : LONGEST_ANSWER)) {
        const time = at - countedTo;
        active += time;
        inGap += time;
        if (!waited) {
          inTurn += time;
          inGapOfTurn += time;
        }
      } else {
        active -= inGap;
        inTurn = Math.max(0, inTurn - inGapOfTurn);
        inGap = inGapOfTurn = 0;
      }
    }
    countedTo = at;
  };

  const beginTurn = (at: number, source: Source, what: string): void => {
    turnFrom = { at, source, what };
    inTurn = inTurnAtCall = inGapOfTurn = 0;
    steps = 0;
  };

  const raise = (
    alert: Alert,
    first: EventPlace,
    count: number,
    limit: number,
    text: {
      readonly subject: string;
      readonly what: string;
      readonly why: string;
      readonly suggestion: string;
      readonly clears: readonly string[];
    },
    at: number,
    certainty: 'counted' | 'guessed',
    context: DetectContext,
  ): void => {
    const source = activity?.last?.source ?? first.source;
    alert.raise(
      {
        level: 'warn',
        certainty,
        count,
        limit,
        at,
        source,
        firstAt: first.at,
        first: first.source,
        evidence: [
          { source: first.source, end: source, at: first.at, role: 'first', subject: text.subject, text: text.what },
        ],
        subject: text.subject,
        why: text.why,
        suggestion: text.suggestion,
        clears: text.clears,
      },
      context,
    );
  };

  const lookAtTurn = (at: number, context: DetectContext): void => {
    const limit = options.warn * MINUTE;
    if (!turnFrom || !isReadable || steps < STEPS || turn.isOpen) return;
    near.reached(
      context,
      'the turn',
      inMinutes(inTurn),
      inMinutes(limit),
      at,
      activity?.last?.source ?? turnFrom.source,
    );
    if (inTurn < limit) return;
    raise(
      turn,
      turnFrom,
      Math.floor(inMinutes(inTurn)),
      Math.round(inMinutes(limit)),
      {
        subject: 'the turn',
        what: `${turnFrom.what}, ${steps} steps since`,
        why: `The turn has run for ${age(inTurn)} since ${turnFrom.what}: ${steps} steps without an edit, a passing check, a finished plan item or a commit.`,
        suggestion: 'Ask what it knows now and what it will do next. If that is not clear, split the task.',
        clears: [
          'an edit, a passing check, a finished plan item or a commit',
          'the end of the turn',
          'you send a message',
        ],
      },
      at,
      'guessed',
      context,
    );
  };

  const lookAtBudgets = (at: number, context: DetectContext): void => {
    for (const { name, alert } of budgets) {
      const limit = options.budgets[name] ?? 0;
      if (limit <= 0 || alert.isOpen || !start) continue;
      const used = { hours: active / HOUR, calls, tokens: context.totalTokens, cost }[name];
      if (used < limit) continue;
      const is = budgetWords(name, used);
      const inUnit = name === 'hours' ? 60 : 1;
      raise(
        alert,
        start,
        Math.floor(used * inUnit),
        limit * inUnit,
        {
          subject: 'the session',
          what: is,
          why: `The session has used ${is}; the budget is ${budgetWords(name, limit)}.`,
          suggestion: 'Save the state of the work, and decide whether to continue.',
          clears: ['the session ends'],
        },
        at,
        'counted',
        context,
      );
    }
  };

  const endTurn = (reason: ClearingReason, at: number, source: Source, context: DetectContext): void =>
    turn.clear(reason, at, source, context);

  return {
    onEvent(event, context) {
      activity ??= new Activity(context);
      start ??= { at: event.at, source: event.source };
      if (countedTo === 0) countedTo = event.at;
      countTo(event.at, context);
      if (event.type !== 'clock') inGap = inGapOfTurn = 0;
      if (event.type === 'assistant' || event.type === 'tool_call') waited = false;
      activity.push(event);
      switch (event.type) {
        case 'user':
        case 'turn_start':
          if (event.type === 'user' && !isFromPerson(event) && turnFrom) break;
          if (event.type === 'user') endTurn('user_message', event.at, event.source, context);
          beginTurn(event.at, event.source, event.type === 'user' ? 'the last prompt' : 'the turn began');
          break;
        case 'turn_end':
          endTurn('turn_end', event.at, event.source, context);
          break;
        case 'session_end':
          endTurn('session_end', event.at, event.source, context);
          for (const { alert } of budgets) alert.clear('session_end', event.at, event.source, context);
          return;
        case 'tool_call':
          calls++;
          isReadable ||= event.command !== undefined || event.kind === 'changed';
          if (!turnFrom) beginTurn(event.at, event.source, 'the first call');
          inTurnAtCall = inTurn;
          break;
        case 'usage':
          cost += event.cost ?? 0;
          break;
        default:
      }
      lookAtBudgets(event.at, context);
    },
    onStep(step, context) {
      // waiting for something that is running is not work without progress
      waited = step.weight === 'wait';
      if (waited) inTurn = Math.min(inTurn, inTurnAtCall);
      else steps++;
      lookAtTurn(step.at, context);
    },
    onProgress(marker, context) {
      endTurn('progress', marker.at, marker.source, context);
      beginTurn(marker.at, marker.source, `the last progress (${marker.text})`);
    },
    onTick(now, context) {
      countTo(now, context);
      lookAtBudgets(now, context);
    },
    deadline() {
      const { hours = 0 } = options.budgets;
      if (!activity?.isBusy || hours <= 0 || budgets.some(({ name, alert }) => name === 'hours' && alert.isOpen))
        return NEVER;
      return countedTo + Math.max(0, hours * HOUR - active);
    },
  };
}

function budgetWords(name: keyof Budgets, value: number): string {
  switch (name) {
    case 'hours':
      return `${value < 24 ? age(value * HOUR) : `${Math.floor(value)} h`} of work`;
    case 'cost':
      return `$${value.toFixed(2)}`;
    case 'calls':
    case 'tokens':
      return `${value} ${name}`;
  }
}
