import { parseJson } from '../../util/json';
import type { TranscriptLine, TailProblemCode } from '../types';
import { MarkerCounter } from './markers';
import { Shrinker } from './shrink';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const OPEN_OBJECT = 0x7b;

/** Smaller lines pass unchanged: no string in them is long enough to be cut. */
export const SMALL_LINE_BYTES = 16 * 1024;
/** Lines and bytes between two checks of the clock. */
const LINES_BETWEEN_LOOKS = 2;
const BYTES_BETWEEN_LOOKS = 32 * 1024;
/** Bytes of a big line handled per step. */
const PIECE_BYTES = 64 * 1024;
/** Decoding and parsing this many bytes takes about a millisecond. */
const BYTES_PER_MS = 200 * 1024;
const NOTHING = Buffer.alloc(0);
const RETURN = Buffer.from([CARRIAGE_RETURN]);

export interface FramerSink {
  line(line: TranscriptLine, calls: number): void;
  problem(code: TailProblemCode, line: number, offset: number): void;
}

/**
 * Turns the bytes of one file into lines. Splits at 0x0A before decoding, so that no character is ever split. Keeps up to 16 KB of an
 * incomplete line as bytes; a longer one is shortened as it arrives.
 */
export class Framer {
  private readonly markers: MarkerCounter;
  private chunk: Buffer = NOTHING;
  /** File offset of the first byte of the chunk, and of the current line. */
  private base = 0;
  private lineOffset = 0;
  private pending: Buffer = NOTHING;
  private big: Shrinker | null = null;
  private calls = 0;
  /** A carriage return at the end of a piece belongs to the line unless its line feed comes next. */
  private heldReturn = false;
  private holeReported = false;
  /** The last line, with its markers, if it was delivered before its line break arrived: the bytes up to that belong to it. */
  early: { readonly line: TranscriptLine; readonly calls: number } | undefined;
  private given = 0;
  private before = 0;

  constructor(
    private readonly sink: FramerSink,
    markers: readonly string[],
    private readonly shrinkers: ShrinkerPool,
  ) {
    this.markers = new MarkerCounter(markers);
  }

  /** Sets the offset of the next byte and the number of lines before it (-1: not counted). Drops what was pending. */
  begin(offset: number, linesBefore: number): void {
    this.release();
    this.base = offset;
    this.lineOffset = offset;
    this.given = 0;
    this.before = linesBefore;
    this.early = undefined;
    this.holeReported = false;
  }

  /** Sets how many lines come before the first delivered one, so that the following lines get correct numbers. */
  setLinesBefore(lines: number): void {
    this.before = lines;
  }

  /** Offset at which the delivered lines with a line break end: -1 for the end of the bytes taken. */
  get boundary(): number {
    if (this.early) return this.early.line.offset;
    return this.hasPending ? this.lineOffset : -1;
  }

  /** True if a line has begun but not ended. */
  get hasPending(): boolean {
    return this.pending.length > 0 || this.big !== null;
  }

  /**
   * Takes the bytes of a chunk from `at`; the chunk ends with its last valid byte and must not change in the meantime. Returns where it stopped: at
   * the end, or earlier where `pause` returned true. `pause` receives the milliseconds that the next step may take.
   */
  feed(chunk: Buffer, at: number, pause: (milliseconds: number) => boolean): number {
    if (chunk !== this.chunk) {
      this.chunk = chunk;
      this.markers.newChunk();
    }
    const end = chunk.length;
    let lines = 0;
    let looked = at;
    /** The next line feed; `end` where there is none. */
    let feed = -1;
    while (at < end) {
      if (lines >= LINES_BETWEEN_LOOKS || at - looked >= BYTES_BETWEEN_LOOKS) {
        if (pause(0)) return at;
        lines = 0;
        looked = at;
      }
      if (this.pending.length === 0 && this.big === null) {
        if (chunk[at] === 0) at = this.skipHole(chunk, at);
        this.lineOffset = this.base + at;
        if (at === end) break;
      }
      if (feed < at) feed = chunk.indexOf(LINE_FEED, at);
      if (feed === -1) feed = end;
      let stop = feed;
      if (this.big === null && this.pending.length + stop - at < SMALL_LINE_BYTES) {
        if (feed === end) this.keep(chunk, at);
        else this.endSmall(chunk, at, stop);
      } else {
        if (this.big === null) at = this.beginBig(chunk, at, stop);
        if (stop - at > PIECE_BYTES) {
          stop = at + PIECE_BYTES;
          this.piece(chunk, at, stop);
          at = stop;
          continue;
        }
        if (feed < end && pause((this.big as Shrinker).kept / BYTES_PER_MS)) return at;
        this.piece(chunk, at, stop);
        if (feed < end) this.endBig();
      }
      lines++;
      at = stop + 1;
    }
    this.base += end;
    this.chunk = NOTHING;
    return end;
  }

  /** Delivers the last line although it has no line break: the file has ended. */
  finish(): void {
    if (this.big) this.endBig();
    else if (this.pending.length > 0) this.endSmall(this.pending, 0, 0);
  }

  /**
   * Delivers the last line if it is a whole JSON object, for writers that put the line break before a record. No JSON object is the beginning of a
   * longer one, so nothing is delivered twice.
   */
  finishObject(): boolean {
    const { pending } = this;
    if (pending[0] !== OPEN_OBJECT || !isJson(pending)) return false;
    this.pending = NOTHING;
    const calls = this.markers.countOther(pending);
    const line = this.give(pending.toString('utf8').replace(/\r$/, ''), calls);
    this.early = line && { line, calls };
    this.lineOffset = this.base;
    return true;
  }

  /** Releases all buffers. */
  release(): void {
    if (this.big) this.shrinkers.give(this.big);
    this.big = null;
    this.pending = NOTHING;
    this.chunk = NOTHING;
    this.heldReturn = false;
  }

  private skipHole(chunk: Buffer, start: number): number {
    let at = start;
    while (at < chunk.length && chunk[at] === 0) at++;
    if (!this.holeReported) this.sink.problem('nul-bytes', this.number(), this.base + start);
    this.holeReported = true;
    return at;
  }

  private keep(chunk: Buffer, at: number): void {
    const rest = chunk.subarray(at);
    this.pending = this.pending.length === 0 ? Buffer.from(rest) : Buffer.concat([this.pending, rest]);
  }

  private endSmall(chunk: Buffer, at: number, stop: number): void {
    if (this.pending.length === 0) {
      this.giveSmall(chunk, at, stop, this.markers.count(chunk, at, stop));
      return;
    }
    const line = Buffer.concat([this.pending, chunk.subarray(at, stop)]);
    this.pending = NOTHING;
    this.giveSmall(line, 0, line.length, this.markers.countOther(line));
  }

  private giveSmall(bytes: Buffer, start: number, stop: number, calls: number): void {
    let end = stop;
    if (end > start && bytes[end - 1] === CARRIAGE_RETURN) end--;
    const from = this.lineOffset === 0 && hasMark(bytes, start, end) ? start + 3 : start;
    this.give(bytes.toString('utf8', from, end), calls);
  }

  private beginBig(chunk: Buffer, at: number, stop: number): number {
    this.big = this.shrinkers.take();
    this.calls = 0;
    this.heldReturn = false;
    this.markers.beginPieces();
    if (this.pending.length === 0 && this.lineOffset > 0) return at;
    // Take the first bytes in one piece, so that a byte order mark stays whole.
    const split = Math.min(stop, at + 3);
    const first = Buffer.concat([this.pending, chunk.subarray(at, split)]);
    this.pending = NOTHING;
    this.calls += this.markers.countOtherPiece(first);
    this.shrink(first, this.lineOffset === 0 && hasMark(first, 0, first.length) ? 3 : 0, first.length);
    return split;
  }

  private piece(chunk: Buffer, at: number, stop: number): void {
    this.calls += this.markers.countPiece(chunk, at, stop);
    this.shrink(chunk, at, stop);
  }

  private shrink(bytes: Buffer, start: number, stop: number): void {
    if (stop <= start) return;
    if (this.heldReturn) this.big?.feed(RETURN, 0, 1);
    this.heldReturn = bytes[stop - 1] === CARRIAGE_RETURN;
    this.big?.feed(bytes, start, this.heldReturn ? stop - 1 : stop);
  }

  private endBig(): void {
    const big = this.big as Shrinker;
    this.big = null;
    const { text, whole } = big.finish();
    this.shrinkers.give(big);
    if (!whole) this.sink.problem('line-too-large', this.number(), this.lineOffset);
    this.give(text, this.calls);
  }

  private give(text: string, calls: number): TranscriptLine | undefined {
    if (this.early) {
      this.early = undefined;
      if (text.trim() === '') return undefined;
      this.given--;
    }
    const line = { text, line: this.number(), offset: this.lineOffset };
    this.given++;
    this.sink.line(line, calls);
    return line;
  }

  private number(): number {
    return this.before < 0 ? 0 : this.before + this.given + 1;
  }
}

function hasMark(bytes: Buffer, start: number, end: number): boolean {
  return end - start >= 3 && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf;
}

function isJson(bytes: Buffer): boolean {
  return parseJson(bytes.toString('utf8')) !== undefined;
}

/** Each shrinker holds a buffer, so only a file in the middle of a big line has one. */
export class ShrinkerPool {
  private readonly free: Shrinker[] = [];

  take(): Shrinker {
    return this.free.pop() ?? new Shrinker();
  }

  give(shrinker: Shrinker): void {
    shrinker.reset();
    if (this.free.length < 2) this.free.push(shrinker);
  }
}
