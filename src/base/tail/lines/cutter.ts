import { CUT_HEAD_BYTES, CUT_TAIL_BYTES, cutMark } from '../../util/cut';
import { Digest } from './digest';

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** A tail begins where the preceding five bytes show that no escape reaches into it. */
const LOOKBACK = 6;
const WINDOW = CUT_TAIL_BYTES + LOOKBACK;
const HOLD_BYTES = 32 * 1024;

/**
 * Takes the bytes of one long text piece by piece and keeps only its last 4 KB and a digest of everything before them. The result depends on the
 * bytes alone, not on how they are split into pieces.
 */
export class MiddleCutter {
  private readonly hold = Buffer.allocUnsafe(HOLD_BYTES);
  private held = 0;
  private digested = 0;
  private readonly digest = new Digest();

  begin(): void {
    this.digest.begin();
    this.held = 0;
    this.digested = 0;
  }

  append(bytes: Buffer, start: number, end: number): void {
    const added = end - start;
    if (this.held + added <= HOLD_BYTES) {
      bytes.copy(this.hold, this.held, start, end);
      this.held += added;
      return;
    }
    if (added >= WINDOW) {
      this.leaveOut(this.hold, 0, this.held);
      this.leaveOut(bytes, start, end - WINDOW);
      bytes.copy(this.hold, 0, end - WINDOW, end);
      this.held = WINDOW;
      return;
    }
    const keep = WINDOW - added;
    this.leaveOut(this.hold, 0, this.held - keep);
    this.hold.copyWithin(0, this.held - keep, this.held);
    bytes.copy(this.hold, keep, start, end);
    this.held = WINDOW;
  }

  /** Returns the mark and the tail to put after the head. The buffer is valid until the next call. */
  end(): { readonly mark: string; readonly tail: Buffer } {
    const from = tailStart(this.hold, this.held);
    this.leaveOut(this.hold, 0, from);
    return { mark: cutMark(this.digested, this.digest.end()), tail: this.hold.subarray(from, this.held) };
  }

  /** Returns the mark for the whole text, where no tail is wanted. */
  endWhole(): string {
    this.leaveOut(this.hold, 0, this.held);
    this.held = 0;
    return this.end().mark;
  }

  private leaveOut(bytes: Buffer, start: number, end: number): void {
    if (end <= start) return;
    this.digest.update(bytes, start, end);
    this.digested += end - start;
  }
}

/**
 * Finds the end of the head of a JSON string body or of a text: at most 4 KB after `start`, not inside an escape sequence, a multi-byte character or
 * a pair of surrogate escapes. `bytes` must hold at least 16 more bytes.
 */
export function headEnd(bytes: Buffer, start: number): number {
  const limit = start + CUT_HEAD_BYTES;
  let at = start;
  for (;;) {
    const next = unitEnd(bytes, at);
    if (next > limit) return at;
    at = next;
  }
}

function unitEnd(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === BACKSLASH) {
    if (bytes[at + 1] !== LETTER_U) return at + 2;
    return isHighSurrogate(bytes, at) && isLowSurrogate(bytes, at + 6) ? at + 12 : at + 6;
  }
  let next = at + 1;
  if (byte !== undefined && byte >= 0xc0) while (next < at + 4 && isContinuation(bytes[next])) next++;
  return next;
}

/** Returns the first place in the last 4 KB where a new character is certain to begin; the end of the text where there is none. */
function tailStart(hold: Buffer, held: number): number {
  for (let at = Math.max(LOOKBACK, held - CUT_TAIL_BYTES); at < held; at++) {
    const byte = hold[at];
    if (byte === BACKSLASH) {
      // A backslash begins an escape unless another one precedes it, of which it may be the second half.
      if (hold[at - 1] !== BACKSLASH && !isLowSurrogate(hold, at)) return at;
    } else if (!isContinuation(byte) && !hasBackslash(hold, at - 5, at)) {
      return at;
    }
  }
  return held;
}

function hasBackslash(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === BACKSLASH) return true;
  return false;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** True for `\uD800` to `\uDBFF`. */
function isHighSurrogate(bytes: Buffer, at: number): boolean {
  return isSurrogate(bytes, at, '89ab');
}

/** True for `\uDC00` to `\uDFFF`. */
function isLowSurrogate(bytes: Buffer, at: number): boolean {
  return isSurrogate(bytes, at, 'cdef');
}

function isSurrogate(bytes: Buffer, at: number, digits: string): boolean {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LETTER_U) return false;
  if (((bytes[at + 2] ?? 0) | 0x20) !== 0x64) return false;
  return digits.includes(String.fromCharCode((bytes[at + 3] ?? 0) | 0x20));
}
