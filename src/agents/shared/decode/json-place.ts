const BLANK = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/**
 * Returns the place at which a text stops being JSON: the index of the first character that does not fit, the text's length if it ends too early,
 * null if it is JSON. The engine's own message names the place only sometimes, and quotes the text.
 */
export function whereJsonBreaks(text: string): number | null {
  const open: ('{' | '[')[] = [];
  let index = 0;
  let wants: 'value' | 'value or end' | 'key' | 'key or end' | 'comma or end' | 'colon' = 'value';

  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = index;
    if (!pattern.test(text)) return false;
    index = pattern.lastIndex;
    return true;
  };
  /**
   * Returns the place of a fault in a string. A string without an end counts as an early end; a broken escape or a line break counts as a fault in
   * that place.
   */
  const brokenString = (): number => (text.indexOf('"', index + 1) < 0 ? text.length : index);

  for (;;) {
    skip(BLANK);
    if (open.length === 0 && wants === 'comma or end') return index === text.length ? null : index;
    const sign = text[index];
    if (sign === undefined) return text.length;
    const inside = open.at(-1);
    if (wants === 'colon') {
      if (sign !== ':') return index;
      index++;
      wants = 'value';
    } else if (wants === 'comma or end' && sign === ',') {
      index++;
      wants = inside === '{' ? 'key' : 'value';
    } else if (wants.endsWith('or end') && sign === (inside === '{' ? '}' : ']')) {
      index++;
      open.pop();
      wants = 'comma or end';
    } else if (wants === 'comma or end') {
      return index;
    } else if (wants === 'key' || wants === 'key or end') {
      if (sign !== '"') return index;
      if (!skip(STRING)) return brokenString();
      wants = 'colon';
    } else if (sign === '{' || sign === '[') {
      index++;
      open.push(sign);
      wants = sign === '{' ? 'key or end' : 'value or end';
    } else {
      if (sign === '"' ? !skip(STRING) : !skip(SCALAR)) return sign === '"' ? brokenString() : index;
      wants = 'comma or end';
    }
  }
}
