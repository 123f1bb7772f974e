import type { LinePlace, TranscriptLine } from '../../base/tail';
import { hashOf } from '../../base/util/hash';

/** Bytes before the end of the known part that are read again before anything new, so that the rules know what was done last. */
export const WARM_BYTES = 256 * 1024;
/** Distance between two lines at which reading can begin, as a part of these bytes. */
const APART = 1 / 8;
/** Characters at the end of a line by which it is recognised: they hold ids or times, or else the place of the line distinguishes it from others. */
const END_LENGTH = 64;

/** The end of the known part of a transcript, stored as JSON. */
export interface KnownEnd {
  /** The place to begin at, so that the rules know what was done last. */
  readonly from: LinePlace;
  /** Offset of the last line, and a hash of it. */
  readonly last: readonly [offset: number, hash: number];
}

/** Follows the lines of a transcript, so that a later reading can continue after the last one. */
export class LastLines {
  private places: LinePlace[] = [];
  private last: Pick<TranscriptLine, 'offset' | 'text'> | null = null;

  constructor(private readonly warmBytes = WARM_BYTES) {}

  take({ offset, line, text }: TranscriptLine): void {
    const newest = this.places.at(-1);
    if (!newest || offset - newest.offset >= this.warmBytes * APART) this.places.push({ offset, lines: line - 1 });
    while ((this.places[1]?.offset ?? offset) <= offset - this.warmBytes) this.places.shift();
    this.last = { offset, text };
  }

  /** Returns undefined before the first line. */
  note(): KnownEnd | undefined {
    const [from] = this.places;
    return from && this.last ? { from, last: markOf(this.last) } : undefined;
  }

  /** Takes over the starting place of an earlier reading up to the last line, if less was read here. */
  adopt({ from }: KnownEnd): void {
    if (from.offset < (this.places[0]?.offset ?? Number.POSITIVE_INFINITY)) this.places = [from];
  }

  /** True if the last line is the one at which an earlier reading ended; null if that line has not been reached. */
  isAt({ last: [offset, hash] }: KnownEnd): boolean | null {
    if (!this.last || this.last.offset < offset) return null;
    return this.last.offset === offset && markOf(this.last)[1] === hash;
  }
}

function markOf({ offset, text }: Pick<TranscriptLine, 'offset' | 'text'>): KnownEnd['last'] {
  return [offset, hashOf(`${text.length} ${text.slice(-END_LENGTH)}`)];
}
