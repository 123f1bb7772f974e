import { isCredentialPair } from './introduced';
import { type SecretRule, endBehindBreak, hasDigit, isPlaceholder } from './rule';
import { type NameKind, isUpperName, nameKind } from './secret-name';

const WORDS = [
  'key',
  'token',
  'secret',
  'pass',
  'pwd',
  'psk',
  'auth',
  'cred',
  'mnemonic',
  'phrase',
  'jwt',
  'otp',
  '_pat',
  '_pw',
  'cookie',
  'bearer',
];
const NAME_BEFORE = 64;
const NAME_BEHIND = 64;
const LONGEST_VALUE = 256;
const LONGEST_QUOTED = 32_768;

/** NAME=value, NAME: value, "name": "value", <name>value</name>, define('NAME', 'value'): the name gives the secret away. */
export const ASSIGNED: SecretRule = {
  id: 'assigned',
  words: WORDS,
  look(text, at) {
    const name = nameAt(text, at);
    const next = name.end;
    const kind = kindOf(text, name);
    if (kind === undefined) return { next };
    const value = valueBehind(text, name);
    if (!value) return { next };
    if (!isSecret(name.text, kind, value, text)) return { next };
    return { secret: [value.start, endOfWhole(text, value)], next };
  },
};

/** The end of a value of which only the beginning was looked at. */
function endOfWhole(text: string, { start, end, quote }: Value): number {
  if (quote !== undefined && !text.startsWith(quote, end)) {
    // The quote stands in the next line: the end of the line came in between.
    const rest = exec(NEXT_LINE, text, end)?.[0] ?? '';
    const close = rest === '' ? -1 : text.slice(end, end + LONGEST_VALUE).indexOf(quote, rest.length);
    if (close > 0 && !/\s/.test(text.slice(end + rest.length, end + close))) return end + close;
  }
  if (end - start < LONGEST_VALUE) return quote === undefined ? endBehindBreak(text, end) : end;
  if (quote !== undefined) return endOfQuoted(text, start, quote, LONGEST_QUOTED);
  return end + (exec(MORE, text, end)?.[0].length ?? 0);
}

interface Name {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface Value {
  readonly start: number;
  readonly end: number;
  readonly how: 'quoted' | 'bare' | 'element' | 'lines';
  /** `=`, `:` or nothing, with the blanks around it. */
  readonly separator: string;
  readonly quote?: string;
}

function nameAt(text: string, at: number): Name {
  let start = at;
  while (start > 0 && at - start < NAME_BEFORE && isNameCharacter(text.charCodeAt(start - 1))) start--;
  let end = at;
  while (end < text.length && end - at < NAME_BEHIND && isNameCharacter(text.charCodeAt(end))) end++;
  return { text: text.slice(start, end), start, end };
}

/** ASCII letters, digits, `_` and `-`. */
function isNameCharacter(code: number): boolean {
  const letter = code | 0x20;
  return (letter >= 97 && letter <= 122) || (code >= 48 && code <= 57) || code === 95 || code === 45;
}

function kindOf(text: string, { text: name, start }: Name): NameKind | undefined {
  const own = isUpperName(name) ? 'token' : nameKind(name);
  if (own !== undefined) return isUpperName(name) ? (nameKind(name) ?? own) : own;
  // The first letter may belong to a line feed that is written out, as in JSON.
  if (text.charAt(start - 1) !== '\\' || !/^[nrtbf]/.test(name)) return undefined;
  const rest = name.slice(1);
  return nameKind(rest) ?? (isUpperName(rest) ? 'token' : undefined);
}

const SEPARATOR = /(?<separator>\\{0,16}["'`]?\]?[ \t]{0,40}(?::=|=>|\?=|=(?!=)|:(?!:))[ \t]{0,4})/y;
/** `password: string = "…"` */
const TYPED = /[ \t]{0,4}:[ \t]{0,2}[A-Za-z][\w.<>[\]| ]{0,30}?(?<separator>=[ \t]{0,4})(?=\\{0,16}["'`])/y;
/** `"name": "PASSWORD", "value": "…"`, and the same in YAML, XML and HTML. */
const BESIDE =
  /\\{0,16}["']?,?(?:[ \t]{0,20}|(?:\r?\n|\\{1,4}n)[ \t]{0,40})\\{0,16}["']?value(?<separator>\\{0,16}["']?[ \t]{0,4}[:=][ \t]{0,4})/iy;
/** `define('PASSWORD', '…')` */
const ARGUMENT = /\\{0,16}["'](?<separator>[ \t]{0,4},[ \t]{0,4})(?=\\{0,16}["'])/y;
const CALLS =
  /(?:define|setenv|putenv|set\w{0,20}|append|put|add\w{0,12}|header\w{0,6}|attr|property|environ|config\w{0,6}|secret\w{0,12})\(\s{0,8}\\{0,16}["'](?:[\w.-]{0,40}\.)?$/i;
const ELEMENT =
  /(?<separator>(?:\s[^<>\n]{0,200})?>\s{0,1024})(?:<!\[CDATA\[\s{0,1024})?(?<value>[^<>\s][^<>\r\n]{0,1023}?)(?=\s{0,20}(?:<|\]\]>|$|[\r\n]|\\n))/y;
/** `setx TOKEN …`, `set -x TOKEN …`, `config set password …` */
const SET =
  /(?:setx|setenv|(?:config|secrets?|env)[ \t]{1,4}(?:set|put|add)|set[ \t]{1,4}-[a-zA-Z]{1,3})[ \t]{1,4}(?:-{1,2}\S{1,20}[ \t]{1,4}){0,2}["']?(?:\S{0,60}[.:/])?$/;
const BLANK = /(?<separator>["']?[ \t]{1,4})(?=[^\s=:|&;-])/y;

function valueBehind(text: string, name: Name): Value | undefined {
  const before = text.slice(Math.max(0, name.start - 90), name.start);
  const separators: readonly (readonly [RegExp, boolean])[] = [
    [TYPED, true],
    [SEPARATOR, true],
    [BESIDE, true],
    [ARGUMENT, CALLS.test(before)],
    [BLANK, SET.test(before)],
  ];
  if (/<(?:[\w-]{1,40}:)?$/.test(before)) {
    const element = exec(ELEMENT, text, name.end);
    const range = element?.indices?.groups?.['value'];
    if (element && range) return { start: range[0], end: range[1], how: 'element', separator: '=' };
  }
  for (const [pattern, applies] of separators) {
    if (!applies) continue;
    const match = exec(pattern, text, name.end);
    if (!match) continue;
    const separator = match.groups?.['separator'] ?? '';
    return valueAt(text, name.end + match[0].length, separator);
  }
  return undefined;
}

const OPENING = /(?<quote>\\{0,16}["'`]{1,3})/y;
const MORE = /[A-Za-z0-9+/=_.-]{0,32768}/y;
const BARE = /[^\s"'\\`;&|<>]{1,256}/y;
/** A block of YAML, whose lines are indented. */
const BLOCK =
  /[|>][-+]?\d?[ \t]{0,8}(?:#[^\r\n]{0,80})?(?<lines>(?:(?:\r?\n|\\{1,4}n)[ \t]{1,40}[^\r\n\\]{1,1024}){1,64})/y;
/** A value that stands in the next line, further in. */
const NEXT_LINE = /\\?(?:\r?\n|\\{1,4}n)[ \t]{0,40}(?=[^\s#-])/y;

function valueAt(text: string, at: number, separator: string): Value | undefined {
  const block = exec(BLOCK, text, at)?.indices?.groups?.['lines'];
  if (block) {
    const lines = text.slice(block[0], block[1]);
    const gap = /^(?:\r?\n|\\{1,4}n)[ \t]{0,40}/.exec(lines)?.[0].length ?? 0;
    return { start: block[0] + gap, end: block[1], how: 'lines', separator };
  }
  const gap = exec(NEXT_LINE, text, at)?.[0].length ?? 0;
  const begin = at + gap;
  const quote = exec(OPENING, text, begin)?.[0];
  if (quote !== undefined) {
    const start = begin + quote.length;
    const end = endOfQuoted(text, start, quote, LONGEST_VALUE);
    return end > start ? { start, end, how: 'quoted', separator, quote } : undefined;
  }
  const bare = exec(BARE, text, begin);
  if (!bare) return undefined;
  return { start: begin, end: begin + bare[0].length, how: gap > 0 ? 'lines' : 'bare', separator };
}

const LINE_FEED = 10;
const RETURN = 13;
const BACKSLASH = 92;

/** The end of a quoted value: the same quote, or the end of the line where it was cut off. */
function endOfQuoted(text: string, start: number, quote: string, longest: number): number {
  const slashes = quote.length - quote.replace(/^\\+/, '').length;
  const mark = quote.slice(slashes);
  const first = quote.charCodeAt(0);
  const limit = Math.min(text.length, start + longest);
  for (let index = start; index < limit; index++) {
    const letter = text.charCodeAt(index);
    if (letter === LINE_FEED || letter === RETURN) {
      if (mark.length < 3) return index;
    } else if (slashes === 0 && letter === BACKSLASH) index++;
    else if (letter === first && text.startsWith(quote, index)) return index;
  }
  return limit;
}

function exec(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  const sticky = stickies.get(pattern) ?? new RegExp(pattern.source, `${pattern.flags.replace('d', '')}d`);
  stickies.set(pattern, sticky);
  sticky.lastIndex = at;
  return sticky.exec(text);
}
const stickies = new Map<RegExp, RegExp>();

function isSecret(name: string, kind: NameKind, value: Value, text: string): boolean {
  const secret = text.slice(value.start, value.end);
  const quoted = value.how === 'quoted';
  if (isPlaceholder(secret.trim())) return false;
  const lower = name.toLowerCase();
  // KEY="DB_PASSWORD" VALUE="…": the name of the secret, which comes behind it.
  if (lower === 'key' && nameKind(secret) !== undefined) return false;
  if (lower.endsWith('auth') && !lower.endsWith('_auth')) return quoted && isCredentialPair(secret);

  if (isUpperName(name)) {
    // TOKEN_LIMIT=200000 counts tokens.
    if (
      !/(?:KEY|PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|TOKEN|SECRET|PAT|CREDENTIALS?)$/.test(name) &&
      /^\d{1,7}\W*$/.test(secret)
    )
      return false;
    // CHARACTERS_A_TOKEN = 4
    if (kind === 'token' && /^\d{1,7}\W*$/.test(secret)) return false;
    if (/_(?:FILE|PATH|DIR|URL|URI|LIMIT|LENGTH|TYPE|NAME|COUNT|EXPIRY|TTL)$/.test(name)) return false;
    if (
      quoted ||
      value.how === 'element' ||
      value.how === 'lines' ||
      value.separator.includes('=') ||
      value.separator.trim() === ''
    )
      return true;
    return isYamlPassword(kind, value, text) || (secret.length >= 6 && /[\d!@#$%^*+/=~]/.test(secret));
  }

  // What follows is a call, an index, a path of names, or the same word again: code, not a secret.
  if (!quoted && value.how !== 'element') {
    if (/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*[([]/.test(secret)) return false;
    if (
      /^(?:self|this|args|argv|os|process|config|settings|env|options|opts|params|request|req|res|user|form|data|cfg|ctx|props|state|input|body|values|event|session|store|import|secrets|vars|var|local|module)\b[.?[]/.test(
        secret,
      )
    )
      return false;
    if (/^[{([]/.test(secret)) return false;
  }
  const core = secret.replace(/[,;)\]}]{1,64}$/, '');
  const word = /(?:password|passwd|passphrase|token|secret|key|pwd|pass)$/.exec(lower)?.[0] ?? lower;
  if (/^[A-Za-z_$][\w$.]*$/.test(core) && !hasDigit(core) && core.toLowerCase().endsWith(word)) return false;
  // A sentence about it: "Invalid token", "Enter your password".
  if (
    /\s/.test(secret) &&
    /^[\p{L}\s.,!?:'’-]+$/u.test(secret) &&
    (secret.toLowerCase().includes(word) || kind === 'token' || value.how === 'lines')
  )
    return /mnemonic|phrase$/.test(lower);

  const isPassword = kind === 'password';
  const isMixed = hasDigit(core) && /[A-Za-z]/.test(core);
  switch (value.how) {
    case 'quoted':
      return isPassword
        ? core.length >= 3
        : core.length >= 8 && (hasDigit(core) || (core.length >= 20 && !/\s/.test(core)));
    case 'element':
      return isPassword ? core.length >= 3 : core.length >= 6 && hasDigit(core);
    case 'lines':
      return core.length >= 6 && hasDigit(core);
    case 'bare':
      if (/^(?:=|:=|\?=)/.test(value.separator.trim()) && !/^\s/.test(value.separator))
        return isPassword ? core.length >= 4 : core.length >= 6 && hasDigit(core);
      if (value.separator.includes('='))
        return isPassword ? core.length >= 4 && (isMixed || isLastOfLine(text, value)) : core.length >= 6 && isMixed;
      return (core.length >= 6 && isMixed) || isYamlPassword(kind, value, text);
  }
}

/** `password: swordfish`, alone in its line, as in YAML. */
function isYamlPassword(kind: NameKind, value: Value, text: string): boolean {
  if (kind !== 'password' || value.end - value.start < 6 || !isLastOfLine(text, value)) return false;
  const before = text.slice(Math.max(0, value.start - 140), value.start);
  return (
    /(?:^|[\r\n]|\\n|: )[ \t]{0,40}(?:- )?["']?[\w.-]{1,64}["']?:[ \t]{1,4}$/.test(before) &&
    /^[A-Za-z0-9!#$%^*+/=~_.-]+$/.test(text.slice(value.start, value.end))
  );
}

/** Lines of YAML that were joined to one. */
const NEXT_NAME = /^ [\w.-]{1,64}: /;

function isLastOfLine(text: string, { end }: Value): boolean {
  return /^[ \t]{0,8}(?:$|[\r\n]|\\[nr])/.test(text.slice(end, end + 12)) || NEXT_NAME.test(text.slice(end, end + 80));
}
