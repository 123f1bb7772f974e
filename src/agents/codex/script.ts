/**
 * A call in a script. In code mode the model writes JavaScript for the single tool `exec`, and the script calls the real tools (`await
 * tools.exec_command({…})`).
 *
 * Scripts are never run: this reads which tools they call and with which arguments, as far as those are written as literals.
 */
export interface InnerCall {
  readonly name: string;
  /** Undefined if the arguments are computed. */
  readonly args: unknown;
}

const LONGEST_SCRIPT = 100_000;
const MOST_CALLS = 30;
const DEEPEST = 20;

/** Returns the calls of `tools.*` in the order of the text. Never throws. */
export function innerCalls(script: string): readonly InnerCall[] {
  const text = script.length > LONGEST_SCRIPT ? script.slice(0, LONGEST_SCRIPT) : script;
  const calls: InnerCall[] = [];
  const constants = new Map<string, unknown>();
  let at = 0;
  let before = '';
  while (at < text.length && calls.length < MOST_CALLS) {
    const sign = text[at] ?? '';
    const skipped = skipQuiet(text, at, before);
    if (skipped > at) {
      if (!/^\s|^\/[/*]/.test(text.slice(at, at + 2))) before = '"';
      at = skipped;
      continue;
    }
    const word = wordAt(text, at);
    if (word === '') {
      before = sign;
      at++;
      continue;
    }
    const end = at + word.length;
    if (word === 'tools' && before !== '.') {
      const call = /^\s*\.\s*([A-Za-z_$][\w$]*)\s*\(/.exec(text.slice(end, end + 200));
      if (call?.[1]) {
        const open = end + call[0].length;
        calls.push({ name: call[1], args: argumentAt(text, open, constants) });
        at = open;
        before = '(';
        continue;
      }
    } else if (word === 'const' || word === 'let' || word === 'var') {
      const made = /^\s+([A-Za-z_$][\w$]*)\s*=\s*/.exec(text.slice(end, end + 200));
      const value = made && literalAt(text, end + made[0].length, constants, 0);
      if (made?.[1] && value && /^\s*(?:;|\n|$)/.test(text.slice(value.end, value.end + 50))) {
        constants.set(made[1], value.value);
      }
    }
    before = word === 'return' ? '(' : 'a';
    at = end;
  }
  return calls;
}

/** Returns the end of the whitespace, comment, string or regular expression that begins here; `at` itself if none does. */
function skipQuiet(text: string, at: number, before: string): number {
  const sign = text[at];
  if (sign === ' ' || sign === '\n' || sign === '\t' || sign === '\r') return at + 1;
  if (sign === '"' || sign === "'" || sign === '`')
    return stringAt(text, at)?.end ?? (sign === '`' ? endOfTemplate(text, at, 0) : orEnd(text.indexOf('\n', at), text));
  if (sign !== '/') return at;
  if (text[at + 1] === '/') return orEnd(text.indexOf('\n', at), text);
  if (text[at + 1] === '*') return orEnd(text.indexOf('*/', at + 2) + 2, text, 2);
  if (!'(,=:[!&|?{};'.includes(before)) return at;
  const regex = /^\/(?:[^\\/\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/.exec(text.slice(at, at + 1000));
  return regex ? at + regex[0].length : at;
}

/** Returns the end of a template with computed values. */
function endOfTemplate(text: string, open: number, depth: number): number {
  let at = open + 1;
  while (at < text.length) {
    const sign = text[at];
    if (sign === '`') return at + 1;
    if (sign === '\\') at += 2;
    else if (sign === '$' && text[at + 1] === '{') at = endOfValue(text, at + 2, depth + 1);
    else at++;
  }
  return text.length;
}

function endOfValue(text: string, start: number, depth: number): number {
  if (depth > DEEPEST) return text.length;
  let braces = 1;
  let at = start;
  while (at < text.length) {
    const sign = text[at];
    if (sign === '`') at = endOfTemplate(text, at, depth);
    else if (sign === '"' || sign === "'") at = stringAt(text, at)?.end ?? at + 1;
    else {
      if (sign === '{') braces++;
      if (sign === '}' && --braces === 0) return at + 1;
      at++;
    }
  }
  return text.length;
}

function orEnd(found: number, text: string, least = 0): number {
  return found < least || found < 0 ? text.length : found;
}

function wordAt(text: string, at: number): string {
  return /^[A-Za-z_$][\w$]*/.exec(text.slice(at, at + 200))?.[0] ?? '';
}

function argumentAt(text: string, open: number, constants: ReadonlyMap<string, unknown>): unknown {
  const value = literalAt(text, open, constants, 0);
  if (!value) return /^\s*\)/.test(text.slice(open, open + 100)) ? {} : undefined;
  return /^\s*[,)]/.test(text.slice(value.end, value.end + 100)) ? value.value : undefined;
}

interface Literal {
  readonly value: unknown;
  readonly end: number;
}

function literalAt(
  text: string,
  start: number,
  constants: ReadonlyMap<string, unknown>,
  depth: number,
): Literal | undefined {
  if (depth > DEEPEST) return undefined;
  const at = skipSpace(text, start);
  const sign = text[at];
  if (sign === '{') return objectAt(text, at, constants, depth);
  if (sign === '[') return listAt(text, at, constants, depth);
  if (sign === '"' || sign === "'" || sign === '`') return joined(text, stringAt(text, at));
  const number = /^-?\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?/.exec(text.slice(at, at + 40));
  if (number) return { value: Number(number[0].replaceAll('_', '')), end: at + number[0].length };
  const word = wordAt(text, at);
  const end = at + word.length;
  if (word === 'true' || word === 'false') return { value: word === 'true', end };
  if (word === 'null' || word === 'undefined') return { value: null, end };
  if (word === 'String' && text.startsWith('.raw`', end)) return stringAt(text, end + 4, true);
  if (word !== '' && constants.has(word) && !/^\s*[.([+]/.test(text.slice(end, end + 20)))
    return { value: constants.get(word), end };
  return undefined;
}

function objectAt(
  text: string,
  open: number,
  constants: ReadonlyMap<string, unknown>,
  depth: number,
): Literal | undefined {
  const record: Record<string, unknown> = {};
  let at = skipSpace(text, open + 1);
  while (text[at] !== '}') {
    const quoted = text[at] === '"' || text[at] === "'" ? stringAt(text, at) : undefined;
    const name = quoted ? String(quoted.value) : wordAt(text, at);
    if (name === '' || name === '__proto__') return undefined;
    at = skipSpace(text, quoted ? quoted.end : at + name.length);
    if (text[at] === ':') {
      const value = literalAt(text, at + 1, constants, depth + 1);
      if (!value) return undefined;
      record[name] = value.value;
      at = skipSpace(text, value.end);
    } else if (!quoted && constants.has(name)) {
      record[name] = constants.get(name);
    } else return undefined;
    if (text[at] === ',') at = skipSpace(text, at + 1);
    else if (text[at] !== '}') return undefined;
  }
  return { value: record, end: at + 1 };
}

function listAt(
  text: string,
  open: number,
  constants: ReadonlyMap<string, unknown>,
  depth: number,
): Literal | undefined {
  const list: unknown[] = [];
  let at = skipSpace(text, open + 1);
  while (text[at] !== ']') {
    const value = literalAt(text, at, constants, depth + 1);
    if (!value) return undefined;
    list.push(value.value);
    at = skipSpace(text, value.end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
    else if (text[at] !== ']') return undefined;
  }
  return { value: list, end: at + 1 };
}

/** Joins concatenated strings: `"a" + "b"` is one. */
function joined(text: string, first: Literal | undefined): Literal | undefined {
  let result = first;
  while (result) {
    const plus = skipSpace(text, result.end);
    if (text[plus] !== '+') return result;
    const at = skipSpace(text, plus + 1);
    if (!'"\'`'.includes(text[at] ?? ' ')) return undefined;
    const next = stringAt(text, at);
    result = next && { value: String(result.value) + String(next.value), end: next.end };
  }
  return undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0' };

/** Reads a string; undefined if it does not end, or contains a computed value. */
function stringAt(text: string, open: number, raw = false): Literal | undefined {
  const quote = text[open];
  let value = '';
  let from = open + 1;
  for (let at = from; at < text.length; at++) {
    const sign = text[at];
    if (sign === quote) return { value: value + text.slice(from, at), end: at + 1 };
    if (sign === '$' && quote === '`' && text[at + 1] === '{') return undefined;
    if (sign === '\n' && quote !== '`') return undefined;
    if (sign !== '\\') continue;
    if (raw) {
      at++;
      continue;
    }
    value += text.slice(from, at);
    const code = /^(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]{1,6})\})/.exec(text.slice(at + 1, at + 12));
    const point = code && Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16);
    if (code && typeof point === 'number' && point <= 0x10ffff) {
      value += String.fromCodePoint(point);
      at += code[0].length;
    } else {
      const next = text[at + 1] ?? '';
      if (next !== '\n') value += ESCAPES[next] ?? next;
      at++;
    }
    from = at + 1;
  }
  return undefined;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  for (;;) {
    const sign = text[at];
    if (sign === ' ' || sign === '\n' || sign === '\t' || sign === '\r') at++;
    else if (sign === '/' && text[at + 1] === '/') at = orEnd(text.indexOf('\n', at), text);
    else if (sign === '/' && text[at + 1] === '*') at = orEnd(text.indexOf('*/', at + 2) + 2, text, 2);
    else return at;
  }
}
