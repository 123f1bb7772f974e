/** Returns whether a text ends with a question to its reader. */
export function endsWithQuestion(words: string): boolean {
  return /[?？]["'”’)\]*_\s]*$/.test(words.slice(-200));
}
