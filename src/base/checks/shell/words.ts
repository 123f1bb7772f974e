/** Makes a set of words from one text. */
export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}

/** Makes a set of words for each of several names. A map, because the names come from transcripts, and `constructor` is a word like any other. */
export function wordTable(of: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(Object.entries(of).map(([name, text]) => [name, words(text)]));
}

/** Returns the program that a word starts: without its folder, `.exe` and the version of a package (`eslint@9`), in lower case. */
export function programName(word: string): string {
  const name = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1).toLowerCase();
  // most words; each is tested several times
  if (!name.includes('@') && !name.includes('.')) return name;
  return name.replace(/(?<=\w)@[\w.^~+-]{1,40}$/, '').replace(/\.(?:exe|cmd|bat)$/, '');
}
