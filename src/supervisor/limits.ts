/** How often one run may start its agent again. */
export interface RestartLimits {
  /** Restarts in all. */
  readonly most: number;
  /** The least time between two of them, milliseconds: a restart that comes sooner cannot know yet what the last one did. */
  readonly pause: number;
}

/** Five is what one person can still follow; ten seconds is the time in which an agent makes its first call. */
export const RESTART_LIMITS: RestartLimits = { most: 5, pause: 10_000 };

export type RestartRefusal = 'restart_limit' | 'restarted_just_now';

/**
 * May the agent be started again now? Null: yes.
 *
 * @param earlier times of the restarts of this run, milliseconds since the epoch, in order.
 */
export function refuseRestart(earlier: readonly number[], now: number, limits: RestartLimits): RestartRefusal | null {
  if (earlier.length >= limits.most) return 'restart_limit';
  const last = earlier.at(-1);
  return last !== undefined && now - last < limits.pause ? 'restarted_just_now' : null;
}
