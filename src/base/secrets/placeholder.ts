/** Words in place of a value, from a language or a manual. */
const WORDS =
  /^(?:null|undefined|none|nil|true|false|string|str|number|int|integer|boolean|bool|bytes?|(?:(?:ui|i)nt|float|big(?:ui|i)nt)\d{1,2}(?:clamped)?array|any|unknown|object|text|varchar|required|optional|empty|hidden|masked|changeme|value|secret|token|api[_-]?key)(?:\[\]|[?!])?[,.:;)\]}?`]*$/i;
/** `your_api_key`, `replace-with-a-token` */
const INSTRUCTION =
  /^(?:[a-z]{2,8}-){0,2}(?:v1-)?(?:your|some|replace|insert|enter)(?:[_-][A-Za-z]{1,20}){1,8}[,;.)\]}?`]*$/i;
/** `<token>`, `${TOKEN}`, `$env:TOKEN`, `{{ token }}`, `%TOKEN%` */
const VARIABLE = /^(?:<|\$\{|\$\(|\$(?:[A-Za-z_][\w:]*|[\d@*])$|\{\{|%[A-Z_]+%$|%\()/;
/** The name of another variable, in capitals. */
const NAME = /^[A-Z]{2,}(?:_[A-Z]{2,})+[,;.)\]}?`]*$/;
/** Stars and the like, or a few characters with a sign that more follow. */
const MASK =
  /^(?:[*\u2022]+|[xX][xX0_]{2,}|[A-Za-z_.-]{0,12}[xX]{4,}|\.\.|…|[\w.-]{0,14}(?:\.{3}|…)|[\w=.-]{0,40}\*{3,}|-+|_+)[,;.)\]}?`]*$/;
const REDACTED = /^[^A-Za-z0-9]*[xX*]{0,20}\[?(?:redacted|masked|hidden|removed)(?![a-z0-9])/i;

/** True for a text that stands for a secret but is none: a variable, a template, stars, a word from a manual, a redacted value. */
export function isPlaceholder(text: string): boolean {
  return [WORDS, VARIABLE, MASK, INSTRUCTION, NAME, REDACTED].some((form) => form.test(text));
}

/** True for the name of a file, even with a line, as `grep` and compilers print it. */
export const isPath = (text: string): boolean =>
  text.length <= LONGEST_PATH &&
  ((/^@?[\w.~-]*\/.*\.[A-Za-z]{1,8}(?::\d.*)?$/.test(text) && !/\w@/.test(text)) ||
    /^[\w.-]{1,80}\.[A-Za-z]{1,8}:\d{1,6}:/.test(text));
const LONGEST_PATH = 300;

/** True for a text that switches between digits, letters and capitals so often that no person would write it as a name. */
export const isRandom = (text: string): boolean =>
  (text.match(/\d(?!\d)|[a-z](?![a-z])|[A-Z](?![A-Z])/g)?.length ?? 0) > 5;

/** True for `theme-mode`, `app:tabs:v2`: several words and nothing else. */
export const isWords = (text: string): boolean =>
  /^[$!~./\\]{0,3}[A-Za-z]+(?:[-_.:/\\]{1,2}[A-Za-z]+)+(?:[-_.:]v\d)?$/.test(text) && !isRandom(text);
