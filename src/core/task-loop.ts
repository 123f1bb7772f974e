import { canonicalText } from '../base/util/canonical';

export interface TaskLoopOptions {
  /** Milliseconds after which a task counts as stalled, above 0. Default 30,000. */
  readonly timeoutMs?: number;
  /** Equal calls in a row that count as a loop, 2 or more. Default 2. */
  readonly repetitionThreshold?: number;
  /** Milliseconds of a clock, for the time limit. */
  readonly now: () => number;
}

/** Why a task is stuck. */
export type StuckReason =
  | { readonly kind: 'timeout'; readonly elapsedMs: number; readonly tool?: string; readonly outcome?: string }
  | { readonly kind: 'repetition'; readonly count: number; readonly tool: string; readonly outcome: string };

/** Loop detection for extensions that run an agent loop of their own: record each call, and check before the next request. */
export interface TaskLoop {
  recordToolCall(name: string, args: unknown, outcome: string): void;
  /** Returns the reason why the task is stuck; null while it goes on. A repetition is reported before a time limit. */
  checkStuck(): StuckReason | null;
  /** A message for the model that says what was seen, so that it can choose another way. */
  buildRecoveryPrompt(reason: StuckReason): string;
  /** Starts again, for the next try of the same task. */
  reset(): void;
}

/** Alone among our rules this one compares arguments and not results, as its source says; the order of keys does not defeat it. */
export function createTaskLoop({ now, ...asked }: TaskLoopOptions): TaskLoop {
  const timeoutMs = atLeast(0, asked.timeoutMs, 30_000);
  const repetitionThreshold = atLeast(2, asked.repetitionThreshold, 2);
  let startedAt = now();
  let last: { readonly name: string; readonly args: string; readonly outcome: string } | null = null;
  let count = 0;

  return {
    recordToolCall(name, args, outcome) {
      const text = canonicalText(args);
      count = last?.name === name && last.args === text ? count + 1 : 1;
      last = { name, args: text, outcome };
    },
    checkStuck() {
      if (last && count >= repetitionThreshold)
        return { kind: 'repetition', count, tool: last.name, outcome: last.outcome };
      const elapsedMs = now() - startedAt;
      if (elapsedMs < timeoutMs) return null;
      return { kind: 'timeout', elapsedMs, ...(last && { tool: last.name, outcome: last.outcome }) };
    },
    buildRecoveryPrompt(reason) {
      switch (reason.kind) {
        case 'timeout': {
          const tool = reason.tool === undefined ? '' : ` Last tool: ${reason.tool} → ${reason.outcome ?? ''}.`;
          return `Your previous attempt stalled after ${Math.round(reason.elapsedMs)} ms.${tool} Try a different approach or decompose the problem into smaller steps.`;
        }
        case 'repetition':
          return `Your previous attempt is looping: Tool "${reason.tool}" was called ${reason.count} consecutive times with identical arguments. Last outcome: ${reason.outcome}. Try a different approach, use a different tool, or decompose the problem.`;
      }
    },
    reset() {
      startedAt = now();
      last = null;
      count = 0;
    },
  };
}

/**
 * Treats a value that is no number, or below the least, as absent: a loop of one call, or a task that stalls at once, is a
 * mistake.
 */
function atLeast(least: number, given: number | undefined, otherwise: number): number {
  return typeof given === 'number' && given >= least && given > 0 ? given : otherwise;
}
