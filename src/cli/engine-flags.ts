import { setFlagsFromString } from 'node:v8';

/**
 * Nearly everything that is read becomes garbage at once; the rest lives for some hundred steps. V8 takes these for long-lived objects and
 * collects the old space when it has doubled: a scan of many transcripts would take more and more. V8 reads the limit at each collection, so
 * it can be set at run time. A command that reads may let it grow by more before it is collected again: 200 MB take 4 % less processor time than
 * with 20 %, and 2 GB take 4 % more memory.
 */
const oldSpaceGrowsBy = (percent: number): string => `--heap-growing-percent=${percent}`;

/**
 * Commands that read long histories and end. Optimised code in which less is inlined is compiled in less time and runs as fast, as hot
 * functions here are many and small: 8 % less processor time for 200 MB of Claude Code, 4 % for 200 MB of Codex. V8's own limit is 920.
 */
const READING = ['--max-inlined-bytecode-size-cumulative=200', oldSpaceGrowsBy(70)];

/** Commands that stay, such as `run`: their young space stays at 1 MB, while V8 would let it grow to 16 MB. A third less memory, 5 to 10 % more time. */
const STAYING = ['--semi-space-growth-factor=1', oldSpaceGrowsBy(20)];

const READERS: ReadonlySet<string | undefined> = new Set(['scan', 'backtest']);

/** The newest major version of Node that is known to accept these flags. Another one might complain on standard error. */
const NEWEST = 24;

/** Sets how V8 compiles and collects for this command (docs/performance.md). Only for a process of our own: threads share it. */
export function setEngineFlags(command: string | undefined, node = process.versions.node): void {
  if (Number.parseInt(node, 10) > NEWEST) return;
  for (const flag of READERS.has(command) ? READING : STAYING) setFlagsFromString(flag);
}
