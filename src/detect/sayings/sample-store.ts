import type { Sample } from '../../core/model';
import { comparedNumbers } from './assertion';
import type { PastStep } from '../steps/step';
import { ignoredRanges, maskedFingerprint, mergedRanges } from './mask';
import { headAndTail } from './snippet';

/** Bytes (UTF-8) of results that are remembered for a session. */
const CAPACITY = 16_384;
/** Limit of the results that are remembered, however short. */
const MOST = 128;
/** Longest text of one result, in characters: of a longer one only head and tail are kept. */
export const LONGEST = 3072;

/** Fields of a remembered result, 16 bits each: its place and length in bytes, and bits FAILED to WHOLE. */
const START = 0;
const LENGTH = 1;
const FLAGS = 2;
const FIELDS = 3;
const FAILED = 1;
const FAILING_CHECK = 2;
/** Set if nothing was left out. */
const WHOLE = 4;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Keeps the newest results in their original form, so that the first of several equal ones can still be shown when the last one arrives.
 *
 * A ring of bytes: fixed memory, no work for the garbage collector, and no string of a transcript is kept alive.
 */
export class SampleStore {
  private bytes = new Uint8Array(CAPACITY / 8);
  /** Start of the next text. */
  private next = 0;
  /** Fields of the remembered results, in a ring by the index of the step. */
  private readonly entries = new Uint16Array(MOST * FIELDS);
  /** Index of the oldest remembered result, and of the next one. */
  private oldest = 0;
  private end = 0;

  /** Adds the result of the next step. @param step its index: one more than the previous one */
  add(step: number, output: string, failed: boolean, failingCheck = false): void {
    const text = headAndTail(output, LONGEST);
    if (step !== this.end) this.oldest = this.end = step;
    const length = this.write(text);
    const start = this.next - length;
    // drop what was overwritten; the oldest entries are right after the newest
    while (this.oldest < this.end && (this.end - this.oldest >= MOST || this.overlaps(this.oldest, start, this.next)))
      this.oldest++;
    const at = (step % MOST) * FIELDS;
    this.entries[at + START] = start;
    this.entries[at + LENGTH] = length;
    this.entries[at + FLAGS] =
      (failed ? FAILED : 0) | (failingCheck ? FAILING_CHECK : 0) | (text === output ? WHOLE : 0);
    this.end = step + 1;
  }

  /** Returns the result of a step; undefined if it has been overwritten. */
  sample({ index, at, end }: Pick<PastStep, 'index' | 'at' | 'end'>): Sample | undefined {
    if (!this.has(index)) return undefined;
    const text = this.textOf(index);
    const flags = this.field(index, FLAGS);
    const masked = ignoredRanges(text, (flags & FAILED) !== 0);
    const compared = (flags & FAILING_CHECK) !== 0 ? comparedNumbers(text) : [];
    return { source: end, at, text, ignored: mergedRanges([...masked, ...compared].sort((a, b) => a[0] - b[0])) };
  }

  /** Returns everything remembered as one text, in no particular order. At most 16 KB. */
  text(): string {
    return decoder.decode(this.bytes);
  }

  /** Returns the masked fingerprint of a step's text; 0 if it is gone or was only partly kept. */
  masked(index: number): number {
    const flags = this.has(index) ? this.field(index, FLAGS) : 0;
    if ((flags & WHOLE) === 0) return 0;
    return maskedFingerprint(this.textOf(index), false) || 1;
  }

  private has(index: number): boolean {
    return index >= this.oldest && index < this.end;
  }

  private field(index: number, field: number): number {
    return this.entries[(index % MOST) * FIELDS + field] as number;
  }

  private textOf(index: number): string {
    const start = this.field(index, START);
    return decoder.decode(this.bytes.subarray(start, start + this.field(index, LENGTH)));
  }

  /** Writes a text after the newest one, or at the front where it does not fit, and returns its length in bytes. */
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
        // the rest of the ring holds results of the previous lap, which are now the oldest
        while (this.oldest < this.end && this.field(this.oldest, START) >= this.next) this.oldest++;
        this.next = 0;
      }
    }
  }

  private overlaps(index: number, start: number, end: number): boolean {
    const from = this.field(index, START);
    return from < end && from + this.field(index, LENGTH) > start;
  }

  private grow(): void {
    const larger = new Uint8Array(this.bytes.length * 2);
    larger.set(this.bytes);
    this.bytes = larger;
  }
}
