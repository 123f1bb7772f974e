/** Does a text end with a question to its reader? */
export function endsWithQuestion(words: string): boolean {
  return /[?？]["'”’)\]*_\s]*$/.test(words.slice(-200));
}
