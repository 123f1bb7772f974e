import { Buffer } from 'node:buffer';

/** Character classes for the masks; any other character is 0. */
export const LETTER = 1;
export const DIGIT = 2;
export const SPACE = 3;
export const NEWLINE = 4;
export const RETURN = 5;
export const ESCAPE = 6;
/** Characters of rulers and progress bars: a run of 4 or more counts as one, whatever its length. */
export const RULER = 7;
export const SLASH = 8;

/** Character class by code unit; 64 KB, so that a look-up needs no bounds check. */
export const CLASSES = new Uint8Array(65_536);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/[A-Za-z_]/.test(character)) CLASSES[code] = LETTER;
  else if (/\d/.test(character)) CLASSES[code] = DIGIT;
  else if (character === ' ' || character === '\t') CLASSES[code] = SPACE;
  else if (character === '\n') CLASSES[code] = NEWLINE;
  else if (character === '\r') CLASSES[code] = RETURN;
  else if (code < 0x20) CLASSES[code] = ESCAPE;
  else if ('-=#*~>+'.includes(character)) CLASSES[code] = RULER;
  else if (character === '/' || character === '\\') CLASSES[code] = SLASH;
}

/** Number of code units that are inspected at a time. */
export const CAPACITY = 65_536;

/**
 * Code units of the text that is being inspected. Reading a typed array is several times as fast as reading each character of a string, whose
 * representation may differ from call to call. The text is followed by three zeros, so that looking ahead needs no check.
 */
export const codes = new Uint16Array(CAPACITY + 4);
/** The same code units in pairs. */
export const pairs = new Int32Array(codes.buffer);
const bytes = Buffer.from(codes.buffer, 0, CAPACITY * 2);

/** The loaded text, if all of it is loaded: a result is inspected several times in a row. */
let loaded: string | null = null;

/** Puts a text, at most its first 65,536 characters, into `codes` and returns their number. */
export function load(text: string): number {
  if (text === loaded) return text.length;
  loaded = text.length <= CAPACITY ? text : null;
  const length = bytes.write(text, 0, 'utf16le') >> 1;
  codes[length] = 0;
  codes[length + 1] = 0;
  codes[length + 2] = 0;
  return length;
}
