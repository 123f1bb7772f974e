/** Longest line, bytes: the longest real one is an INFO of a large cluster. */
const LONGEST_LINE = 64 * 1024;
/** Largest message, bytes: the largest real one is the list of all states, of which 20,000 take 2 MB. */
const LARGEST_MESSAGE = 2 * 1024 * 1024;
/** Lines without a message in one piece of the stream, at most. A server pings every two minutes. */
const MOST_LINES = 500;

const LF = 0x0a;
const NOTHING = Buffer.alloc(0);
const MESSAGE = /^H?MSG (?:[^ \t\r\n]+ ){2,4}(\d{1,7})\r\n$/;
const OTHER = /^(?:PING|PONG|\+OK|-ERR '.*|INFO \{.*)\r\n$/;

/**
 * Follows the stream of a message server, and says when to give it up. The library behind it has no limits: it keeps an endless line or message in
 * memory. A line that the two could read differently is refused.
 */
export class StreamLimits {
  /** A line whose end has not arrived yet. */
  private line = NOTHING;
  /** Bytes of a message and its line end that have not arrived yet. */
  private awaited = 0;

  /** Takes the next piece of the stream. Returns what is wrong with it, or null. */
  take(piece: Buffer): string | null {
    let lines = 0;
    for (let at = 0; at < piece.length; ) {
      const ends = this.awaited > 0 ? at + this.awaited : piece.indexOf(LF, at) + 1;
      const isWhole = ends > 0 && ends <= piece.length;
      const part = piece.subarray(at, isWhole ? ends : piece.length);
      at += part.length;
      if (this.awaited > 0) {
        this.awaited -= part.length;
        // The library skips anything between a message and its line end.
        if (isWhole && part.at(-1) !== LF) return 'a message without an end';
        continue;
      }
      if (this.line.length + part.length > LONGEST_LINE) return 'a line that is too long';
      this.line = Buffer.concat([this.line, part]);
      if (!isWhole) return null;
      const line = this.line.toString('latin1');
      this.line = NOTHING;
      const size = MESSAGE.exec(line)?.[1];
      if (size === undefined && !OTHER.test(line)) return 'a line that is not part of the protocol';
      if (size === undefined && ++lines > MOST_LINES) return 'a flood of lines';
      if (Number(size) > LARGEST_MESSAGE) return 'a message that is too large';
      if (size !== undefined) this.awaited = Number(size) + 2;
    }
    return null;
  }
}
