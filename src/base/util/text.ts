/** Returns the text up to its first line feed, or the whole text if it has none. */
export function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 ? text : text.slice(0, end);
}

/** Returns the first lines that are not blank, at most `most`, without their leading blanks. */
export function* firstLines(text: string, most: number): Generator<string> {
  const notBlank = /\S/g;
  for (let seen = 0; seen < most; seen++) {
    const start = notBlank.exec(text)?.index;
    if (start === undefined) return;
    const line = firstLine(text.slice(start));
    yield line;
    notBlank.lastIndex = start + line.length;
  }
}

/**
 * Returns the same characters in a separate string.
 *
 * V8 makes a slice of 13 or more characters a view of its parent: keeping 200 characters of a 10 MB text keeps the 10 MB. Joining copies the
 * characters; shorter slices are copied anyway.
 */
export function copied(text: string): string {
  return text.length < 13 ? text : [text.charAt(0), text.slice(1)].join('');
}
