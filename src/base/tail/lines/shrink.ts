import { CUT_OVER_BYTES } from '../../util/cut';
import { MiddleCutter, headEnd } from './cutter';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Number of bytes checked one by one before the native search for a quote pays off. */
const NEAR_BYTES = 16;
const FIRST_BYTES = 64 * 1024;
/** Limit of the bytes kept of a line, so that parsing it does not hold up the event loop: about 4 ms per MB. */
export const LINE_LIMIT_BYTES = 1024 * 1024;
/** Lists and objects down to this depth each have their own limit; deeper ones count towards the deepest of these. */
const LIMITED_DEPTH = 12;
/** Limit of a list or object; nothing is added to it once the line is nearly full. */
const LIST_LIMIT_BYTES = 480 * 1024;
const FULL_BYTES = 960 * 1024;
/** Difference between the limits of two levels: an inner one may hold less, so that the fields after an overlong list remain. */
const STEP_BYTES = 24 * 1024;

type State = 'begin' | 'structure' | 'string' | 'text' | 'over';

export interface Shrunk {
  readonly text: string;
  /** False if more than the middle of long strings was left out. */
  readonly whole: boolean;
}

/**
 * Copies one line or document piece by piece and cuts each string of more than 16 KB down to its first and last 4 KB with a mark between them
 * (util/cut). The result depends on the bytes alone, not on how they are split into pieces, and equal strings stay equal wherever they appear:
 * shorter strings are never touched. A line that is not JSON is cut as one text.
 *
 * With a limit, lists and objects that are still too long lose their last elements, which one mark replaces, so that the line stays JSON. A line that
 * is still over the limit (a number of a million digits) is cut as one text.
 */
export class Shrinker {
  private out = Buffer.allocUnsafe(FIRST_BYTES);
  private length = 0;
  private state: State = 'begin';
  /** First byte of the current piece that was not taken yet. */
  private from = 0;
  private readonly cutter = new MiddleCutter();
  private cutting = false;
  private escaped = false;
  /** Bytes of the string so far, and where in `out` it begins. */
  private body = 0;
  private bodyAt = 0;
  private depth = 0;
  /** Position in `out` where the list or object of each depth is full. */
  private readonly fullAt = new Float64Array(LIMITED_DEPTH + 1);
  private readonly levelIsObject = new Uint8Array(LIMITED_DEPTH + 1);
  /** Depth of the list or object whose rest is left out; 0 when nothing is. */
  private skipping = 0;
  private whole = true;

  /** @param limit bytes kept at most; `Infinity` for documents, which keep their whole structure */
  constructor(private readonly limit: number = LINE_LIMIT_BYTES) {}

  /** Number of bytes kept so far, which is the cost of parsing the result. */
  get kept(): number {
    return this.length;
  }

  feed(bytes: Buffer, start: number, end: number): void {
    this.from = start;
    let at = start;
    while (at < end) {
      switch (this.state) {
        case 'begin':
          at = this.begin(bytes, at, end);
          break;
        case 'structure':
          at = this.structure(bytes, at, end);
          break;
        case 'string':
          at = this.string(bytes, at, end);
          break;
        case 'text':
          this.grow(bytes, at, end);
          at = end;
          break;
        case 'over':
          at = end;
          break;
      }
    }
    this.take(bytes, end);
  }

  /** Returns the result and prepares the shrinker for the next line. */
  finish(): Shrunk {
    if (this.skipping > 0) this.endSkip();
    else if (this.cutting || this.state === 'over') this.endCut();
    const shrunk = { text: this.out.toString('utf8', 0, this.length), whole: this.whole };
    this.reset();
    return shrunk;
  }

  reset(): void {
    if (this.out.length > 4 * FIRST_BYTES) this.out = Buffer.allocUnsafe(FIRST_BYTES);
    this.length = 0;
    this.state = 'begin';
    this.cutting = false;
    this.escaped = false;
    this.depth = 0;
    this.skipping = 0;
    this.whole = true;
  }

  /** Decides between JSON and text by the first byte that is not white space. */
  private begin(bytes: Buffer, start: number, end: number): number {
    for (let at = start; at < end; at++) {
      const byte = bytes[at];
      if (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) continue;
      if (byte === OPEN_OBJECT || byte === OPEN_LIST || byte === QUOTE) {
        this.state = 'structure';
      } else {
        this.state = 'text';
        this.bodyAt = 0;
        this.body = this.length + at - this.from;
      }
      return at;
    }
    return end;
  }

  private structure(bytes: Buffer, start: number, end: number): number {
    for (let at = start; at < end; at++) {
      switch (bytes[at]) {
        case QUOTE:
          this.state = 'string';
          this.body = 0;
          this.bodyAt = this.position(at + 1);
          return at + 1;
        case COMMA:
          if (this.skipping > 0 || !this.isFull(at)) break;
          this.take(bytes, at);
          if (this.state === 'over') return end;
          this.skipping = this.depth;
          this.cutter.begin();
          break;
        case OPEN_OBJECT:
          this.enter(at, 1);
          break;
        case OPEN_LIST:
          this.enter(at, 0);
          break;
        case CLOSE_OBJECT:
        case CLOSE_LIST:
          if (this.skipping > 0 && this.depth === this.skipping) {
            this.take(bytes, at);
            this.endSkip();
          }
          if (this.depth > 0) this.depth--;
          break;
        default:
      }
    }
    return end;
  }

  private enter(at: number, isObject: number): void {
    this.depth++;
    if (this.depth > LIMITED_DEPTH) return;
    const limit = this.depth === 1 ? FULL_BYTES : Math.min(this.position(at) + LIST_LIMIT_BYTES, FULL_BYTES);
    this.fullAt[this.depth] = limit - this.depth * STEP_BYTES;
    this.levelIsObject[this.depth] = isObject;
  }

  private isFull(at: number): boolean {
    if (this.depth === 0 || this.depth > LIMITED_DEPTH || this.limit === Number.POSITIVE_INFINITY) return false;
    return this.position(at) > (this.fullAt[this.depth] ?? 0);
  }

  private string(bytes: Buffer, start: number, end: number): number {
    const stop = this.stringEnd(bytes, start, end);
    if (this.skipping === 0) this.grow(bytes, start, stop);
    if (stop === end || this.state === 'over') return end;
    if (this.cutting) {
      this.take(bytes, stop);
      this.endCut();
    }
    this.state = 'structure';
    return stop + 1;
  }

  /** Returns the position of the closing quote, or `end`. `start` is the first byte of the body, or the one after those already inspected. */
  private stringEnd(bytes: Buffer, start: number, end: number): number {
    let at = this.escaped ? start + 1 : start;
    this.escaped = false;
    while (at < end) {
      const near = Math.min(at + NEAR_BYTES, end);
      while (at < near) {
        const byte = bytes[at];
        if (byte === QUOTE) return at;
        at += byte === BACKSLASH ? 2 : 1;
      }
      if (at >= end) break;
      const found = bytes.indexOf(QUOTE, at);
      const quote = found === -1 || found > end ? end : found;
      let run = quote;
      while (run > at && bytes[run - 1] === BACKSLASH) run--;
      const escapes = (quote - run) % 2 === 1;
      if (!escapes) return quote;
      at = quote + 1;
    }
    this.escaped = at > end;
    return end;
  }

  /** Extends the string or text by the bytes up to `stop`. */
  private grow(bytes: Buffer, start: number, stop: number): void {
    this.body += stop - start;
    if (this.cutting || this.body <= CUT_OVER_BYTES) return;
    // Take no more than the byte that makes it too long, so that head and limit depend on the bytes alone.
    this.take(bytes, stop - (this.body - CUT_OVER_BYTES) + 1);
    if (this.state !== 'over') this.beginCut(this.bodyAt);
  }

  private beginCut(at: number): void {
    const head = headEnd(this.out, at);
    this.cutter.begin();
    this.cutter.append(this.out, head, this.length);
    this.length = head;
    this.cutting = true;
  }

  private endCut(): void {
    const { mark, tail } = this.cutter.end();
    this.put(mark);
    this.reserve(tail.length);
    this.length += tail.copy(this.out, this.length);
    this.cutting = false;
  }

  private endSkip(): void {
    const mark = this.cutter.endWhole();
    this.put(this.levelIsObject[this.skipping] ? `,"${mark}":0` : `,"${mark}"`);
    this.skipping = 0;
    this.whole = false;
  }

  /** Takes the bytes of the piece up to `end`, into the result or only into the count and the digest. */
  private take(bytes: Buffer, end: number): void {
    const start = this.from;
    if (end <= start) return;
    this.from = end;
    if (this.cutting || this.skipping > 0) {
      this.cutter.append(bytes, start, end);
      return;
    }
    const fits = Math.min(end, start + Math.max(0, this.limit - this.length));
    this.reserve(fits - start);
    this.length += bytes.copy(this.out, this.length, start, fits);
    if (fits === end) return;
    this.state = 'over';
    this.whole = false;
    this.beginCut(0);
    this.cutter.append(bytes, fits, end);
  }

  private put(text: string): void {
    this.reserve(text.length * 3);
    this.length += this.out.write(text, this.length, 'utf8');
  }

  private reserve(bytes: number): void {
    if (this.length + bytes <= this.out.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.out.length * 2, this.length + bytes));
    this.out.copy(larger, 0, 0, this.length);
    this.out = larger;
  }

  /** Maps byte `at` of the piece to its position in the result. */
  private position(at: number): number {
    return this.length + at - this.from;
  }
}
