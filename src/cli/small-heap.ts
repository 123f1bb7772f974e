import { setFlagsFromString } from 'node:v8';

/**
 * Of what is read nearly all is garbage at once; the rest lives for some hundred steps. V8 takes that for a long life, lets its young
 * space grow to 32 MB, and collects the old one when it has doubled. Both are asked about at each collection, so they may be set while it
 * runs.
 */
const FLAGS = ['--semi-space-growth-factor=1', '--heap-growing-percent=20'];
/** The newest Node that was seen to know them, by its first number. One that does not would complain on standard error. */
const NEWEST = 24;

/** A command that reads long histories takes a third less memory, and no more time (docs/performance.md, P3). For a process of our own only. */
export function keepHeapSmall(node = process.versions.node): void {
  if (Number.parseInt(node, 10) > NEWEST) return;
  for (const flag of FLAGS) setFlagsFromString(flag);
}
