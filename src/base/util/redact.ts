import { findEscaped } from '../secrets/escaped';
import { findInPlain, joinedRanges } from '../secrets/find';
import type { MappedText } from '../secrets/mapped';
import { withoutMargins } from '../secrets/margins';
import { plainView } from '../secrets/plain-view';
import { findInRuns } from '../secrets/runs';
import type { TextRange } from '../secrets/rule';
import { nameKind } from '../secrets/secret-name';
import { findWrapped } from '../secrets/wrapped';
import { betweenFences } from './fences';
import { cleanLine, cleanText, withoutEscapes } from './showable';

export type { TextRange };

/** Text in place of a secret. */
export const REDACTED = '[redacted]';

/**
 * Finds secrets in a text: tokens of services, private keys, passwords in URLs and commands, values assigned to names such as TOKEN or PASSWORD,
 * hashes of passwords. The ranges are ascending and do not overlap. It knows forms, not meanings: a password within a sentence is not found.
 *
 * It sees through escape sequences and invisible characters: a key that they colour or break is found, including them. The same applies to line ends,
 * escapes (`%3D`, `&#x3D;`, `\u003d`) and base64. No secret crosses the line of a fence: removing it would remove the fence, and quoted text would
 * appear among Unstuck's own words.
 */
export function findSecrets(text: string): readonly TextRange[] {
  if (text.length < SHORTEST) return [];
  if (!text.includes('```')) return secretsIn(text, 0);
  return betweenFences(text).flatMap(([from, to]) =>
    secretsIn(text.slice(from, to), 0).map(([start, end]): TextRange => [from + start, from + end]),
  );
}

/** Shortest text that can hold a name and a value. Characters. */
const SHORTEST = 6;
/** Limit of nested decoding: a secret in base64 may in turn be percent-encoded, and so on. */
const DEEPEST_LOOK = 2;

function secretsIn(text: string, depth: number): readonly TextRange[] {
  const view = plainView(text);
  return view ? mapped(view, secretsInPlain(view.text, depth)) : secretsInPlain(text, depth);
}

function secretsInPlain(text: string, depth: number): readonly TextRange[] {
  const lines = depth === 0 ? withoutMargins(text) : undefined;
  if (!lines) return secretsInLines(text, depth);
  // A match for a margin may be the beginning of a token: `eyJ….NM4-0-…` begins like a line of `grep -C`.
  return joinedRanges([...mapped(lines, secretsInLines(lines.text, depth)), ...findInPlain(text)]);
}

const mapped = (view: MappedText, ranges: readonly TextRange[]): readonly TextRange[] =>
  ranges.map((range) => view.originalOf(range));

function secretsInLines(text: string, depth: number): readonly TextRange[] {
  const found = findInPlain(text);
  const decoded = depth < DEEPEST_LOOK ? (inner: string) => secretsIn(inner, depth + 1) : undefined;
  const runs = findInRuns(text, decoded);
  const wrapped = findWrapped(text, found, inJoinedLines);
  const escaped = decoded ? findEscaped(text, decoded) : [];
  if (runs.length + wrapped.length + escaped.length === 0) return found;
  return joinedRanges([...found, ...runs, ...wrapped, ...escaped]);
}

const inJoinedLines = (text: string): readonly TextRange[] => [...findInPlain(text), ...findInRuns(text)];

/** Limit of checks: removing a secret can join the text around it, so the result is checked again. Ordinary text needs one check. */
const MOST_LOOKS = 8;

/** Returns the text without its secrets, or the very same string if it holds none. Repeating it has no further effect. */
export function redact(text: string): string {
  let result = text;
  for (let look = 0; look < MOST_LOOKS; look++) {
    const secrets = findSecrets(result);
    if (secrets.length === 0) break;
    const next = replaced(result, secrets);
    if (next === result) break;
    result = next;
  }
  return result;
}

/**
 * The only way for foreign text to a person, an agent, a file or the clipboard: cleaned of escape sequences and hidden characters, then redacted,
 * then cut. In another order, a hidden character would hide a secret and be removed afterwards, or a cut would leave half of one.
 *
 * @param limit of the result in characters, the last of which is then an ellipsis; none where absent
 */
export function presentable(text: string, limit = Infinity): string {
  return cutTo(redact(cleanText(text)), limit);
}

/**
 * Does the same on one line. Redacts before the lines are joined, since a line end shows where a secret ends, and again afterwards, since removing
 * characters may join the parts of a secret.
 */
export function presentableLine(text: string, limit = Infinity): string {
  return cutTo(redact(cleanLine(redact(withoutEscapes(text)))).replace(/\s+/g, ' '), limit);
}

function cutTo(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Returns the text without its secrets, and the new positions of these ranges of it (ascending, not overlapping). */
export function redactWithRanges(
  text: string,
  ranges: readonly TextRange[],
): { text: string; ranges: readonly TextRange[] } {
  let result = { text, ranges };
  for (let look = 0; look < MOST_LOOKS; look++) {
    const secrets = findSecrets(result.text);
    if (secrets.length === 0) break;
    const next = replaced(result.text, secrets);
    if (next === result.text) break;
    result = {
      text: next,
      ranges: result.ranges
        .map(([start, end]): TextRange => [moved(start, secrets, false), moved(end, secrets, true)])
        .filter(([start, end]) => start < end),
    };
  }
  return result;
}

function moved(position: number, secrets: readonly TextRange[], isEnd: boolean): number {
  let shift = 0;
  for (const [start, end] of secrets) {
    if (position >= end) shift += REDACTED.length - (end - start);
    else if (position > start) return start + shift + (isEnd ? REDACTED.length : 0);
    else break;
  }
  return position + shift;
}

const SECRET_PROPERTY = /(?:authorization|cookie)$/i;
const DEEPEST = 16;

/** Copies a JSON-like value without the secrets in its strings and property names; anything deeper than 16 levels is left out. */
export function redactDeep(value: unknown): unknown {
  // The same names and paths recur in it.
  const known = new Map<string, string>();
  const once = (text: string): string => {
    const redacted = known.get(text) ?? redact(text);
    known.set(text, redacted);
    return redacted;
  };
  return redactAll(value, once, 0);
}

function redactAll(value: unknown, once: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return once(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return null;
  if (Array.isArray(value)) return value.map((item) => redactAll(item, once, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    const isSecret =
      typeof item === 'string' && item !== '' && (SECRET_PROPERTY.test(name) || nameKind(name) !== undefined);
    const redacted = isSecret ? REDACTED : redactAll(item, once, depth + 1);
    // Assigning `__proto__` would not make a property.
    if (name === '__proto__') Object.defineProperty(copy, name, { value: redacted, enumerable: true });
    else copy[once(name)] = redacted;
  }
  return copy;
}

function replaced(text: string, secrets: readonly TextRange[]): string {
  let result = '';
  let position = 0;
  for (const [start, end] of secrets) {
    result += text.slice(position, start) + REDACTED;
    position = end;
  }
  return result + text.slice(position);
}
