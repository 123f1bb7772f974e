import type { Random } from './random';

/** Times the steps of an input: a step is what the program does without yielding. */
export interface Stopwatch {
  readonly step: <T>(work: () => T) => T;
}

/** One reader of untrusted input. */
export interface FuzzTarget {
  readonly name: string;
  /** Unit of the count: lines of transcripts, or inputs. */
  readonly counts: 'lines' | 'inputs';
  /** Initial inputs. */
  readonly seeds: readonly string[];
  mutate(input: string, other: string, random: Random): string;
  /** Reads an input. Throws on anything that must never happen. Returns the number of lines or inputs. */
  run(input: string, stopwatch: Stopwatch): number | Promise<number>;
}
