import { MappedText } from './mapped';
import { placesOf } from './places';
import type { TextRange } from './rule';

/** So many characters before the first escape are looked at with it: they may say that it is a secret. */
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
/** `%2F`, `&#x2F;`, `&quot;`, `\u003c`, `\x3c`, `\/` */
const ESCAPE = new RegExp(
  [
    String.raw`%(?<percent>[0-9a-f]{2})`,
    String.raw`&(?:#(?<decimal>\d{1,4})|#x(?<hex>[0-9a-f]{1,4})|(?<name>${Object.keys(NAMED).join('|')}));`,
    String.raw`\\{1,4}(?:u00(?<unicode>[2-7][0-9a-f])|x(?<byte>[2-7][0-9a-f])|(?<slash>\/))`,
  ].join('|'),
  'gi',
);
const ONE = new RegExp(ESCAPE.source, 'iy');
const BACKSLASH = 92;

/**
 * Secrets that are written with escapes: percent-encoded, as HTML, as JSON that has `\u003c` for `<` or `\/` for `/`.
 *
 * Only what lies around escapes is decoded and looked at.
 */
export function findEscaped(text: string, look: (text: string) => readonly TextRange[]): readonly TextRange[] {
  const found: TextRange[] = [];
  const placeOf = placesOf(text, ['%', '&', '\\']);
  let lineEnd = -1;
  for (let at = placeOf(0); at < text.length; at = placeOf(at)) {
    ONE.lastIndex = at;
    if (!ONE.test(text)) {
      at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
      continue;
    }
    if (lineEnd < at) {
      lineEnd = text.indexOf('\n', at);
      if (lineEnd < 0) lineEnd = text.length;
    }
    const from = beginningOf(text, at);
    const to = Math.min(lineEnd, at + BEHIND);
    const views = [unescaped(text, from, to, false)];
    // In what a form sends, a plus sign stands for a blank.
    if (text.slice(from, to).includes('+')) views.push(unescaped(text, from, to, true));
    for (const view of views) {
      for (const range of look(view.text)) {
        const [start, end] = view.originalOf(range);
        found.push([start, range[1] === view.length ? endOfWord(text, end) : end]);
      }
    }
    at = Math.max(to, at + 1);
  }
  return found;
}

function beginningOf(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - BEFORE), at);
  return at - before.length + before.lastIndexOf('\n') + 1;
}

const WORD = /[A-Za-z0-9%+/=_.~-]{0,32768}/y;

/** What reaches beyond the piece that was looked at goes on to the end of the word. */
function endOfWord(text: string, at: number): number {
  WORD.lastIndex = at;
  return at + (WORD.exec(text)?.[0].length ?? 0);
}

/** A piece of the text as it is meant. */
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
    view.put(characterOf(match.groups ?? {}), match.index, position);
  }
  if (position < to) copyTo(to);
  return view;
}

function characterOf(groups: Readonly<Record<string, string | undefined>>): string {
  const { percent, decimal, hex, name, unicode, byte } = groups;
  const digits = percent ?? hex ?? unicode ?? byte;
  if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16));
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  return name === undefined ? '/' : (NAMED[name.toLowerCase()] ?? ' ');
}
