import { remembered } from '../../util/remembered';

/** Operator between one simple command of a line and the next. `end`: it is the last. */
export type Joint = '&&' | '||' | ';' | '|' | '&' | 'end';

/** One simple command of a line: `FOO=1 npm test -- -u`. */
export interface SimpleCommand {
  /** Its words, without quotes around a whole word. */
  readonly words: readonly string[];
  /** True if it writes its output to a file. */
  readonly writes: boolean;
  /** True if it contains the output of another command (`$(…)`, backticks, `<(…)`). */
  readonly substitutes: boolean;
  readonly joint: Joint;
  /** Cached result of `unwrapped`. */
  unwrapped: Unwrapped | undefined;
}

/**
 * Groups: 1 the quote around the tag of a here-document, 2 the tag, 3 `<(`, 4 a redirection, 5 an operator, 6 a word. Numbered, since named groups
 * create an object for each token.
 */
const TOKEN =
  /<<-?\s*(["']?)(\w+)\1|([<>]\()|((?:\d|&)?>{1,2}(?:&\d|&-|\s*(?:"[^"]*"|'[^']*'|[^\s;&|<>]+))?)|(&&|\|\||[;|&\n])|(?<![^\s;&|])#[^\n]*|((?:"(?:\\[\s\S]|[^"\\])*"|'[^']*'|\\[\s\S]|[^\s;&|<>"'\\])+)|[ \t]+|[\s\S]/y;
const HARMLESS = />{1,2}(?:&\d|&-|\s*(?:\/dev\/(?:null|stderr|stdout)|NUL|\$null))$/i;

/**
 * Splits a shell line into its simple commands, in order: at `&&`, `||`, `;`, `|`, `&` and line ends outside of quotes. Leaves out comments and the
 * bodies of here-documents. Good enough to name what runs, but not a full shell parser.
 */
export function segmentsOf(text: string): readonly SimpleCommand[] {
  if (text.length <= LONGEST) return recent(text);
  if (newest?.text !== text) newest = { text, segments: split(text) };
  return newest.segments;
}

/** Of longer lines, usually with a here-document, only the newest is remembered: comparing it is faster than hashing it. Characters. */
const LONGEST = 400;
let newest: { readonly text: string; readonly segments: readonly SimpleCommand[] } | undefined;
/** Remembers lines: the reader of a transcript parses the same line first, then the code that judges the step. */
const recent = remembered(split, { most: 256, longest: LONGEST });

function split(text: string): readonly SimpleCommand[] {
  const token = TOKEN;
  token.lastIndex = 0;
  const segments: SimpleCommand[] = [];
  let words: string[] = [];
  let writes = false;
  let substitutes = false;
  const close = (joint: Joint): void => {
    if (words.length > 0 || writes) segments.push({ words, writes, substitutes, joint, unwrapped: undefined });
    words = [];
    writes = false;
    substitutes = false;
  };
  const tags: string[] = [];
  while (token.lastIndex < text.length) {
    const found = token.exec(text);
    if (!found) break;
    const [, , tag, into, out, operator, word] = found;
    if (tag !== undefined) tags.push(tag);
    else if (into !== undefined) substitutes = true;
    else if (out !== undefined) writes ||= !HARMLESS.test(out);
    else if (word !== undefined) {
      // Most words are plain, so each pattern is tried only on a word that can match it.
      const first = word.charAt(0);
      if (!substitutes && first !== "'" && (word.includes('$(') || word.includes('`')))
        substitutes = /\$\((?!\()|`/.test(word);
      if (first === '"' || first === "'") words.push(word.replace(/^(["'])([\s\S]*)\1$/, '$2'));
      else if (first !== '\\' || !/^(?:\\\r?\n|\\\r)$/.test(word)) words.push(word);
    } else if (operator !== undefined) {
      close(operator === '\n' ? ';' : (operator as Joint));
      if (operator === '\n' && tags.length > 0) {
        token.lastIndex = skipHereDocuments(text, token.lastIndex, tags);
        tags.length = 0;
      }
    }
  }
  close('end');
  return segments;
}

function skipHereDocuments(text: string, from: number, tags: readonly string[]): number {
  let at = from;
  for (const tag of tags) {
    for (;;) {
      // Only a line that contains the tag can be the line that consists of the tag alone.
      const found = text.indexOf(tag, at);
      if (found < 0) return text.length;
      const start = Math.max(at, text.lastIndexOf('\n', found) + 1);
      const end = text.indexOf('\n', found);
      at = end < 0 ? text.length : end + 1;
      if (text.slice(start, end < 0 ? text.length : end).trim() === tag) break;
    }
  }
  return at;
}

/** A simple command without its wrappers. */
export interface Unwrapped {
  /** The words that count, with the program first. */
  readonly words: readonly string[];
  /** Seconds after which a `timeout` ends it; 0 where there is none. */
  readonly limit: number;
  /** True if keywords of a loop precede it. */
  readonly loop: boolean;
  /** A whole line for another shell: `bash -lc "npm test"`. */
  readonly line?: string;
}
