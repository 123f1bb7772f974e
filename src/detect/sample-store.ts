import type { Sample, Source } from '../model';
import { comparedFingerprint, comparedNumbers } from './assertion';
import { ignoredRanges } from './mask';

/** Bytes (UTF-8) of results that are remembered of a session. */
const CAPACITY = 24_576;
/** Results that are remembered at most, however short. */
const MOST = 128;
/** The most characters of one result: a longer one is kept by its head and tail. */
export const LONGEST = 4096;

interface Entry {
  readonly step: number;
  readonly at: number;
  readonly source: Source;
  readonly start: number;
  readonly length: number;
  readonly failed: boolean;
  readonly failingCheck: boolean;
  /** Nothing was left out. */
  readonly whole: boolean;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The newest results as they were, so that the first of several equal ones can still be shown when the last has come in.
 *
 * A ring of bytes: fixed memory, nothing for the garbage collector, no string of a transcript is kept alive.
 */
export class SampleStore {
  private bytes = new Uint8Array(CAPACITY / 8);
  private next = 0;
  private entries: Entry[] = [];

  add(step: number, at: number, source: Source, output: string, failed: boolean, failingCheck = false): void {
    const text =
      output.length <= LONGEST
        ? output
        : `${output.slice(0, LONGEST / 2)}\n… ${output.length - LONGEST} characters left out …\n${output.slice(-LONGEST / 2)}`;
    const length = this.write(text);
    const start = this.next - length;
    // what was written over is gone; the oldest entries lie right behind the newest
    while (this.entries.length >= MOST || this.overlaps(this.entries[0], start, this.next)) this.entries.shift();
    this.entries.push({ step, at, source, start, length, failed, failingCheck, whole: text === output });
  }

  /** The result of a step, undefined when it has been written over. */
  sample(step: number): Sample | undefined {
    const entry = this.entries.find((one) => one.step === step);
    if (!entry) return undefined;
    const text = this.textOf(entry);
    const ignored = ignoredRanges(text, entry.failed);
    return {
      source: entry.source,
      at: entry.at,
      text,
      ignored: entry.failingCheck ? merged(ignored, comparedNumbers(text)) : ignored,
    };
  }

  /** The masked fingerprint of a step's result, 0 when it is gone or was kept in part only. */
  masked(step: number): number {
    const entry = this.entries.find((one) => one.step === step);
    return entry?.whole ? comparedFingerprint(this.textOf(entry), entry.failed, entry.failingCheck) : 0;
  }

  private textOf({ start, length }: Entry): string {
    return decoder.decode(this.bytes.subarray(start, start + length));
  }

  /** Writes a text behind the newest one, or from the front where it does not fit, and returns its bytes. */
  private write(text: string): number {
    for (;;) {
      const { read, written } = encoder.encodeInto(text, this.bytes.subarray(this.next));
      if (read === text.length) {
        this.next += written;
        return written;
      }
      if (this.bytes.length < CAPACITY) {
        this.grow();
      } else {
        // the lap before went on to the end of the ring: those are the oldest now
        while ((this.entries[0]?.start ?? -1) >= this.next) this.entries.shift();
        this.next = 0;
      }
    }
  }

  private overlaps(entry: Entry | undefined, start: number, end: number): boolean {
    if (!entry) return false;
    return entry.start < end && entry.start + entry.length > start;
  }

  private grow(): void {
    const larger = new Uint8Array(this.bytes.length * 2);
    larger.set(this.bytes);
    this.bytes = larger;
  }
}

/** Two lists of ranges as one, ascending and not overlapping. */
function merged(
  one: readonly (readonly [number, number])[],
  other: readonly (readonly [number, number])[],
): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (const [start, end] of [...one, ...other].sort((a, b) => a[0] - b[0])) {
    const last = ranges.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else ranges.push([start, end]);
  }
  return ranges;
}
