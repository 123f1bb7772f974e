import type { DetectorId, RuleId, Source } from '../../core/model';
import type { DetectContext, DetectorSink } from './detector';

/** Share of its limit from which a rule is worth reporting. */
export const WORTH = 0.3;

/** Returns minutes with one decimal. */
export function inMinutes(ms: number): number {
  return Math.round(ms / 6000) / 10;
}

/** Records how near one rule has come since the last message of a person. Reports only if it came nearer than before. */
export class NearMissLog {
  private best = 0;
  private messages = 0;
  private reportedHeld: string | undefined = undefined;

  constructor(
    private readonly detector: DetectorId,
    private readonly rule: RuleId | null,
    private readonly sink: Pick<DetectorSink, 'nearMiss'>,
  ) {}

  /** `held`: what held the rule back, in words for a person; absent if it was just not frequent enough. */
  reached(
    context: DetectContext,
    nearest: string,
    count: number,
    limit: number,
    at: number,
    source: Source,
    held?: string,
  ): void {
    const since = context.stepsAtUserMessage;
    if (since !== this.messages) {
      this.messages = since;
      this.best = 0;
      this.reportedHeld = undefined;
    }
    // A count that reached the limit was reported; its end afterwards is not what held it back.
    const wasReported = this.reportedHeld === undefined && this.best >= limit;
    if (count < this.best || (count === this.best && (held === undefined || held === this.reportedHeld || wasReported)))
      return;
    if (count / limit < WORTH) return;
    this.best = count;
    this.reportedHeld = held;
    const { detector, rule } = this;
    this.sink.nearMiss({
      detector,
      rule,
      nearest,
      reached: count,
      limit,
      ...(held !== undefined && { heldBackBy: held }),
      at,
      source,
    });
  }
}
