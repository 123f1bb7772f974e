/**
 * Makes transcript text safe to show. Transcript text is untrusted: control characters can steer a terminal, direction marks can reorder what a
 * person reads, and invisible characters can hide text from a person that a model still reads.
 *
 * Two ways, for two kinds of reader:
 * - `signs`, `signsInLine`: for people. Each hidden character becomes a sign, one for one, so that ranges of the text stay valid.
 * - `cleanText`, `cleanLine`: for prompts, titles and stored lines. Escape sequences and hidden characters are removed.
 */

/** Unicode's "Control Pictures" stand for the C0 controls and DEL. */
const CONTROL_PICTURES = 0x2400;
const DELETE_PICTURE = '\u2421';
/** Sign for characters without a picture. */
const REPLACEMENT = '\ufffd';

/** Most texts contain nothing else, and need no closer check. */
const ORDINARY = /^[\t\n\x20-\x7e]*$/;

/**
 * C0, DEL and C1; halves of surrogate pairs; line and paragraph separators; interlinear annotation; and what Unicode defines as invisible: direction
 * marks, zero-width characters, fillers, variation selectors, tag characters.
 */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;

const JOINER = /[\u200c\u200d]/;
/** Characters after which joiners belong: parts of an emoji, and letters of scripts that join. */
const TAKES_JOINER =
  /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}])$/u;
/** "As text" and "as an emoji". They belong only after an emoji. */
const SELECTOR = /[\ufe0e\ufe0f]/;
const TAKES_SELECTOR = /\p{Emoji}$/u;

/**
 * Sequences that a terminal obeys: colours and cursor movements (CSI), titles and links (OSC and the like, terminated and at most 1,000 characters),
 * character sets, and two-character sequences.
 */
const ESCAPES =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b\n]{0,1000}(?:\u0007|\u001b\\)|\u001b[()*+][0-9A-Z]|\u001b[78=>c@-Z\\-_]/g;

/** Makes several lines safe for a person: keeps tabs and line feeds; a carriage return before a line feed becomes a blank. Keeps the length. */
export function signs(text: string): string {
  if (ORDINARY.test(text)) return text;
  return replaceHidden(text.replaceAll('\r\n', ' \n'), signOf);
}

/** Makes one line safe for a person: tabs and line ends become blanks. Keeps the length. */
export function signsInLine(text: string): string {
  return signs(text).replace(/[\t\n]/g, ' ');
}

/** Writes each hidden character of a JSON text as an escape: a terminal obeys none of them, a person sees them, and the parsed value is the same. */
export function escapedJson(json: string): string {
  if (ORDINARY.test(json)) return json;
  return json.replace(HIDDEN, (character: string) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Removes escape sequences and hidden characters from several lines; keeps tabs and line feeds. */
export function cleanText(text: string): string {
  if (ORDINARY.test(text)) return text;
  return replaceHidden(withoutEscapes(text), () => '');
}

/** Makes one line without escape sequences and hidden characters: a run of tabs and line ends becomes one blank, or none at either end. */
export function cleanLine(text: string): string {
  return cleanText(withoutEscapes(text).replace(/[\t-\r\u0085\u2028\u2029]+/g, ' ')).trim();
}

/** Removes the sequences that a terminal would obey. Other control characters are kept. */
export function withoutEscapes(text: string): string {
  return text.includes('\u001b') || text.includes('\u009b') ? text.replace(ESCAPES, '') : text;
}

function replaceHidden(text: string, replacement: (character: string) => string): string {
  return text.replace(HIDDEN, (character: string, at: number) =>
    isHarmless(character, text.slice(Math.max(0, at - 2), at)) ? character : replacement(character),
  );
}

function isHarmless(character: string, before: string): boolean {
  if (character === '\t' || character === '\n') return true;
  if (JOINER.test(character)) return TAKES_JOINER.test(before);
  return SELECTOR.test(character) && TAKES_SELECTOR.test(before);
}

function signOf(character: string): string {
  const value = character.charCodeAt(0);
  if (value < 0x20) return String.fromCharCode(CONTROL_PICTURES + value);
  return value === 0x7f ? DELETE_PICTURE : REPLACEMENT.repeat(character.length);
}
