import type { Random } from './random';

/** Times the steps of an input: a step is what the program does without giving way to others. */
export interface Stopwatch {
  readonly step: <T>(work: () => T) => T;
}

/** One reader of untrusted input. */
export interface FuzzTarget {
  readonly name: string;
  /** What is counted: lines of transcripts, or inputs. */
  readonly counts: 'lines' | 'inputs';
  /** Inputs to begin with. */
  readonly seeds: readonly string[];
  mutate(input: string, other: string, random: Random): string;
  /** Reads an input. Throws for what must never be. Returns how many lines or inputs it was. */
  run(input: string, stopwatch: Stopwatch): number | Promise<number>;
}
