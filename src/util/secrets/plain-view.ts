/**
 * A text as it reads: without escape sequences for colour and without characters that nobody sees.
 *
 * `grep --color` puts `\u001b[31m` in front of a key, and a zero-width space within a key hides it from any pattern. Secrets are looked for
 * in this view, and what is found is mapped back.
 */
export interface PlainView {
  readonly text: string;
  /** For each character of `text` its place in the original; absent where both are equal. */
  readonly places?: Uint32Array;
}

/** Control characters but tab, line feed and carriage return, what Unicode says to draw as nothing, and the signs that stand for both. */
const UNSEEN = String.raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\p{Default_Ignorable_Code_Point}\u2400-\u2421\ufff9-\ufffb\ufffd]`;
/** The same where JSON or a program's source writes them out, behind backslashes. */
const WRITTEN_ESCAPE = String.raw`(?:u001b|x1b|033|e(?=\[))`;
const WRITTEN_UNSEEN = String.raw`u(?:0000|00ad|200[b-f]|202[a-e]|206[0-9a-f]|feff|fe0[0-9a-f])`;
const PARAMETERS = String.raw`\[[0-9;:?<=>]{0,32}[ -/]{0,4}[@-~]`;

const MAYBE = new RegExp(String.raw`${UNSEEN}|\\(?:u001b|x1b|033|e\[|u0000|u00ad|u2|uf)`, 'iu');
/** What an escape introduces: a bracket is the beginning of a title or a link; its text stays, as it may hold a secret. */
const ESCAPED = String.raw`(?:${PARAMETERS}|\])?`;
const LEFT_OUT = new RegExp(
  [
    String.raw`[\u001b\u241b]${ESCAPED}`,
    String.raw`\u009b${PARAMETERS.slice(2)}`,
    // One alternative for all that stands behind backslashes: a run of them is walked once.
    String.raw`\\{1,8}(?:${WRITTEN_ESCAPE}${ESCAPED}|${WRITTEN_UNSEEN})`,
    UNSEEN,
  ].join('|'),
  'giu',
);

export function plainView(text: string): PlainView {
  if (!MAYBE.test(text)) return { text };
  const pieces: string[] = [];
  const places = new Uint32Array(text.length);
  let length = 0;
  let position = 0;
  const keep = (end: number) => {
    pieces.push(text.slice(position, end));
    for (let index = position; index < end; index++) places[length++] = index;
  };
  for (const match of text.matchAll(LEFT_OUT)) {
    keep(match.index);
    position = match.index + match[0].length;
  }
  keep(text.length);
  return { text: pieces.join(''), places: places.subarray(0, length) };
}

/** The place of a range of the view in the original. What was left out within it belongs to it. */
export function originalRange(view: PlainView, [start, end]: readonly [number, number]): readonly [number, number] {
  if (!view.places) return [start, end];
  return [view.places[start] ?? start, (view.places[end - 1] ?? end - 1) + 1];
}
