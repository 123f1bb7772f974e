/** Character range [start, end) of a text. */
export type TextRange = readonly [start: number, end: number];

/** Result of a rule at one place. */
export interface Sighting {
  readonly secret?: TextRange;
  /** Place before which this rule finds nothing more. */
  readonly next?: number;
}

/**
 * One form of a secret. Every form has a word by which it is found: all words are searched for at once, and a rule inspects only the places of its
 * own words. It may inspect no more than a few thousand characters there, so that the time grows only linearly with the length of the text.
 */
export interface SecretRule {
  readonly id: string;
  /** Lower case; matched in any case. */
  readonly words: readonly string[];
  look(text: string, at: number): Sighting | undefined;
}

export type Accept = (secret: string, groups: Readonly<Record<string, string | undefined>>) => boolean;

/** Makes a rule from a pattern that begins at one of the words. The secret is its group `secret` or `quoted`, or else the whole match. */
export function patternRule(id: string, words: readonly string[], pattern: RegExp, accept?: Accept): SecretRule {
  const sticky = stickyCopy(pattern);
  return {
    id,
    words,
    look(text, at) {
      sticky.lastIndex = at;
      const match = sticky.exec(text);
      const groups = match?.indices?.groups;
      const range = groups?.['quoted'] ?? groups?.['secret'] ?? match?.indices?.[0];
      if (!match || !range) return undefined;
      const secret = text.slice(range[0], range[1]);
      if (accept && !accept(secret, match.groups ?? {})) return undefined;
      return { secret: range };
    },
  };
}

export interface TokenOptions {
  readonly accept?: (token: string) => boolean;
  /** Number of characters of the token before its word. */
  readonly before?: number;
  /** True if the secret can only begin where a run of letters and digits begins. */
  readonly isWholeRun?: boolean;
}

/** Makes a rule for a token that is recognised by its form. It is a separate word, and whatever follows without a gap belongs to it. */
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
      if (range && isAccepted(text, range) && !isWithinBlob(text, at))
        return { secret: [range[0], endOfRun(text, range[1])] };
      return { next: range ? range[1] : isWholeRun ? endOfRun(text, at) : at };
    },
  };
}

function stickyCopy(pattern: RegExp): RegExp {
  return new RegExp(pattern.source, `${pattern.flags.replace(/[dgy]/g, '')}dy`);
}

/**
 * Returns whether a word can begin here: the character before is not part of one. The `n` of a written-out line feed, as in
 * JSON, does not count.
 */
export function beginsWord(text: string, at: number): boolean {
  if (at === 0 || !/[A-Za-z0-9]/.test(text.charAt(at - 1))) return true;
  return at > 1 && text.charAt(at - 2) === '\\' && /[nrtbf]/.test(text.charAt(at - 1));
}

/** True if the text before is part of base64: every long run of base64 contains three letters with a sign before them. */
function isWithinBlob(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 40), at);
  if (!/^[A-Za-z0-9_+/-]{39}[_+/-]$/.test(before)) return false;
  return /\d/.test(before) && (before.match(/[a-z][A-Z]|[A-Z][a-z]/g)?.length ?? 0) >= 4;
}

const RUN = /[A-Za-z0-9_-]{0,65536}/y;
function endOfRun(text: string, from: number): number {
  RUN.lastIndex = from;
  return from + (RUN.exec(text)?.[0].length ?? 0);
}

export const hasDigit = (text: string): boolean => /\d/.test(text);
export const hasDigitOrUpper = (text: string): boolean => /[\dA-Z]/.test(text);
