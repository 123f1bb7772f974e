import { SECRET_PATTERNS } from './secret-patterns';

/** What stands where a secret was. */
export const REDACTED = '[redacted]';

/** Character range [start, end) of a text. */
export type TextRange = readonly [start: number, end: number];

/**
 * Where secrets lie in a text: API keys, tokens, private key blocks, passwords in URLs, values assigned to names such as TOKEN or PASSWORD,
 * JSON Web Tokens. Ascending, not overlapping. It knows forms, not meanings: a password within a sentence is not found.
 */
export function findSecrets(text: string): TextRange[] {
  const found: TextRange[] = [];
  if (text.includes('PRIVATE KEY')) findPrivateKeys(text, found);
  for (const { pattern, accept } of SECRET_PATTERNS) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const range = match.indices?.groups?.['secret'];
      const groups = match.groups ?? {};
      const secret = groups['secret'];
      if (!range || secret === undefined) continue;
      if (!accept || accept(secret, groups, match)) found.push(range);
      // A refused match may hide one that begins within it: `token: token=abc123`.
      else pattern.lastIndex = Math.max(match.index + 1, Math.min(range[0], pattern.lastIndex));
    }
  }
  return joined(found);
}

/** What is taken out can bring together what lay around it, so it is looked at again; ordinary text needs one look. */
const MOST_LOOKS = 8;

/** The text without its secrets; the very same string when it holds none. Doing it twice changes nothing more. */
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

/** The text without its secrets, and where these ranges of it (ascending, not overlapping) have moved to. */
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

const SECRET_PROPERTY =
  /(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|authorization|credentials?|cookie)$/i;
const DEEPEST = 16;

/** A copy of a JSON-like value without secrets in its strings and property names; what lies deeper than 16 levels is left out. */
export function redactDeep(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return null;
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    const isSecret = typeof item === 'string' && item !== '' && SECRET_PROPERTY.test(name);
    Object.defineProperty(copy, redact(name), {
      value: isSecret ? REDACTED : redactDeep(item, depth + 1),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}

const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const LONGEST_KEY = 32_768;
/** Lines of base64 after a beginning whose end was cut off; `\n` may be written out, as in JSON. */
const KEY_BODY = /(?:(?:\s|\\[nr]|["',>|]){1,12}[A-Za-z0-9+/=]{16,})*/y;

function findPrivateKeys(text: string, found: TextRange[]): void {
  KEY_END.lastIndex = 0;
  let end = KEY_END.exec(text);
  for (const begin of text.matchAll(KEY_BEGIN)) {
    const bodyStart = begin.index + begin[0].length;
    // Once an end is found it serves all beginnings before it, and once there is none there is none for the rest.
    if (end !== null && end.index < bodyStart) {
      KEY_END.lastIndex = bodyStart;
      end = KEY_END.exec(text);
    }
    if (end !== null && end.index - bodyStart <= LONGEST_KEY) {
      found.push([begin.index, end.index + end[0].length]);
      continue;
    }
    KEY_BODY.lastIndex = bodyStart;
    const body = KEY_BODY.exec(text)?.[0] ?? '';
    if (body !== '') found.push([begin.index, bodyStart + body.length]);
  }
  KEY_END.lastIndex = 0;
  for (const last of text.matchAll(KEY_END)) {
    const start = startOfHeadlessKey(text, last.index);
    if (start < last.index) found.push([start, last.index + last[0].length]);
  }
}

/** A snippet may begin within a key: walks back from its end over lines of base64, of which only the last may be short. */
function startOfHeadlessKey(text: string, end: number): number {
  let start = end;
  for (let line = 0; end - start < LONGEST_KEY; line++) {
    let lineEnd = start;
    while (lineEnd > 0 && /[\s\\]/.test(text.charAt(lineEnd - 1))) lineEnd--;
    // A line feed that is written out, as in JSON.
    if (/\\[nr]$/.test(text.slice(Math.max(0, start - 2), start))) lineEnd = start - 2;
    let lineStart = lineEnd;
    while (lineStart > 0 && end - lineStart < LONGEST_KEY && /[A-Za-z0-9+/=]/.test(text.charAt(lineStart - 1)))
      lineStart--;
    // The `n` of a written out line feed before it is not its first letter.
    if (text.charAt(lineStart - 1) === '\\' && /[nr]/.test(text.charAt(lineStart))) lineStart++;
    const length = lineEnd - lineStart;
    if (length < 16 && (line > 0 || length === 0)) break;
    start = lineStart;
  }
  // One short word before the end mark is no key.
  return end - start > 16 ? start : end;
}

function joined(ranges: TextRange[]): TextRange[] {
  if (ranges.length < 2) return ranges;
  ranges.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const result: TextRange[] = [];
  for (const range of ranges) {
    const last = result.at(-1);
    if (last && range[0] <= last[1]) result[result.length - 1] = [last[0], Math.max(last[1], range[1])];
    else result.push(range);
  }
  return result;
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
