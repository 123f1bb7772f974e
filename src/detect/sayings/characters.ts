/** Tests of characters in a text, for the masks. `at` is a position, codes are UTF-16 code units. */

/** A UUID, from its first character. */
export const UUID = /[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?![0-9A-Za-z])/y;

/** Returns the end of a sticky pattern that matches at `at`, or -1. */
export function sticky(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

export function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

export function isPoint(code: number): boolean {
  return code === 0x2e || code === 0x2c;
}

export function isWord(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === 0x5f;
}

export function isNameCharacter(code: number): boolean {
  return isWord(code) || code === 0x2d || code === 0x2e;
}
