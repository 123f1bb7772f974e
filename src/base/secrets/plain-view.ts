import { MappedText } from './mapped';

/** Control characters except tab, line feed and carriage return, characters that Unicode defines as invisible, and the signs that represent both. */
const UNSEEN = String.raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\p{Default_Ignorable_Code_Point}\u2400-\u2421\ufff9-\ufffb\ufffd]`;
/** The same characters as JSON or a program's source writes them, after backslashes. */
const WRITTEN_ESCAPE = String.raw`(?:u001b|x1b|033|e(?=\[))`;
const WRITTEN_UNSEEN = String.raw`u(?:0000|00ad|200[b-f]|202[a-e]|206[0-9a-f]|feff|fe0[0-9a-f])`;
const PARAMETERS = String.raw`\[[0-9;:?<=>]{0,32}[ -/]{0,4}[@-~]`;

/**
 * Nearly all texts contain none of these and need no closer look. Matches code units, including some that are not meant, since a class of few ranges
 * costs a third of the exact one.
 */
const MAYBE = new RegExp(
  [
    String.raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2400-\u2421\u3164\ud82f-\ud834\udb40-\udb43\ufe00-\uffff]`,
    String.raw`\\(?:[uU](?:00(?:00|1[bB]|[aA][dD])|2|[fF])|[xX]1[bB]|033|[eE]\[)`,
  ].join('|'),
);
/** Parameters of an escape. A bracket begins a title or a link, whose text is kept, as it may hold a secret. */
const ESCAPED = String.raw`(?:${PARAMETERS}|\])?`;
const LEFT_OUT = new RegExp(
  [
    String.raw`[\u001b\u241b]${ESCAPED}`,
    String.raw`\u009b${PARAMETERS.slice(2)}`,
    // One alternative for everything after backslashes: a run of them is scanned only once.
    String.raw`\\{1,8}(?:${WRITTEN_ESCAPE}${ESCAPED}|${WRITTEN_UNSEEN})`,
    UNSEEN,
    // Letters and signs as wide as Chinese ones, and their blank; the non-breaking blank.
    String.raw`[\uff01-\uff5e\u3000\u00a0]`,
  ].join('|'),
  'giu',
);

function narrowOf(code: number): string | undefined {
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  return code === 0x3000 || code === 0xa0 ? ' ' : undefined;
}

/**
 * Returns the text as a person sees it: without escape sequences for colour and without invisible characters, with wide letters as narrow ones.
 * Undefined where it has none of these.
 *
 * `grep --color` puts `\u001b[31m` in front of a key, and a zero-width space within a key hides it from any pattern.
 */
export function plainView(text: string): MappedText | undefined {
  if (!MAYBE.test(text)) return undefined;
  let view: MappedText | undefined;
  let position = 0;
  for (const match of text.matchAll(LEFT_OUT)) {
    view ??= new MappedText(text);
    view.copy(position, match.index);
    position = match.index + match[0].length;
    const narrow = narrowOf(match[0].charCodeAt(0));
    if (narrow !== undefined) view.put(narrow, match.index, position);
  }
  view?.copy(position, text.length);
  return view;
}
