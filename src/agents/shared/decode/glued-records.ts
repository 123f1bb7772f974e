import type { LineDecoder } from '../../decoder';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = new Set([0x7b, 0x5b]);
const CLOSE = new Set([0x7d, 0x5d]);
/** Largest number of records that are separated in one line; the rest counts as one unreadable record. */
const MOST = 1_000;

/**
 * Returns the JSON records of one line. Two writers, or one that was stopped before its line break, can leave two records on a line: `{…}{…}`.
 * Strings are skipped, so that text with `}{` in it stays whole. Linear in the length of the line, and at most 1,000 records.
 */
export function recordsOf(line: string): readonly string[] {
  if (!line.startsWith('{') || !line.includes('}{')) return [line];
  const records: string[] = [];
  let begin = 0;
  let depth = 0;
  for (let at = 0; at < line.length && records.length < MOST; at++) {
    const code = line.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(line, at);
    } else if (OPEN.has(code)) {
      depth++;
    } else if (CLOSE.has(code) && --depth === 0 && line.startsWith('{', at + 1)) {
      records.push(line.slice(begin, at + 1));
      begin = at + 1;
    }
  }
  records.push(line.slice(begin));
  return records;
}

/** Returns the index of the quote that ends the string beginning at `start`; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}

/**
 * Passes one record at a time to a decoder of JSON Lines. Records of one line share its number; each has its own offset. A line that begins with `//`
 * is a note that a person added to the file: it holds no record.
 */
export function eachRecord(decoder: LineDecoder): LineDecoder {
  return {
    unit: 'line',
    decode(line, sink) {
      if (line.text.startsWith('//')) return;
      const records = recordsOf(line.text);
      if (records.length === 1) return decoder.decode(line, sink);
      let { offset } = line;
      for (const text of records) {
        decoder.decode({ ...line, text, offset }, sink);
        offset += Buffer.byteLength(text);
      }
    },
  };
}
