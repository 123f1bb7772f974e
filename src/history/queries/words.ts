/** Characters of a word, with combining accents: macOS writes `é` in a file name as two characters. */
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
const ASCII = /^[\w]+$/;
const PAIRED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const COMPOUND = /_|[a-z0-9][A-Z]/;
const COMPOUND_ANY = /_|[\p{Ll}\p{N}]\p{Lu}/u;
const SEAM = /_|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u;

/**
 * Returns the search words of a text: lower case, without accents; `repeating_action` and `readFile` also as their parts; Chinese and Japanese as
 * pairs.
 */
export function searchWords(text: string, most = 400): string[] {
  const words: string[] = [];
  for (const match of text.slice(0, 20_000).matchAll(WORD)) {
    if (words.length >= most) break;
    const raw = match[0];
    const isAscii = ASCII.test(raw);
    if (!isAscii && PAIRED.test(raw)) {
      pairs(raw, words);
      continue;
    }
    const whole = isAscii ? raw.toLowerCase() : fold(raw);
    if (whole !== '') words.push(stem(whole));
    if (!(isAscii ? COMPOUND : COMPOUND_ANY).test(raw)) continue;
    const parts = raw.split(SEAM).filter(Boolean);
    if (parts.length > 1) for (const part of parts) words.push(stem(fold(part)));
  }
  return words;
}

function pairs(text: string, words: string[]): void {
  const characters = Array.from(text);
  if (characters.length === 1) words.push(text);
  for (let i = 0; i + 1 < characters.length; i++) words.push(`${characters[i] ?? ''}${characters[i + 1] ?? ''}`);
}

function fold(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/** Stems well enough for English: `repeats`, `repeating` and `repeated` become the same. */
function stem(word: string): string {
  if (word.length > 5 && word.endsWith('ing')) return word.slice(0, -3);
  if (word.length > 4 && word.endsWith('ed')) return word.slice(0, -2);
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1);
  return word;
}
