import { MappedText } from './mapped';
import { placesOf } from './places';
import type { TextRange } from './rule';

/** Number of characters before the first escape that are inspected as well: they may show that it is a secret. */
const BEFORE = 256;
const BEHIND = 1024;

const NAMED: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  sol: '/',
  equals: '=',
  colon: ':',
  commat: '@',
  plus: '+',
  num: '#',
  newline: '\n',
};
/** HTML elements for the look of a text, and those that form a table. */
const TAG = String.raw`<\/?(?:(?<cell>td|th|dt|dd)|span|b|i|em|strong|code|a|font|mark|u|s|pre|p|div|li|kbd|var|samp|small|tt|tr|label)(?:\s[^<>\n]{0,200})?>`;
/** `%2F`, `=2F`, `&#x2F;`, `&quot;`, `\u003c`, `\x3c`, `\/`, `<span>`, `**` */
const ESCAPE = new RegExp(
  [
    String.raw`%(?<percent>[0-9a-f]{2})`,
    String.raw`=(?:(?<printable>3d|20|[0-7][0-9a-f](?![0-9a-f]))|\r?\n)`,
    TAG,
    String.raw`\*\*(?<!\/\*\*)(?!\*)`,
    String.raw`&(?:#(?<decimal>\d{1,4})|#x(?<hex>[0-9a-f]{1,4})|(?<name>${Object.keys(NAMED).join('|')}));`,
    String.raw`\\{1,4}(?:u00(?<unicode>[2-7][0-9a-f])|x(?<byte>[2-7][0-9a-f])|(?<slash>\/))`,
  ].join('|'),
  'gi',
);
const ONE = new RegExp(ESCAPE.source, 'iy');
/** Beginnings of escapes. For HTML elements it is that of the closing tag; in quoted-printable's `=3D`, `3D` is the rarer part. */
const BEGINNINGS = ['%', '&', '\\', '**', '</', '3D'];
/** Characters that may follow the first character of an escape: no blank, no `&` after another one, no `n` after a backslash. */
const MAY_FOLLOW = Array.from({ length: 128 }, (_, code) =>
  /[0-9a-fA-Fglnqsu#xX/\\*D]/.test(String.fromCharCode(code)),
);
const BACKSLASH = 92;
const LESS = 60;
const EQUALS = 61;
const THREE = 51;

/**
 * Finds secrets that are written with escapes or among markup: percent-encoded, quoted-printable, as HTML, in bold, as JSON that has `\u003c` for `<`
 * or `\/` for `/`.
 *
 * Only the text around escapes is decoded and inspected.
 */
export function findEscaped(text: string, look: (text: string) => readonly TextRange[]): readonly TextRange[] {
  const found: TextRange[] = [];
  const placeOf = placesOf(text, BEGINNINGS);
  let lineEnd = -1;
  for (let place = placeOf(0); place < text.length; place = placeOf(place)) {
    const at = text.charCodeAt(place) === THREE ? place - 1 : place;
    ONE.lastIndex = Math.max(0, at);
    if (!MAY_FOLLOW[text.charCodeAt(place + 1)] || !ONE.test(text)) {
      place += text.charCodeAt(place) === BACKSLASH ? 2 : 1;
      continue;
    }
    // In markup, a name and its value are on several lines.
    const isMarkup = text.charCodeAt(at) === LESS || text.charCodeAt(at) === EQUALS;
    if (!isMarkup && lineEnd < at) {
      lineEnd = text.indexOf('\n', at);
      if (lineEnd < 0) lineEnd = text.length;
    }
    const from = beginningOf(text, at, isMarkup);
    const to = Math.min(isMarkup ? text.length : lineEnd, at + BEHIND);
    const views = [unescaped(text, from, to, false)];
    // In data sent by a form, a plus sign stands for a blank.
    if (text.slice(from, to).includes('+')) views.push(unescaped(text, from, to, true));
    for (const view of views) {
      for (const range of look(view.text)) {
        const [start, end] = view.originalOf(range);
        found.push([start, range[1] === view.length ? endOfWord(text, end) : end]);
      }
    }
    place = Math.max(to, place + 1);
  }
  return found;
}

function beginningOf(text: string, at: number, isMarkup: boolean): number {
  if (isMarkup && at <= BEFORE) return 0;
  const before = text.slice(Math.max(0, at - BEFORE), at);
  return at - before.length + (isMarkup ? before.indexOf('\n') : before.lastIndexOf('\n')) + 1;
}

const WORD = /[A-Za-z0-9%+/=_.~-]{0,32768}/y;

/** Extends a match that crosses the end of the inspected piece to the end of its word. */
function endOfWord(text: string, at: number): number {
  WORD.lastIndex = at;
  return at + (WORD.exec(text)?.[0].length ?? 0);
}

/** Decodes a piece of the text. */
function unescaped(text: string, from: number, to: number, isPlusBlank: boolean): MappedText {
  const view = new MappedText(text);
  let position = from;
  const copyTo = (end: number) => {
    for (let plus = isPlusBlank ? text.indexOf('+', position) : -1; plus >= 0 && plus < end; ) {
      view.copy(position, plus);
      view.put(' ', plus, plus + 1);
      position = plus + 1;
      plus = text.indexOf('+', position);
    }
    view.copy(position, end);
  };
  ESCAPE.lastIndex = from;
  for (let match = ESCAPE.exec(text); match && match.index < to; match = ESCAPE.exec(text)) {
    copyTo(match.index);
    position = match.index + match[0].length;
    const character = characterOf(match.groups ?? {});
    if (character !== '') view.put(character, match.index, position);
  }
  if (position < to) copyTo(to);
  return view;
}

function characterOf(groups: Readonly<Record<string, string | undefined>>): string {
  const { percent, printable, decimal, hex, name, unicode, byte, slash, cell } = groups;
  const digits = percent ?? printable ?? hex ?? unicode ?? byte;
  if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16));
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? ' ';
  if (slash !== undefined) return '/';
  return cell === undefined ? '' : '\t';
}
