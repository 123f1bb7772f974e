import { type Assignment, isSecretValue } from './assigned-value';
import type { SecretRule } from './rule';
import { SERVICES, isOfService, isUpperName, nameKind } from './secret-name';

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
  'salt',
  'pepper',
  // In other languages; `pass` and `key` lead to some of them.
  'kennwort',
  'geheimnis',
  'schlüssel',
  'schluessel',
  'contrase',
  'clave',
  'senha',
  'parola',
  'chiave',
  'wachtwoord',
  'hasło',
  'haslo',
  'heslo',
  'lösenord',
  'losenord',
  'salasana',
  'adgangskode',
  'jelsz',
  'şifre',
  'sifre',
  'пароль',
  'ключ',
  'секрет',
  '密码',
  '密碼',
  '口令',
  '密钥',
  'パスワード',
  '비밀번호',
  ...SERVICES,
];
const NAME_BEFORE = 64;
const NAME_BEHIND = 64;
const LONGEST_VALUE = 256;
const LONGEST_QUOTED = 32_768;

/** Finds values whose names show that they are secrets: NAME=value, NAME: value, "name": "value", <name>value</name>, define('NAME', 'value'). */
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
    const rest = restOf(text, kind, value);
    const one: Assignment = {
      name: name.text,
      kind,
      value: text.slice(value.start, value.end),
      how: value.how,
      separator: value.separator,
      beforeName: text.slice(Math.max(0, name.start - 8), name.start),
      beforeValue: text.slice(Math.max(0, value.start - 140), value.start),
      behind: text.slice(value.end, value.end + 80),
      rest,
    };
    return isSecretValue(one) ? { secret: [value.start, endOfLong(text, value) + rest], next } : { next };
  },
};

/** Returns the end of a value of which only the beginning was inspected. */
function endOfLong(text: string, { start, end, quote }: Value): number {
  if (end - start < LONGEST_VALUE) return end;
  if (quote !== undefined) return endOfQuoted(text, start, quote, LONGEST_QUOTED);
  return end + (exec(MORE, text, end)?.[0].length ?? 0);
}

/** Returns the length of the words of a password that continue in the next lines. A part with digits is found where lines are joined. */
function restOf(text: string, kind: Assignment['kind'], { start, end, quote }: Value): number {
  if (kind !== 'password' || end - start >= LONGEST_VALUE) return 0;
  if (quote === undefined) return exec(LONE_REST, text, end)?.[0].length ?? 0;
  let last = end;
  for (let line = 0; line < MOST_LINES; line++) {
    const seam = exec(text.startsWith(quote, last) ? CONCATENATION : LINE_END, text, last)?.[0];
    if (seam === undefined) break;
    const next = text.slice(last + seam.length, last + seam.length + LONGEST_VALUE);
    const words = next.slice(0, Math.max(0, next.indexOf(quote)));
    // A passphrase, not code.
    if (!/^ ?[\w.,!#$%^&*+/~@-]+(?: [\w.,!-]+){0,32} ?$/.test(words)) break;
    last += seam.length + words.length;
  }
  return last - end;
}

interface Name {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface Value {
  readonly start: number;
  readonly end: number;
  readonly how: Assignment['how'];
  readonly separator: string;
  readonly quote?: string;
}

function nameAt(text: string, at: number): Name {
  let start = at;
  while (start > 0 && at - start < NAME_BEFORE && isNameCharacter(text.charCodeAt(start - 1))) start--;
  // The letter of a written-out line feed, as in JSON, is not part of the name.
  if (start < at && text.charCodeAt(start - 1) === BACKSLASH && /[nrtbf]/.test(text.charAt(start))) start++;
  let end = at;
  while (end < text.length && end - at < NAME_BEHIND && isNameCharacter(text.charCodeAt(end))) end++;
  return { text: text.slice(start, end), start, end };
}

/** True for letters, digits, `_` and `-`; in other scripts for everything but the blocks of signs. */
function isNameCharacter(code: number): boolean {
  const letter = code | 0x20;
  if (code >= 0xc0) return code < 0x2000 || (code >= 0x3040 && code < 0xd800);
  return (letter >= 97 && letter <= 122) || (code >= 48 && code <= 57) || code === 95 || code === 45;
}

function kindOf(text: string, { text: name, start }: Name): Assignment['kind'] | undefined {
  const own = kindOfName(name);
  if (own !== undefined) return own;
  // `api key`, `access key`: the preceding word says what the key is for.
  if (!/^keys?$/i.test(name)) return undefined;
  const before = /[A-Za-z]{2,20}(?= $)/.exec(text.slice(Math.max(0, start - 21), start))?.[0];
  return before === undefined ? undefined : nameKind(`${before}_key`);
}

function kindOfName(name: string): Assignment['kind'] | undefined {
  const kind = nameKind(name) ?? (isUpperName(name) ? 'token' : undefined);
  return kind ?? (isOfService(name) ? 'service' : undefined);
}

const SEPARATOR = /(?<separator>\\{0,16}["'`]?\]?[ \t]{0,40}(?::=|=>|\?=|<-|=(?!=)|:(?!:))[ \t]{0,40})/y;
/** `password: string = "…"`, `password As String = "…"` */
const TYPED = /[ \t]{0,4}(?::|\bAs\b)[ \t]{0,2}[A-Za-z][\w.<>[\]| ]{0,30}?(?<separator>=[ \t]{0,4})(?=\\{0,16}["'`])/y;
/** `"name": "PASSWORD", "value": "…"`, and the same in YAML, XML and HTML. */
const BESIDE =
  /\\{0,16}["']?,?(?:[ \t]{0,20}|(?:\r?\n|\\{1,4}n)[ \t>|+#*\u2502\u2503-]{0,40})\\{0,16}["']?value(?<separator>\\{0,16}["']?[ \t]{0,4}[:=][ \t]{0,4})/iy;
/** `define('PASSWORD', '…')` */
const ARGUMENT = /\\{0,16}["'](?<separator>[ \t]{0,4},[ \t]{0,4})(?=\\{0,16}["'])/y;
const CALLS =
  /(?:define|setenv|putenv|set\w{0,20}|append|put|add\w{0,12}|header\w{0,6}|attr|property|environ|config\w{0,6}|secret\w{0,12})\(\s{0,8}\\{0,16}["'](?:[\w.-]{0,40}\.)?$/i;
const ELEMENT =
  /(?<separator>(?:\s[^<>\n]{0,200})?>\s{0,1024})(?:<!\[CDATA\[\s{0,1024})?(?:(?<broken>[^\s<>]{1,512}(?:(?:[ \t]{1,40}[\\+.|\u2502\u2503])?(?:\r?\n|\\{1,4}n)[ \t>|+#*"'\u2502\u2503-]{0,40}[^\s<>]{1,512}){1,4})(?=\s{0,20}<\/)|(?<value>[^<>\s][^<>\r\n]{0,1023}?)(?=\s{0,20}(?:<|\]\]>|$|[\r\n]|\\n)))/y;
/** `setx TOKEN …`, `set -x TOKEN …`, `config set password …` */
const SET =
  /(?:setx|setenv|(?:config|secrets?|env)[ \t]{1,4}(?:set|put|add)|set[ \t]{1,4}-[a-zA-Z]{1,3})[ \t]{1,4}(?:-{1,2}\S{1,20}[ \t]{1,4}){0,2}["']?(?:\S{0,60}[.:/])?$/;
const BLANK = /(?<separator>["']?[ \t]{1,4})(?=[^\s=:|&;-])/y;

/** `datadog api key: …` */
const OF_SERVICE = /[ \t\w.-]{0,20}(?<separator>["'`\\]{0,4}[ \t]{0,8}(?::=|=>|\|\||=(?!=)|:(?!:))[ \t]{0,4})/y;
/** The next cell of a table, or one column further. */
const COLUMN =
  /(?<separator>["'`*]{0,2}[ \t]{0,60}(?:[|\u2502\u2503\u2551]|\t|\\{1,8}t|[ \t]{2})[ \t]{0,60})(?=[^\s|\u2502\u2503\u2551])/y;
/** Text before the first word of a cell. */
const CELL =
  /(?:^|[\n|\u2502\u2503\u2551\t]|\\n|[ \t]{2})[ \t]{0,40}["'`*]{0,2}(?:[\w.-]{1,24} ){0,2}(?:[\w-]{1,24}\.){0,5}$/;
/** `storePassword '…'`, `:password "…"`, `{password, "…"}`, `setPassword("…")` */
const BARE_NAME = /(?<separator>,?[ \t]{1,4}|\([ \t]{0,4})(?=\\{0,4}["'])/y;
/** `password …` in a command or an answer. Cisco uses a digit to state the encryption. */
const WORDS_OF_COMMAND = /(?<separator>[ \t]{1,4})(?:[057][ \t])?(?=[^\s"'=:|&;<>()[\]{}])/y;

function valueBehind(text: string, name: Name): Value | undefined {
  const before = text.slice(Math.max(0, name.start - 90), name.start);
  const separators: readonly (readonly [RegExp, boolean])[] = [
    [TYPED, true],
    [SEPARATOR, true],
    [BESIDE, true],
    [ARGUMENT, CALLS.test(before)],
    [BLANK, SET.test(before)],
    [OF_SERVICE, isOfService(name.text)],
    [COLUMN, CELL.test(before)],
    [BARE_NAME, true],
    [WORDS_OF_COMMAND, /(?:password|passwd|passphrase)$/i.test(name.text)],
  ];
  if (/<(?:[\w-]{1,40}:)?$/.test(before)) {
    const element = exec(ELEMENT, text, name.end);
    const range = element?.indices?.groups?.['broken'] ?? element?.indices?.groups?.['value'];
    if (element && range) return { start: range[0], end: range[1], how: 'element', separator: '=' };
  }
  for (const [pattern, applies] of separators) {
    if (!applies) continue;
    const match = exec(pattern, text, name.end);
    if (!match) continue;
    const separator = match.groups?.['separator'] ?? '';
    return valueAt(text, name, name.end + match[0].length, separator);
  }
  return undefined;
}

/** An opening quote, including that of bytes and one within the constructor of a value: `b'…'`, `Some("…")`, `String::from("…")`. */
const OPENING =
  /(?:(?:[bBrRuUfFNL@$]{1,2}|&?(?:[a-z]\w{0,20}\.)?[A-Z]\w{0,24}(?:(?:::|\.)\w{1,20})?\()(?=\\{0,16}["']))?(?<quote>\\{0,16}(?:["']{1,3}|`{1,2}))/y;
const MOST_LINES = 4;
/** The end of a line within quotes. */
const LINE_END = /\\?(?:\r?\n|\\{1,4}n)[ \t>|+#*\u2502\u2503]{0,40}["'`]?/y;
/** One string of a program that is written in two parts. */
const CONCATENATION =
  /\\{0,8}["'`][ \t]{0,8}[+.&\\]?[ \t]{0,8}(?:\r?\n|\\{1,4}n)[ \t]{0,40}(?:[+.&][ \t]{1,8})?\\{0,8}["'`]/y;
const MORE = /[A-Za-z0-9+/=_.-]{0,32768}/y;
const BARE = /[^\s"'\\`;&|<>]{1,256}/y;
/** A block of YAML, whose lines are indented. */
const BLOCK =
  /[|>][-+]?\d?[ \t]{0,8}(?:#[^\r\n]{0,80})?(?<lines>(?:(?:\r?\n|\\{1,4}n)(?:[ \t]{1,40}|[>|+\u2502\u2503][ \t]{2,40})[^\r\n\\]{1,1024}){1,64})/y;
/** The rest of a password without digits, alone at the beginning of the next line. */
const LONE_REST =
  /["'`]?[ \t]{0,40}[\\+.\u2502\u2503]?(?:\r?\n|\\{1,4}(?:r\\{1,4})?n)[ \t>|+#*\u2502\u2503]{0,40}["'`]?[a-z]{4,24}(?=["'`]?[ \t]{0,40}(?:$|[\r\n\u2502\u2503]|\\{1,4}[rn]))/y;
/** A value in the next line, indented further. */
const NEXT_LINE = /\\?(?:\r?\n|\\{1,4}n)[ \t]{0,40}(?=[^\s#-])/y;

function valueAt(text: string, name: Name, at: number, separator: string): Value | undefined {
  const block = exec(BLOCK, text, at)?.indices?.groups?.['lines'];
  if (block) {
    const lines = text.slice(block[0], block[1]);
    const gap = /^(?:\r?\n|\\{1,4}n)[ \t>|+\u2502\u2503]{0,40}/.exec(lines)?.[0].length ?? 0;
    return { start: block[0] + gap, end: block[1], how: 'block', separator };
  }
  const gap = exec(NEXT_LINE, text, at)?.[0].length ?? 0;
  // NAME= at the end of a line has no value; in a file of settings the next line is another name.
  if (gap > 0 && separator.endsWith('=') && !/[ \t]$/.test(text.slice(at, at + gap))) return undefined;
  const begin = at + gap;
  const opening = exec(OPENING, text, begin);
  const quote = opening?.groups?.['quote'];
  if (opening && quote !== undefined) {
    // Two quotes are an empty text, and a quote that also precedes the name ends the text that began there.
    if (/(?:^|[^"'`])(?:""|''|``)$/.test(quote)) return undefined;
    if (text.charAt(name.start - 1) === quote && !/["'`]/.test(text.slice(name.end, begin))) return undefined;
    const start = begin + opening[0].length;
    const end = endOfQuoted(text, start, quote, LONGEST_VALUE);
    return end > start ? { start, end, how: 'quoted', separator, quote } : undefined;
  }
  const bare = exec(BARE, text, begin);
  if (!bare) return undefined;
  return { start: begin, end: begin + bare[0].length, how: gap > 0 ? 'next' : 'bare', separator };
}

const LINE_FEED = 10;
const RETURN = 13;
const BACKSLASH = 92;

/** Returns the end of a quoted value: the same quote, or the end of the line where it was cut off. */
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
