import type { DetectorOptions, Limits } from '../model';
import type { Shape } from './card';
import { counts } from './common';

/** Limits of a wait. Equal results are normal while waiting, so it takes more of them, and time. */
const WAITS: Shape = { limits: counts([10, 20], [10, 20], [10, 20]), counts: 'equal results of a wait' };

/** Returns the limits of a further shape of a rule: those of its preset, but never below the limits that a person set for an ordinary step. */
export function limitsOf({ limits }: Shape, { preset, least }: DetectorOptions): Limits {
  const { warn, stuck } = limits[preset];
  return { warn: Math.max(warn, least.warn), stuck: Math.max(stuck, least.stuck) };
}

/** Returns the limits of a wait. */
export function limitsOfWaits(options: DetectorOptions): Limits {
  return limitsOf(WAITS, options);
}
