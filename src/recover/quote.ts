import { readable } from '../util/cut';
import { redact } from '../util/redact';

const LINES = 12;
const WIDTH = 160;

/** Transcript text as a fenced block: redacted, at most 12 lines of 160 characters, with a fence that its content cannot close. */
export function fenced(text: string): string {
  const lines = clean(redact(readable(text)))
    .split('\n')
    .filter((line, index, all) => line.trim() !== '' || index < all.length - 1);
  const shown = lines.slice(-LINES).map((line) => (line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line));
  const longest = Math.max(2, ...shown.map((line) => /`{3,}/.exec(line)?.[0].length ?? 0));
  const fence = '`'.repeat(longest + 1);
  const left = lines.length > LINES ? [`(${lines.length - LINES} lines above left out)`] : [];
  return [fence, ...left, ...shown, fence].join('\n');
}

/** Transcript text within a sentence: redacted, one line, at most 300 characters. */
export function oneLine(text: string): string {
  const line = clean(redact(readable(text)))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

/** Without control and direction characters; tabs and line breaks stay. */
function clean(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '');
}
