import { whole } from '../../base/util/counts';
import { capitalised } from './format';

/** A piece of a sentence: plain, strong, or code, which is shown in the editor's font. Never markup. */
export interface Part {
  readonly text: string;
  readonly code?: true;
  readonly strong?: true;
}

/** A sentence made of such pieces. */
export type Sentence = readonly Part[];

/** Makes a piece of code for `say`. */
export function code(text: string): Part {
  return { text, code: true };
}

/** Makes a piece that stands out, such as a title within a sentence. */
export function strong(text: string): Part {
  return { text, strong: true };
}

/** Builds a sentence: say`${code('pytest -q')} ran ${6} times.` Numbers are written as whole counts. */
export function say(
  strings: TemplateStringsArray,
  ...values: readonly (string | number | Part | Sentence)[]
): Sentence {
  const parts: Part[] = [];
  for (const [index, text] of strings.entries()) {
    add(parts, { text });
    const value = values[index];
    if (value === undefined) continue;
    if (typeof value === 'string') add(parts, { text: value });
    else if (typeof value === 'number') add(parts, { text: whole(value) });
    else if (isSentence(value)) for (const part of value) add(parts, part);
    else add(parts, value);
  }
  return parts;
}

/** Joins sentences with one blank between them; skips empty ones. */
export function join(...sentences: readonly Sentence[]): Sentence {
  return sentences
    .filter((sentence) => sentence.length > 0)
    .reduce((all, next) => (all.length ? say`${all} ${next}` : next), []);
}

/** Splits a text with code between back quotes, as the detectors write it. A single back quote is kept. */
export function withCode(text: string): Sentence {
  const parts: Part[] = [];
  let from = 0;
  for (const found of text.matchAll(/`([^`]+)`/g)) {
    add(parts, { text: text.slice(from, found.index) });
    add(parts, code(found[1] ?? ''));
    from = found.index + found[0].length;
  }
  add(parts, { text: text.slice(from) });
  return parts;
}

/** Starts the sentence with a capital, unless it starts with code. */
export function capital(sentence: Sentence): Sentence {
  const [first, ...rest] = sentence;
  if (!first || !isPlain(first)) return sentence;
  return [{ text: capitalised(first.text) }, ...rest];
}

/** Returns the sentence as plain text, for trees, notifications and screen readers. */
export function plain(sentence: Sentence): string {
  return sentence.map((part) => part.text).join('');
}

function add(parts: Part[], part: Part): void {
  const last = parts.at(-1);
  if (part.text === '') return;
  if (last && isPlain(last) && isPlain(part)) parts[parts.length - 1] = { text: last.text + part.text };
  else parts.push(part);
}

function isPlain(part: Part): boolean {
  return !part.code && !part.strong;
}

function isSentence(value: Part | Sentence): value is Sentence {
  return Array.isArray(value);
}
