import { SEEN_FLAG, type Timeline } from '../engine/session/timeline';
import type { AgentView } from '../model';

/** A message whose effect is watched. */
export interface WatchedMessage {
  /** Its number among the messages of the agent. */
  readonly nudge: number;
  /** Milliseconds since the epoch. */
  readonly takenAt: number;
  /** Steps since it was taken. */
  readonly seen: number;
  /** Those of them that gave new results. */
  readonly fresh: number;
}

/** The newest message that an agent took; null where it took none. */
export function watchedMessage(
  { deliveries }: Pick<AgentView, 'deliveries'>,
  timeline: Pick<Timeline, 'length' | 'at' | 'flag'> | undefined,
): WatchedMessage | null {
  const index = deliveries.findLastIndex(({ times }) => times.taken !== undefined || times.seen !== undefined);
  const times = deliveries[index]?.times;
  const takenAt = times?.taken ?? times?.seen;
  if (takenAt === undefined || !timeline) return null;
  let seen = 0;
  let fresh = 0;
  for (let step = timeline.length - 1; step >= 0 && timeline.at(step) > takenAt; step--) {
    seen++;
    if ((timeline.flag(step) & SEEN_FLAG) === 0) fresh++;
  }
  return { nudge: index + 1, takenAt, seen, fresh };
}
