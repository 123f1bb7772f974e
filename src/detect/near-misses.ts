import type { DetectorId, RuleId, Source } from '../model';
import type { DetectContext, DetectorSink } from './detector';

/** A rule is worth a word once it came to this share of its limit (design/UI.md section 8.1). */
const WORTH = 0.3;

/** The nearest that one rule came since the last message of a person. Tells only of what is nearer than before. */
export interface NearMissLog {
  /** `held`: what held the rule back, in the words of design/UI.md 8.1; absent when it just was not often enough. */
  reached(
    context: DetectContext,
    nearest: string,
    count: number,
    limit: number,
    at: number,
    source: Source,
    held?: string,
  ): void;
}

export function createNearMissLog(
  detector: DetectorId,
  rule: RuleId | null,
  sink: Pick<DetectorSink, 'nearMiss'>,
): NearMissLog {
  let best = 0;
  let messages = 0;
  let told: string | undefined;
  return {
    reached(context, nearest, count, limit, at, source, held) {
      const since = context.stepsAtUserMessage;
      if (since !== messages) {
        messages = since;
        best = 0;
        told = undefined;
      }
      if (count < best || (count === best && (held === undefined || held === told))) return;
      if (count / limit < WORTH) return;
      best = count;
      told = held;
      sink.nearMiss({
        detector,
        rule,
        nearest,
        reached: count,
        limit,
        ...(held !== undefined && { heldBackBy: held }),
        at,
        source,
      });
    },
  };
}
