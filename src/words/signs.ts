/**
 * Transcript text is untrusted: characters that do something instead of showing something become signs that can be seen.
 *
 * One character gives one character, so that ranges of a text stay where they are.
 */

/** Signs of Unicode's "Control Pictures" stand for the C0 controls and DEL. */
const CONTROL_PICTURES = 0x2400;
const DELETE_PICTURE = '\u2421';
/** For what has no picture: C1 controls, direction marks and overrides, invisible separators, halves of surrogate pairs. */
const REPLACEMENT = '\ufffd';

const ACTIVE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text of several lines: tabs and line feeds stay. A carriage return before a line feed is a blank. */
export function signs(text: string): string {
  return text.replace(/\r\n/g, ' \n').replace(ACTIVE, sign);
}

/** Text of one line: tabs and line ends become blanks. */
export function signsInLine(text: string): string {
  return signs(text).replace(/[\t\n]/g, ' ');
}

function sign(character: string): string {
  const value = character.charCodeAt(0);
  if (value < 0x20) return String.fromCharCode(CONTROL_PICTURES + value);
  return value === 0x7f ? DELETE_PICTURE : REPLACEMENT;
}
