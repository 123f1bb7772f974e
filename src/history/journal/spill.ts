import { createHash } from 'node:crypto';
import { mkdir, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../base/files';
import { mayBreak } from '../../base/util/piece';
import { redact } from '../../base/util/redact';
import { createBreather } from '../breathe';
import { type StoreReason, isAbsent, reasonOf } from '../errors';

/** Age at which spilled results are deleted (docs/storage.md, "How long"). */
const LIFE_MS = 24 * 60 * 60 * 1000;
/** Characters redacted at a time: about two milliseconds, and never more than twice that many except for a key. */
const PIECE = 32 * 1024;
/** No private key is longer. */
const LONGEST_KEY = 32 * 1024;

/** An oversized result of a tool, saved where it can be read without its secrets. */
interface Spilled {
  /** The file with the whole result; null if there is none. */
  readonly file: string | null;
  readonly reason?: StoreReason;
}

export interface Spills {
  /**
   * Redacts a text and writes it to a file that lives for 24 hours. Never rejects.
   *
   * @param id names the result, for example session and call: the same result is written once, whichever window does it
   * @param text called only if it is not written yet; undefined if there is nothing to write
   */
  spill(id: string, text: () => Promise<string | undefined>): Promise<Spilled>;
  /** Deletes what is older than 24 hours. Resolves to the number of deleted files. */
  clean(): Promise<number>;
}

/** @param folder belongs to the spills alone; created if it does not exist */
export function createSpills(folder: string, now: () => number): Spills {
  return {
    async spill(id, text) {
      const file = join(folder, `${createHash('sha256').update(id).digest('hex').slice(0, 32)}.txt`);
      try {
        const isThere = await stat(file).catch(() => null);
        if (isThere) return { file };
        const whole = await text();
        if (whole === undefined) return { file: null };
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await replaceFile(file, await redactLong(whole));
        return { file };
      } catch (error) {
        return { file: null, reason: reasonOf(error) };
      }
    },
    async clean() {
      let count = 0;
      const files = await readdir(folder).catch(() => []);
      for (const name of files) {
        if (!/^[0-9a-f]{32}\.txt(?:\.[0-9a-f]+\.tmp)?$/.test(name)) continue;
        const path = join(folder, name);
        try {
          if (now() - (await stat(path)).mtimeMs < LIFE_MS) continue;
          await unlink(path);
          count++;
        } catch (error) {
          if (!isAbsent(error)) return count;
        }
      }
      return count;
    },
  };
}

/** Redacts a text of any length in pieces that end at a line and cut no private key, so that the event loop is not held. */
export async function redactLong(text: string): Promise<string> {
  const breather = createBreather();
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOfPiece(text, start);
    pieces.push(redact(text.slice(start, end)));
    start = end;
    const pause = breather.breathe();
    if (pause) await pause;
  }
  return pieces.join('');
}

/** Lines that are tried to find one whose end is within no secret. */
const MOST_LINES = 200;
/** No token contains one of these. */
const OUTSIDE = /[\s"'`,;(){}[\]<>]/;

function endOfPiece(text: string, start: number): number {
  const soft = start + PIECE;
  if (soft >= text.length) return text.length;
  let end = endOfLine(text, soft);
  for (let line = 0; line < MOST_LINES && end < text.length && mayBreak(text, end); line++) end = endOfLine(text, end);
  if (end - soft > PIECE) end = endOutside(text, soft);
  const key = text.lastIndexOf('-----BEGIN ', end);
  if (key >= start) {
    const keyEnd = text.indexOf('-----END ', key);
    if (keyEnd >= end && keyEnd - key <= LONGEST_KEY) end = endOfLine(text, keyEnd);
  }
  return end;
}

/** Returns where to cut a long line: after a character that no token contains, or else at the limit. */
function endOutside(text: string, soft: number): number {
  for (let at = soft; at > soft - PIECE / 4; at--) if (OUTSIDE.test(text.charAt(at - 1))) return at;
  return soft;
}

/** Returns the place after the end of the line. */
function endOfLine(text: string, at: number): number {
  const feed = text.indexOf('\n', at);
  return feed < 0 ? text.length : feed + 1;
}
