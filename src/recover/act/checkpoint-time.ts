import type { CheckpointWatch } from './ports';

/** Time limit for a checkpoint that a person requested. Milliseconds. */
export const CHECKPOINT_MS = 120_000;
/** Time limit for a checkpoint that something else waits for: a restart, or asking the person. Milliseconds. */
export const WAITED_FOR_MS = 20_000;

/** Returns the same watch with a time limit. */
export function within(milliseconds: number, { signal, ...watch }: CheckpointWatch = {}): CheckpointWatch {
  const limit = AbortSignal.timeout(milliseconds);
  return { ...watch, signal: signal ? AbortSignal.any([signal, limit]) : limit };
}
