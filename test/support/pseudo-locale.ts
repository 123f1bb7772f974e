/**
 * A language in which every translated text can be told from one that was forgotten: it stands between marks, has accents, and is a third
 * longer. Free of Node, so that a page can load it too.
 */
export const PSEUDO = 'qps-ploc';
const OPEN = '⟦';
const CLOSE = '⟧';

const ACCENTS: Readonly<Record<string, string>> = {
  a: 'á',
  c: 'ç',
  e: 'é',
  i: 'í',
  n: 'ñ',
  o: 'ó',
  u: 'ú',
  y: 'ý',
  A: 'Á',
  C: 'Ç',
  E: 'É',
  I: 'Í',
  N: 'Ñ',
  O: 'Ó',
  U: 'Ú',
  Y: 'Ý',
}; // prettier-ignore

/** Placeholders with their forms; in texts of the manifest what a link leads to, and code. */
const KEPT = /\{\w+\}|\{\w+:|\(command:[^)]*\)|`[^`{]*`|\$\([\w-]+\)|#unstuck[^#]*#/g;

/** A text of a bundle in it. Of forms each has its accents; the marks stand around the whole. */
export function pseudo(text: string): string {
  let said = '';
  let from = 0;
  for (const kept of text.matchAll(KEPT)) {
    said += accented(text.slice(from, kept.index)) + kept[0];
    from = kept.index + kept[0].length;
  }
  said += accented(text.slice(from));
  return `${OPEN}${said}${'·'.repeat(Math.ceil(text.replaceAll(KEPT, '').length * 0.3))}${CLOSE}`;
}

function accented(text: string): string {
  return text.replace(/[aceinouyACEINOUY]/g, (letter) => ACCENTS[letter] ?? letter);
}

/** A bundle in it, of one in English. A file of the walkthrough stays what it is. */
export function pseudoBundle(english: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(english).map(([key, text]) => [key, /^media\/\S+\.md$/.test(text) ? text : pseudo(text)]),
  );
}

/** What of a text stands outside of all marks, in pieces that have letters: texts that were forgotten, or that come from a transcript. */
export function unmarked(text: string): string[] {
  let depth = 0;
  let outside = '';
  for (const character of text) {
    if (character === OPEN) {
      depth++;
      outside += '\n';
    } else if (character === CLOSE) depth = Math.max(0, depth - 1);
    else if (depth === 0) outside += character;
  }
  return outside
    .split('\n')
    .map((piece) => piece.trim())
    .filter((piece) => /\p{L}/u.test(piece));
}
