import type { LinePlace, TranscriptLine } from '../../base/tail';
import { hashOf } from '../../base/util/hash';

/** Bytes before the end of what is known that are read again before what is new, so that the rules know what was done last. */
export const WARM_BYTES = 256 * 1024;
/** Of these, the part that may lie between two lines at which reading can begin. */
const APART = 1 / 8;
/** Characters of a line's end by which it is recognised: it ends in ids or times, or else its place tells it from others. */
const END_LENGTH = 64;

/** The end of what is known of a transcript; as JSON. */
export interface KnownEnd {
  /** Where to begin, so that the rules know what was done last. */
  readonly from: LinePlace;
  /** Offset of the last line, and a hash of it. */
  readonly last: readonly [offset: number, hash: number];
}

/** Follows the lines of a transcript, so that a later reading can continue behind the last one. */
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

  /** Undefined before the first line. */
  note(): KnownEnd | undefined {
    const [from] = this.places;
    return from && this.last ? { from, last: markOf(this.last) } : undefined;
  }

  /** What an earlier reading knew up to the last line begins where that says, if less was read here. */
  adopt({ from }: KnownEnd): void {
    if (from.offset < (this.places[0]?.offset ?? Number.POSITIVE_INFINITY)) this.places = [from];
  }

  /** Was the last line the one at which an earlier reading ended? Null before it. */
  isAt({ last: [offset, hash] }: KnownEnd): boolean | null {
    if (!this.last || this.last.offset < offset) return null;
    return this.last.offset === offset && markOf(this.last)[1] === hash;
  }
}

function markOf({ offset, text }: Pick<TranscriptLine, 'offset' | 'text'>): KnownEnd['last'] {
  return [offset, hashOf(`${text.length} ${text.slice(-END_LENGTH)}`)];
}
