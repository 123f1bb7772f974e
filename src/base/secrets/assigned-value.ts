import { isCredentialPair } from './introduced';
import { isPath, isPlaceholder, isRandom, isWords } from './placeholder';
import { hasDigit } from './rule';
import { type NameKind, isUpperName, nameKind } from './secret-name';

/** A value assigned to a name, with the form of the assignment. */
export interface Assignment {
  readonly name: string;
  /** `service`: the name only says to which service the value belongs. */
  readonly kind: NameKind | 'service';
  readonly value: string;
  /** `block`: lines of YAML; `next`: bare, in the next line. */
  readonly how: 'quoted' | 'bare' | 'element' | 'block' | 'next';
  /** `=`, `:` or nothing, including the blanks around it. */
  readonly separator: string;
  /** A few characters before the name, before the value and after it. */
  readonly beforeName: string;
  readonly beforeValue: string;
  readonly behind: string;
  /** Length of the part that continues in the next lines. */
  readonly rest: number;
}

/** Returns whether an assigned value is a secret, rather than a placeholder, code or a word about one. */
export function isSecretValue(one: Assignment): boolean {
  if (isPlaceholder(one.value.trim()) || !/[A-Za-z0-9]/.test(one.value) || isOther(one)) return false;
  if (one.kind !== 'password' && isNoToken(one)) return false;
  if (one.kind === 'service') return isOpaque(one.value);
  // There is no sign between them: a column, a command, a call.
  if (!/[=:>,<]/.test(one.separator) || one.separator.startsWith(',')) return isPlainlySecret(one);
  if ((one.how === 'bare' || one.how === 'next') && isCode(one)) return false;
  return isUpperName(one.name) ? isInEnvironment(one) : isInText(one);
}

/** Returns whether a value looks like the key of a service: letters and digits that no one would write as a word. */
const isOpaque = (value: string): boolean =>
  /^[A-Za-z0-9_=+/:.-]{14,}[,;)\]}]{0,4}$/.test(value) && hasDigit(value) && /[A-Za-z]/.test(value) && isRandom(value);

/** True if a value that merely follows a name is a secret on its own: digits and letters, but not a version, date, word or path. */
function isPlainlySecret({ name, kind, value, how, separator, behind }: Assignment): boolean {
  if (how !== 'quoted' && how !== 'bare') return false;
  if (how === 'quoted' && isUpperName(name) && separator.startsWith(',')) return true;
  if (/[\s()[\]{}<>]/.test(value) || !hasDigit(value) || !/[A-Za-z]/.test(value) || isPath(value) || isWords(value))
    return false;
  if (/^[v^~]?\d+(?:\.\w+)+$|^\d{1,4}[-/:.]|^(?:https?:|[a-z]+\d{1,3}$|[\da-f]{8}-[\da-f]{4}-)/.test(value))
    return false;
  const shortest = kind === 'password' ? (how === 'quoted' ? 5 : 8) : 10;
  if (value.length < shortest) return false;
  return kind === 'password' ? how === 'quoted' || isRandomish(value) || isLastOfCell(behind) : isRandom(value);
}

/** The end of a line, of a cell or of a quoted text. */
const isLastOfCell = (behind: string): boolean => /^[ \t]{0,200}(?:$|[\r\n|\u2502\u2503\u2551`'"]|\\[nr])/.test(behind);
const isRandomish = (text: string): boolean => (text.match(/\d(?!\d)|[a-z](?![a-z])|[A-Z](?![A-Z])/g)?.length ?? 0) > 3;

/** A name as people write one: capitals, lower case, or words that each begin with a capital. Letters in no such order are not a name. */
const WRITTEN_NAME = /^(?:[A-Z][A-Z0-9]*(?:[_-][A-Z0-9]+)*|[A-Z]?[a-z]+(?:[A-Z][a-z]+|[_.-][a-z]+)*)$/;

/** Returns whether the name and its surroundings show that the value is something else. */
function isOther({ name, value, how, separator, beforeName, behind }: Assignment): boolean {
  const lower = name.toLowerCase();
  // KEY="DB_PASSWORD" VALUE="…": the name of the secret, which follows it.
  if (lower === 'key' && WRITTEN_NAME.test(value) && nameKind(value) !== undefined) return true;
  if (lower.endsWith('auth') && !lower.endsWith('_auth')) return !isCredentialPair(value);
  // `<TOKEN>` in a manual does not open an element.
  if (how === 'element' && !/^\s{0,20}(?:$|<\\{0,4}\/|\]\]>)/.test(behind)) return true;
  // result === "pass" ? "PASS" : "FAIL"
  if (/\?\s{0,4}["'`]$/.test(beforeName)) return true;
  // ${TOKEN:0:8}
  if (beforeName.endsWith('${')) return true;
  const isColon = separator.trim().endsWith(':');
  // --- PASS: TestOfSomething
  if (name === 'PASS' && isColon && how === 'bare') return true;
  if (name === 'KEY' && isColon && how === 'bare') return value.length < 16 || !hasDigit(value);
  // The working directory.
  if (lower === 'pwd' && /^(?:[/~]|\\{1,4}|[A-Za-z]:\\)/.test(value)) return true;
  const isName = value.length <= name.length + 8 && letters(value) === letters(name);
  return isName || /^\d{1,3}\W?$/.test(value);
}

const letters = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '').toLowerCase();

/** True if the value cannot be a token: people do not write tokens, and no token contains words, blanks or a file name. */
function isNoToken({ name, value, how, separator, beforeValue }: Assignment): boolean {
  if (isPath(value) || /^https?:\/\/[^@]*$/.test(value)) return true;
  if (how === 'quoted' && separator !== '=' && isWords(value)) return true;
  // TOKEN=`command …`
  if (how === 'quoted' && /\s/.test(value) && (!isUpperName(name) || beforeValue.endsWith('`'))) return true;
  return (how === 'bare' && !/^[\x21-\x7e]+$/.test(value)) || /^#[0-9a-fA-F]{3,8}\W?$/.test(value);
}

/** Beginnings of names in which programs hold their settings. */
const HOLDER =
  /^(?:self|this|args|argv|os|process|config|settings|env|options|opts|params|request|req|res|user|form|data|cfg|ctx|props|state|input|body|values|event|session|store|import|secrets|vars|var|local|module)\b[.?[]/;
/** `!0`, `!!name,` */
const NEGATED = /^!{1,2}[01](?:[,;)\]}]|$)|^!![A-Za-z_$][\w$.]{0,80}[,;)\]}]/;
/** `address(…)`, `vec![…]`, `Duration::from_secs(…)` */
const CALL = /^[!*&]{0,2}[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*!?[([]/;

/** Returns whether the value is code: a call, an index or a path of names does not occur in a settings file. */
function isCode({ kind, value, separator }: Assignment): boolean {
  if (HOLDER.test(value) || NEGATED.test(value)) return true;
  // After an equals sign without blanks, as a shell has it, a digit shows that it is not code.
  if ((/^[{([]/.test(value) || CALL.test(value)) && (separator !== '=' || !hasDigit(value))) return true;
  if (!/\s/.test(separator)) return false;
  if (/^[\w$.:-]+\(/.test(value) || /^[*&]?[A-Za-z_$]+(?:(?:\.|::)[A-Za-z_$]+)+[,;)\]}]*$/.test(value)) return true;
  // { privateKey: seed25519, … }
  const name = /^([A-Za-z_$][\w$]*)[,;)\]}]+$/.exec(value)?.[1];
  return name !== undefined && kind === 'token' && !isRandom(name);
}

/** Names in capitals whose ending shows that they are about a secret and hold none themselves. */
const ABOUT =
  /_(?:FILE|PATH|DIR|URL|URI|LIMIT|LENGTH|TYPE|NAME|COUNT|EXPIRY|EXPIRES|EXPIRES_IN|TTL|AGE|COST|PRICE|BUDGET|STORAGE|STORE|OPTIONS|PARAMS|INTERVAL|TIMEOUT|SECONDS|AUDIENCE|ISSUER|SCOPES?|PATTERN|REGEX|PREFIX|SUFFIX|PROVIDER|ENABLED|MODE|SIZE|ALGORITHM|ADDRESS|VERSION)$/;

/** Judges NAME=value, as in an environment: whatever is assigned to the name is the secret. */
function isInEnvironment(one: Assignment): boolean {
  const { name, kind, value, how, separator } = one;
  if (ABOUT.test(name)) return false;
  // CHARACTERS_A_TOKEN = 4, TOKENS_TO_KEEP=200000
  const isPassword = /(?:KEY|PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|TOKEN|SECRET|PAT|CREDENTIALS?)$/.test(name);
  if (/^\d{1,7}\W*$/.test(value) && (kind === 'token' || !isPassword)) return false;
  // STORAGE_KEY = 'history_of_queries': the key of a map.
  const isKeyOfMap = name.endsWith('_KEY') && nameKind(name) === undefined;
  if (isKeyOfMap && (/^[a-z]+$/i.test(value) || isWords(value))) return false;
  switch (how) {
    case 'next':
      return value.length >= 6 && hasDigit(value) && !/[:=]$|^\d+(?:\W|$)/.test(value);
    case 'quoted':
    case 'element':
    case 'block':
      return true;
    case 'bare':
      if (/\s/.test(separator) && nameKind(value) !== undefined) return false;
      if (separator.includes('=') || separator.trim() === '') return true;
      return isYamlPassword(one) || (value.length >= 6 && /[\d!@#$%^*+/=~]/.test(value));
  }
}

/** `read%20only%2Cadmin`: its digits belong to the escapes. */
const ENCODED_WORDS = /^[a-z]{2,24}(?:%(?:20|2[CcFf]|3[ADad]|26)[a-z]{2,24}){1,16}$/i;

/** Judges any other name: its value has to look like a secret, too. */
function isInText(one: Assignment): boolean {
  const { name, kind, value, how, separator, rest } = one;
  const lower = name.toLowerCase();
  const core = value.replace(/[,;)\]}]{1,64}$/, '');
  const word = /(?:password|passwd|passphrase|token|secret|key|pwd|pass)$/.exec(lower)?.[0] ?? lower;
  // The same word again: a variable.
  if (/^[A-Za-z_$][\w$.]*$/.test(core) && !hasDigit(core) && core.toLowerCase().endsWith(word)) return false;
  // A sentence about it: "Invalid token", "Enter your password".
  const isSentence = /\s/.test(value) && /^[\p{L}\s.,!?:'’()/-]+$/u.test(value);
  if (isSentence && (value.toLowerCase().includes(word) || how === 'block' || how === 'next'))
    return /mnemonic|(?:seed|recovery)[_-]?phrase$/.test(lower);

  const isPassword = kind === 'password';
  const isMixed = hasDigit(core) && /[A-Za-z]/.test(core);
  switch (how) {
    case 'quoted':
      if (isPassword) return core.length + rest >= 3;
      return core.length >= 20 || (core.length >= 8 && hasDigit(core) && !ENCODED_WORDS.test(core));
    case 'element':
      return isPassword ? core.length >= 3 : core.length >= 6 && hasDigit(core);
    case 'block':
      return core.length >= 6 && hasDigit(core);
    case 'next':
      return core.length >= 6 && hasDigit(core) && !/^\d+\W/.test(core);
    case 'bare':
      if (/^(?:=|:=|\?=)/.test(separator.trim()) && !/^\s/.test(separator))
        return isPassword ? core.length >= 4 : core.length >= 6 && hasDigit(core);
      if (separator.includes('='))
        return isPassword ? core.length >= 4 && (isMixed || isLastOfLine(one)) : core.length >= 6 && isMixed;
      return (core.length >= 6 && isMixed) || isYamlPassword(one);
  }
}

/** True for `password: swordfish` alone in its line, as in YAML. */
function isYamlPassword(one: Assignment): boolean {
  const { kind, value, rest, beforeValue } = one;
  if (kind !== 'password' || value.length + rest < 6 || (rest === 0 && !isLastOfLine(one))) return false;
  return (
    /(?:^|[\r\n]|\\n|: )[ \t>|+\u2502\u2503-]{0,40}["']?[\w.-]{1,64}["']?:[ \t]{1,4}$/.test(beforeValue) &&
    /^[A-Za-z0-9!#$%^*+/=~_.-]+$/.test(value)
  );
}

/** Lines of YAML that were joined into one. */
const NEXT_NAME = /^ [\w.-]{1,64}: /;

const isLastOfLine = ({ behind }: Assignment): boolean =>
  /^[ \t]{0,8}(?:$|[\r\n\u2502\u2503]|\\{1,8}[nr]|\\\r?\n)/.test(behind) || NEXT_NAME.test(behind);
