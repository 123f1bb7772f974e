/** The text up to its first line feed, or the whole text if it has none. */
export function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 ? text : text.slice(0, end);
}

/**
 * The same characters in a string of their own.
 *
 * V8 makes a slice of 13 or more characters a view of its parent: keeping 200 characters of a 10 MB text keeps the 10 MB.
 * Joining writes the characters out anew; shorter slices are copied anyway.
 */
export function copied(text: string): string {
  return text.length < 13 ? text : [text.charAt(0), text.slice(1)].join('');
}
