import { canonicalText } from '../base/util/canonical';
import { valueText } from '../base/util/value-text';

export interface TaskLoopOptions {
  /** Milliseconds after which a task counts as stalled, above 0. Default 30,000. */
  readonly timeoutMs?: number;
  /** Equal calls in a row that count as a loop, 2 or more. Default 2. */
  readonly repetitionThreshold?: number;
  /** Milliseconds of a clock, for the time limit. */
  readonly now: () => number;
}

/** Reason why a task is stuck. */
export type StuckReason =
  | { readonly kind: 'timeout'; readonly elapsedMs: number; readonly tool?: string; readonly outcome?: string }
  | { readonly kind: 'repetition'; readonly count: number; readonly tool: string; readonly outcome: string };

/**
 * Detects loops for programs that run their own agent loop: record each call, and check before the next request.
 *
 * Unlike all other rules, this one compares arguments rather than results, like its source; the order of keys makes no difference.
 */
export class TaskLoop {
  private readonly now: () => number;
  private readonly timeoutMs: number;
  private readonly repetitionThreshold: number;
  private startedAt: number;
  private last: { readonly name: string; readonly args: string; readonly outcome: string } | null = null;
  private count = 0;

  constructor({ now, timeoutMs, repetitionThreshold }: TaskLoopOptions) {
    this.now = now;
    this.timeoutMs = atLeast(0, timeoutMs, 30_000);
    this.repetitionThreshold = atLeast(2, repetitionThreshold, 2);
    this.startedAt = now();
  }

  /** Records a call; to be called after each tool call. An outcome that is not text is kept as JSON. */
  recordToolCall(name: string, args: unknown, outcome: unknown): void {
    const text = canonicalText(args);
    this.count = this.last?.name === name && this.last.args === text ? this.count + 1 : 1;
    this.last = { name, args: text, outcome: valueText(outcome) };
  }

  /** Returns the reason why the task is stuck; null while it continues. A repetition is reported before a time limit. */
  checkStuck(): StuckReason | null {
    const { last, count } = this;
    if (last && count >= this.repetitionThreshold)
      return { kind: 'repetition', count, tool: last.name, outcome: last.outcome };
    const elapsedMs = this.now() - this.startedAt;
    if (elapsedMs < this.timeoutMs) return null;
    return { kind: 'timeout', elapsedMs, ...(last && { tool: last.name, outcome: last.outcome }) };
  }

  /** Writes a message for the model that describes the loop, so that it can choose another way. */
  buildRecoveryPrompt(reason: StuckReason): string {
    switch (reason.kind) {
      case 'timeout': {
        const tool = reason.tool === undefined ? '' : ` Last tool: ${reason.tool} → ${reason.outcome ?? ''}.`;
        return `Your previous attempt stalled after ${Math.round(reason.elapsedMs)} ms.${tool} Try a different approach or decompose the problem into smaller steps.`;
      }
      case 'repetition':
        return `Your previous attempt is looping: Tool "${reason.tool}" was called ${reason.count} consecutive times with identical arguments. Last outcome: ${reason.outcome}. Try a different approach, use a different tool, or decompose the problem.`;
    }
  }

  /** Starts over, for the next attempt at the same task. */
  reset(): void {
    this.startedAt = this.now();
    this.last = null;
    this.count = 0;
  }
}

/** Treats a value that is not a number, or below the minimum, as absent: a loop of one call, or a task that stalls at once, is a mistake. */
function atLeast(least: number, given: number | undefined, otherwise: number): number {
  return typeof given === 'number' && given >= least && given > 0 ? given : otherwise;
}
