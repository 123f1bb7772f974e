import type { AgentEvent, ToolCallEvent, ToolResultEvent } from '../model';

/** Calls that wait for their result at most; beyond it the oldest is given up. */
const PENDING = 64;
/** Results that wait for their call at most (some agents write the result first). */
const EARLY = 16;
/** Events after which a result whose call never came is forgotten, so that a reused id does not find it. */
const EARLY_EVENTS = 200;

interface Early {
  readonly result: ToolResultEvent;
  readonly event: number;
}

/** Pairs calls with their results. */
export interface StepAssembler {
  /** Calls without a result yet, oldest first. */
  readonly pending: readonly ToolCallEvent[];
  /** Takes an event in file order; calls `step` when it completes a pair. */
  push(event: AgentEvent, step: (call: ToolCallEvent, result: ToolResultEvent) => void): void;
}

/**
 * Pairs by id, in any order: results before their calls, parallel calls answered in another order, ids that are used again. A call
 * whose result never comes is given up when its turn or session ends, or after 64 later ones.
 */
export function createStepAssembler(): StepAssembler {
  const pending: ToolCallEvent[] = [];
  const early: Early[] = [];
  let events = 0;

  const called = (call: ToolCallEvent, step: (call: ToolCallEvent, result: ToolResultEvent) => void): void => {
    while (early[0] && events - early[0].event > EARLY_EVENTS) early.shift();
    const at = early.findIndex(({ result }) => result.id === call.id);
    const found = at < 0 ? undefined : early.splice(at, 1)[0];
    if (found) {
      step(call, found.result);
      return;
    }
    pending.push(call);
    if (pending.length > PENDING) pending.shift();
  };

  const answered = (result: ToolResultEvent, step: (call: ToolCallEvent, result: ToolResultEvent) => void): void => {
    const at = pending.findIndex((call) => call.id === result.id);
    const call = at < 0 ? undefined : pending.splice(at, 1)[0];
    if (call) {
      step(call, result);
      return;
    }
    early.push({ result, event: events });
    if (early.length > EARLY) early.shift();
  };

  return {
    pending,
    push(event, step) {
      events++;
      switch (event.type) {
        case 'tool_call':
          called(event, step);
          break;
        case 'tool_result':
          answered(event, step);
          break;
        case 'turn_end':
        case 'session_end':
          pending.length = 0;
          early.length = 0;
          break;
        default:
      }
    },
  };
}
