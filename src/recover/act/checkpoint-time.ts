import type { CheckpointWatch } from './ports';

/** A checkpoint that a person asked for ends after it. Milliseconds. */
export const CHECKPOINT_MS = 120_000;
/** So does one that something else waits for: a restart, or asking the person. Milliseconds. */
export const WAITED_FOR_MS = 20_000;

/** The same, ended after a time. */
export function within(milliseconds: number, { signal, ...watch }: CheckpointWatch = {}): CheckpointWatch {
  const limit = AbortSignal.timeout(milliseconds);
  return { ...watch, signal: signal ? AbortSignal.any([signal, limit]) : limit };
}
