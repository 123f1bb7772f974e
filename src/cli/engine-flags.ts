import { setFlagsFromString } from 'node:v8';

/**
 * Commands that read long histories and end. Optimised code in which less is inlined is compiled in less time and runs as fast, as hot
 * functions here are many and small: 8 % less processor time for 200 MB of Claude Code, 4 % for 200 MB of Codex. V8's own limit is 920.
 */
const READING = ['--max-inlined-bytecode-size-cumulative=200'];

/**
 * Commands that stay, such as `run`. Nearly everything that is read becomes garbage at once; the rest lives for some hundred steps. V8 takes
 * these for long-lived objects, lets its young space grow to 32 MB, and collects the old space when it has doubled. V8 reads both limits at
 * each collection, so they can be set at run time. A third less memory, 5 to 10 % more time.
 */
const STAYING = ['--semi-space-growth-factor=1', '--heap-growing-percent=20'];

const READERS: ReadonlySet<string | undefined> = new Set(['scan', 'backtest']);

/** The newest major version of Node that is known to accept these flags. Another one might complain on standard error. */
const NEWEST = 24;

/** Sets how V8 compiles and collects for this command (docs/performance.md). Only for a process of our own: threads share it. */
export function setEngineFlags(command: string | undefined, node = process.versions.node): void {
  if (Number.parseInt(node, 10) > NEWEST) return;
  for (const flag of READERS.has(command) ? READING : STAYING) setFlagsFromString(flag);
}
