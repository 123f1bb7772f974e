import type { AgentEvent, ToolCallEvent, ToolResultEvent } from '../../core/model';

/** Limit of the calls that wait for their result, including those whose result may come late; beyond it the oldest is dropped. */
const PENDING = 64;
/** Limit of the results that wait for their call (some agents write the result first). */
const EARLY = 16;
/** Number of events after which a result without a call is forgotten, so that a reused id does not match it. */
const EARLY_EVENTS = 200;

/** A call that no longer runs, with the message that made it. */
interface Late {
  readonly call: ToolCallEvent;
  readonly madeBy: number;
}

interface Early {
  readonly result: ToolResultEvent;
  readonly isReminded: boolean;
  readonly event: number;
}

/**
 * Takes a call with its result.
 *
 * @param message serial number of the message that made the call. Where the format has no messages, the calls made before the first of their results
 * form one.
 * @param isReminded the harness added its own reminder below the result, from which it has been removed
 */
export type Paired = (call: ToolCallEvent, result: ToolResultEvent, message: number, isReminded: boolean) => void;

/** Pairs calls with their results. */
export interface StepAssembler {
  /** Running calls, oldest first: still without a result, and made since the agent last continued after a result. */
  readonly pending: readonly ToolCallEvent[];
  /** Takes an event in file order; calls `step` if it completes a pair. */
  push(event: AgentEvent, step: Paired): void;
}

/**
 * Pairs by id, in any order: results before their calls, parallel calls whose results come in another order, reused ids.
 *
 * Real records contain calls whose result never comes. A model continues when its calls have results, so once it says or calls something after a
 * result, earlier calls no longer run, except those of the same batch. Their results, should they come, are still matched until the turn or session
 * ends or 64 others are waiting.
 */
export function createStepAssembler(): StepAssembler {
  const pending: ToolCallEvent[] = [];
  /** Message of each pending call. */
  const messages: number[] = [];
  /** Calls that no longer run, oldest first. */
  const late: Late[] = [];
  /** True if the last event was a result. */
  let isAnswered = false;
  const early: Early[] = [];
  let events = 0;
  let message = 0;
  /** Batch of the newest call, and whether a result has come since. */
  let batch: string | undefined;
  let isComplete = true;

  const called = (call: ToolCallEvent, step: Paired): void => {
    while (early[0] && events - early[0].event > EARLY_EVENTS) early.shift();
    const at = early.findIndex(({ result }) => result.id === call.id);
    const found = at < 0 ? undefined : early.splice(at, 1)[0];
    if (found) {
      step(call, found.result, message, found.isReminded);
      return;
    }
    pending.push(call);
    messages.push(message);
    if (pending.length + late.length <= PENDING) return;
    if (late.length > 0) late.shift();
    else takePending(0);
  };

  /** Handles a model that continues: it says something, or calls tools of this batch. */
  const continued = (batch: string | undefined): void => {
    if (!isAnswered) return;
    isAnswered = false;
    if (pending.length === 0) return;
    for (let at = 0; at < pending.length; ) {
      if (batch !== undefined && pending[at]?.batch === batch) at++;
      else late.push(takePending(at));
    }
  };

  const takePending = (at: number): Late => {
    const taken = { call: pending[at] as ToolCallEvent, madeBy: messages[at] as number };
    if (at === pending.length - 1) {
      pending.pop();
      messages.pop();
    } else {
      pending.splice(at, 1);
      messages.splice(at, 1);
    }
    return taken;
  };

  const takeLate = (id: string): Late | undefined => {
    const at = late.findIndex(({ call }) => call.id === id);
    return at < 0 ? undefined : late.splice(at, 1)[0];
  };

  const answered = (recorded: ToolResultEvent, step: Paired): void => {
    const isReminded = recorded.output.includes(REMINDER);
    const result = isReminded ? withoutReminders(recorded) : recorded;
    isAnswered = true;
    isComplete = true;
    const at = pending.findIndex(({ id }) => id === result.id);
    const found = at < 0 ? takeLate(result.id) : takePending(at);
    if (found) {
      step(found.call, result, found.madeBy, isReminded);
      return;
    }
    early.push({ result, isReminded, event: events });
    if (early.length > EARLY) early.shift();
  };

  return {
    pending,
    push(event, step) {
      events++;
      switch (event.type) {
        case 'assistant':
          continued(undefined);
          break;
        case 'tool_call':
          continued(event.batch);
          if (event.batch === undefined ? isComplete : event.batch !== batch) message++;
          isComplete = false;
          batch = event.batch;
          called(event, step);
          break;
        case 'tool_result':
          // Its step was counted when the agent continued.
          if (event.outcome !== 'late') answered(event, step);
          break;
        case 'turn_end':
        case 'session_end':
          pending.length = 0;
          messages.length = 0;
          late.length = 0;
          early.length = 0;
          break;
        default:
      }
    },
  };
}

const REMINDER = '<system-reminder>';
const REMINDERS = /\s{0,8}<system-reminder>[^<]{0,4000}<\/system-reminder>/g;

/** Cuts off the reminders that the harness adds below a result. */
function withoutReminders(result: ToolResultEvent): ToolResultEvent {
  return { ...result, output: result.output.replace(REMINDERS, '') };
}
