/** Character range [start, end) of a text. */
export type TextRange = readonly [start: number, end: number];

/** What a rule says about one place. */
export interface Sighting {
  readonly secret?: TextRange;
  /** Nothing of this rule begins before this place. */
  readonly next?: number;
}

/**
 * One form of a secret. Every form has a word by which it is found: all words are looked for at once, and a rule looks only where one of
 * its words stands. It may look at no more than some thousand characters there, so that the time for a text grows with its length only.
 */
export interface SecretRule {
  readonly id: string;
  /** Lower case; found whatever the case. */
  readonly words: readonly string[];
  look(text: string, at: number): Sighting | undefined;
}

export type Accept = (secret: string, groups: Readonly<Record<string, string | undefined>>) => boolean;

/** A rule by a pattern that begins at one of the words. The secret is its group `secret`, or all of it. */
export function patternRule(id: string, words: readonly string[], pattern: RegExp, accept?: Accept): SecretRule {
  const sticky = stickyCopy(pattern);
  return {
    id,
    words,
    look(text, at) {
      sticky.lastIndex = at;
      const match = sticky.exec(text);
      const range = match?.indices?.groups?.['secret'] ?? match?.indices?.[0];
      if (!match || !range) return undefined;
      const secret = match.groups?.['secret'] ?? match[0];
      if (accept && !accept(secret, match.groups ?? {})) return undefined;
      return { secret: [range[0], endBehindBreak(text, range[1])] };
    },
  };
}

export interface TokenOptions {
  readonly accept?: (token: string) => boolean;
  /** The token begins so many characters before its word. */
  readonly before?: number;
  /** Where it is not at the beginning of a run of letters and digits, it is nowhere in it. */
  readonly isWholeRun?: boolean;
}

/**
 * A rule for a token that says by its form what it is. It stands as a word of its own, it may be broken by the end of a line, and what
 * follows without a gap belongs to it.
 */
export function tokenRule(
  id: string,
  words: readonly string[],
  pattern: RegExp,
  options: TokenOptions = {},
): SecretRule {
  const { accept, before = 0, isWholeRun = false } = options;
  const sticky = stickyCopy(pattern);
  const rangeIn = (text: string, at: number): TextRange | undefined => {
    sticky.lastIndex = at;
    const match = sticky.exec(text);
    if (!match) return undefined;
    const group = match.findIndex((text, index) => index > 0 && text !== undefined && text !== '');
    return match.indices?.[Math.max(group, 0)];
  };
  const isAccepted = (text: string, [start, end]: TextRange) => !accept || accept(text.slice(start, end));
  return {
    id,
    words,
    look(text, word) {
      const at = word - before;
      if (at < 0 || !beginsWord(text, at)) return undefined;
      const range = rangeIn(text, at);
      if (range && isAccepted(text, range)) {
        const end = endOfRun(text, range[1]);
        return { secret: [range[0], endBehindBreak(text, end)] };
      }
      const next = range ? range[1] : isWholeRun ? endOfRun(text, at) : at;
      const broken = acrossBreak(text, at);
      if (!broken) return { next };
      const joined = rangeIn(broken.text, 0);
      if (!joined || joined[1] <= broken.first || !isAccepted(broken.text, joined)) return { next };
      const rest = broken.text.slice(broken.first, joined[1]);
      return /\d|[A-Z]/.test(rest) ? { secret: [at + joined[0], joined[1] + broken.shift] } : { next };
    },
  };
}

function stickyCopy(pattern: RegExp): RegExp {
  return new RegExp(pattern.source, `${pattern.flags.replace(/[dgy]/g, '')}dy`);
}

/** Is the character before this place none of a longer word? The `n` of a written out line feed, as in JSON, is none. */
export function beginsWord(text: string, at: number): boolean {
  if (at === 0 || !/[A-Za-z0-9]/.test(text.charAt(at - 1))) return true;
  return at > 1 && text.charAt(at - 2) === '\\' && /[nrtbf]/.test(text.charAt(at - 1));
}

const RUN = /[A-Za-z0-9_-]{0,65536}/y;
const HEAD = /[A-Za-z0-9_.+/=:-]{1,65536}/y;
const LONGEST_HEAD = 512;
/** The last run that was asked for: all tokens that may begin in it end with it. */
let head = { text: '', start: 0, end: 0 };

function endOfRun(text: string, from: number): number {
  RUN.lastIndex = from;
  return from + (RUN.exec(text)?.[0].length ?? 0);
}

const BREAK = /[ \t]{0,4}\\?(?:\r?\n|\\{1,4}r?\\{0,4}n|\\{1,4}n)[ \t]{0,40}/y;
/** No name of the next line: what stands before `=`, `:` or a dot. */
const REST = /[A-Za-z0-9+/_-]{6,2048}={0,2}(?![A-Za-z0-9=:.])/y;
const SHORTEST_LINE = 16;

/** A secret that fills its line to the end may go on in the next one: where that begins with a run of letters and digits, it does. */
export function endBehindBreak(text: string, end: number): number {
  BREAK.lastIndex = end;
  const gap = BREAK.exec(text);
  if (!gap) return end;
  REST.lastIndex = end + gap[0].length;
  const rest = REST.exec(text)?.[0] ?? '';
  const isToken =
    rest.length >= SHORTEST_LINE / 2 && /\d/.test(rest) && /[A-Za-z]/.test(rest) && !/^[\d-]{8,10}T?/.test(rest);
  return isToken ? end + gap[0].length + rest.length : end;
}

/** The text from here with the first end of a line taken out, where only characters of a token come before it. */
function acrossBreak(text: string, at: number): { text: string; first: number; shift: number } | undefined {
  if (head.text !== text || at < head.start || at >= head.end) {
    HEAD.lastIndex = at;
    head = { text, start: at, end: at + (HEAD.exec(text)?.[0].length ?? 0) };
  }
  const { end } = head;
  if (end - at > LONGEST_HEAD) return undefined;
  const letter = text.charAt(end);
  if (letter !== '\n' && letter !== '\r' && letter !== '\\' && letter !== ' ') return undefined;
  BREAK.lastIndex = end;
  const gap = BREAK.exec(text);
  if (!gap) return undefined;
  const begin = end + gap[0].length;
  return { text: text.slice(at, end) + text.slice(begin, begin + 512), first: end - at, shift: begin - (end - at) };
}

export const hasDigit = (text: string): boolean => /\d/.test(text);
export const hasDigitOrUpper = (text: string): boolean => /[\dA-Z]/.test(text);

/** Stands for a secret but is none: a variable, a template, stars, a word of the language, what was redacted before. */
export function isPlaceholder(text: string): boolean {
  return (
    text.startsWith('[redacted]') ||
    /^(?:\*+|x{3,}|X{3,}|\.{2,}|…|-+|_+)$/.test(text) ||
    /^(?:<|\$\{|\$\(|\$[A-Za-z_]\w*$|\{\{|%[A-Z_]+%$|%\()/.test(text) ||
    /^(?:null|undefined|none|nil|true|false|string|str|number|int|integer|boolean|bool|bytes?|any|unknown|object|text|varchar|required|optional|empty|redacted|hidden|masked|changeme)(?:\[\]|[?!])?[,;)\]}?]*$/i.test(
      text,
    )
  );
}
