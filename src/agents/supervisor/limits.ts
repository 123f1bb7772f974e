/** Limits on restarts of the agent within one run. */
export interface RestartLimits {
  /** Largest number of restarts in total. */
  readonly most: number;
  /** Shortest time between two restarts, in milliseconds: before that, the effect of the last one cannot be known. */
  readonly pause: number;
}

/** A person can still follow five restarts; an agent makes its first call within ten seconds. */
export const RESTART_LIMITS: RestartLimits = { most: 5, pause: 10_000 };

export type RestartRefusal = 'restart_limit' | 'restarted_just_now';

/**
 * Returns why the agent may not be started again now. Null: it may.
 *
 * @param earlier times of the restarts of this run, milliseconds since the epoch, in order.
 */
export function refuseRestart(earlier: readonly number[], now: number, limits: RestartLimits): RestartRefusal | null {
  if (earlier.length >= limits.most) return 'restart_limit';
  const last = earlier.at(-1);
  return last !== undefined && now - last < limits.pause ? 'restarted_just_now' : null;
}
