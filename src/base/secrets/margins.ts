import { MappedText } from './mapped';

const TIME = String.raw`\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?(?=[\s|])`;
const LEVEL = String.raw`\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL)\]?:?(?=\s)`;
/** Prefixes that tools write before each line: number, path, date, author, and marks for quoted or added lines. */
const MARGIN = new RegExp(
  [
    // `12→`, `12\t`, `12: `; `12 | ` if the next line has a bar as well
    String.raw`[ \t]{0,12}\d{1,7}(?:\u2192|\t|:(?![A-Za-z0-9]{16})[ \t]?)`,
    String.raw`[ \t]{0,12}\d{1,7}[ \t]{0,2}[|\u2502](?=[^\n]{0,400}\n[ \t]{0,12}\d{0,7}[ \t]{0,2}[|\u2502])[ \t]?`,
    // `src/app.env:12:`, `src/app.env-13-`
    String.raw`[\w./~@+-]{0,200}\.\w{1,8}(?::\d{1,7}(?::\d{1,5})?:|-\d{1,7}-)(?![^\s:]{1,63}:[^\s:/]{1,63}:\S)`,
    String.raw`[ \t]{0,4}(?:${TIME}|${LEVEL})(?:[ \t]{1,4}\[[\w./:-]{1,40}\](?=\s))?`,
    // `service-1  | `
    String.raw`[ \t]{0,4}[\w.-]{1,40}-\d{1,3}[ \t]{0,16}\|[ \t]?`,
    String.raw`>{1,4}[ \t]`,
    String.raw`\+(?!\+)`,
    String.raw`-(?=[ \t]{1,40}[\w-]{1,40}["']?:|[ \t]{2})`,
  ].join('|'),
  'y',
);
/** Largest number of parts in a margin: a time, a level, a service. */
const MOST = 5;
/** The cells before the last one of a row, if the next row has the same. */
const CELL =
  /[|\u2502\u2503][^|\u2502\u2503\n]{1,40}[|\u2502\u2503][ \t]?(?=[^|\u2502\u2503\n]{0,400}[|\u2502\u2503])/y;
const FRAME = /[ \t]{0,400}[|\u2502\u2503]?$/;

/**
 * Returns the text without the prefixes of its lines that are not part of their content; undefined where no line has one.
 *
 * Otherwise a rule that inspects the beginning of a line, or two lines, would see numbers there.
 */
export function withoutMargins(text: string): MappedText | undefined {
  if (!text.includes('\n')) return undefined;
  let view: MappedText | undefined;
  let position = 0;
  let cell = '';
  for (let line = 0; line < text.length; ) {
    const feed = text.indexOf('\n', line);
    const end = feed < 0 ? text.length : feed;
    let start = mayHaveMargin(text, line) ? endOfMargin(text, line) : line;
    if (start === line && BORDERS.has(text.charCodeAt(line))) {
      if (cell === '' || !text.startsWith(cell, line)) cell = cellAt(text, line, end);
      start += cell.length;
    } else cell = '';
    if (start > line) {
      view ??= new MappedText(text);
      view.copy(position, line);
      position = start;
      if (cell !== '') {
        view.copy(start, start + text.slice(start, end).search(FRAME));
        position = end;
      }
    }
    line = end + 1;
  }
  view?.copy(position, text.length);
  return view;
}

const BORDERS: ReadonlySet<number> = new Set('|\u2502\u2503'.split('').map((border) => border.charCodeAt(0)));

/**
 * Returns false for nearly all lines, at little cost. An indented line has a margin only if a digit or a bracket follows the indent; one that begins
 * with a word only if a digit or a bar follows the word.
 */
function mayHaveMargin(text: string, line: number): boolean {
  let at = line;
  let code = text.charCodeAt(at);
  while (code === BLANK || code === TAB) code = text.charCodeAt(++at);
  if (isDigit(code) || code === BRACKET) return true;
  if (at > line) return false;
  if (!isOfPlace(code)) return code === MORE;
  if (code === PLUS || code === MINUS) return true;
  while (isOfPlace(code)) {
    code = text.charCodeAt(++at);
    if (code === MINUS && isDigit(text.charCodeAt(at + 1))) return true;
  }
  return code === COLON ? isDigit(text.charCodeAt(at + 1)) : code === BLANK && text.charCodeAt(line) < 91;
}

const BLANK = 32;
const TAB = 9;
const PLUS = 43;
const MINUS = 45;
const COLON = 58;
const MORE = 62;
const BRACKET = 91;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** True for letters, digits and the signs of paths. */
function isOfPlace(code: number): boolean {
  const letter = code | 0x20;
  return (letter >= 97 && letter <= 122) || (code >= 45 && code <= 57) || code === 43 || code === 95 || code === 126;
}

function endOfMargin(text: string, line: number): number {
  let at = line;
  for (let part = 0; part < MOST; part++) {
    MARGIN.lastIndex = at;
    if (!MARGIN.test(text)) break;
    at = MARGIN.lastIndex;
  }
  return at;
}

/** Returns the beginning of a row that the next row shares. */
function cellAt(text: string, line: number, end: number): string {
  CELL.lastIndex = line;
  const cell = CELL.exec(text)?.[0] ?? '';
  return cell !== '' && text.startsWith(cell, end + 1) ? cell : '';
}
