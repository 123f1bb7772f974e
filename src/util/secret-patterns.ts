/**
 * What secrets look like. Kept apart from `redact.ts` so that the list reads as a list.
 *
 * Every pattern has the secret as its group `secret`, starts at a fixed word or mark and has bounded or single-class repeats, so that the
 * time for a text grows with its length only.
 */
export interface SecretPattern {
  readonly pattern: RegExp;
  /** Says no to a match that only looks like a secret. */
  readonly accept?: (
    secret: string,
    groups: Readonly<Record<string, string | undefined>>,
    match: RegExpExecArray,
  ) => boolean;
}

const hasDigit = (text: string): boolean => /\d/.test(text);
const hasDigitOrUpper = (text: string): boolean => /[\dA-Z]/.test(text);

/** Keys that say by their beginning what they are. */
const PREFIXED: readonly SecretPattern[] = [
  // OpenAI, Anthropic, OpenRouter and others: sk-…, sk-ant-…, sk-proj-…
  { pattern: /(?<![A-Za-z0-9])(?<secret>sk-[A-Za-z0-9_-]{16,})/dg, accept: hasDigitOrUpper },
  { pattern: /(?<![A-Za-z0-9])(?<secret>(?:[srp]k_(?:live|test)_|whsec_)[A-Za-z0-9]{10,})/dg },
  { pattern: /(?<![A-Za-z0-9])(?<secret>gh[a-z]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,})/dg },
  { pattern: /(?<![A-Za-z0-9])(?<secret>gl[a-z]{2,6}-[A-Za-z0-9_-]{16,})/dg, accept: hasDigitOrUpper },
  { pattern: /(?<![A-Za-z0-9])(?<secret>(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16})(?![A-Za-z0-9])/dg },
  { pattern: /(?<![A-Za-z0-9])(?<secret>AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,})/dg },
  { pattern: /(?<![A-Za-z0-9])(?<secret>xox[a-z]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,})/dg },
  { pattern: /hooks\.slack\.com\/(?:services|workflows)\/(?<secret>[A-Za-z0-9_/-]{16,})/dg },
  {
    pattern:
      /(?<![A-Za-z0-9])(?<secret>(?:npm|hf|gsk|r8|lin_api|dckr_pat|dop_v1|figd|sntrys|shpat|shpss|pul)_[A-Za-z0-9_-]{20,})/dg,
  },
  {
    pattern: /(?<![A-Za-z0-9])(?<secret>(?:pypi|xai|pplx|tvly|fw)-[A-Za-z0-9_-]{30,}|hvs\.[A-Za-z0-9_-]{20,})/dg,
    accept: hasDigitOrUpper,
  },
  { pattern: /(?<![A-Za-z0-9])(?<secret>SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|AGE-SECRET-KEY-1[A-Z0-9]{20,})/dg },
  { pattern: /(?<![A-Za-z0-9])(?<secret>\d{8,10}:AA[A-Za-z0-9_-]{32,})/dg },
  // JSON Web Token: two or three base64url parts, the first a JSON object.
  { pattern: /(?<![A-Za-z0-9])(?<secret>eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?)/dg },
  // Cut off at the end of a snippet: a few characters of a key are still part of a key.
  {
    pattern:
      /(?<![A-Za-z0-9])(?<secret>(?:sk-(?:ant|proj|or)-|gh[pousr]_|github_pat_|glpat-|npm_|xox[abeprs]-|AIza|AKIA|ASIA)[A-Za-z0-9_-]{4,})…?$/dg,
    accept: hasDigitOrUpper,
  },
];

/** base64 of `user:password` in printable characters. */
function isCredentialPair(text: string): boolean {
  const decoded = Buffer.from(text, 'base64').toString('latin1');
  return /^[\x20-\x7e]+:[\x20-\x7e]*$/.test(decoded);
}

/** Keys that the word before them gives away. */
const INTRODUCED: readonly SecretPattern[] = [
  {
    pattern:
      /(?<![A-Za-z0-9])authorization\\*["']?\s{0,4}[:=]\s{0,4}\\*["']?(?:bearer|basic|token|digest|apikey|negotiate)\s{1,4}(?<secret>[^\s"',;\\]{4,})/dgi,
    accept: (secret) => !isPlaceholder(secret),
  },
  {
    pattern: /(?<![A-Za-z0-9])authorization\\*["']?\s{0,4}[:=]\s{0,4}\\*["']?(?<secret>[A-Za-z0-9._~+/=-]{16,})/dgi,
    accept: hasDigit,
  },
  { pattern: /(?<![A-Za-z0-9])bearer\s{1,4}(?<secret>[A-Za-z0-9._~+/=-]{16,})/dgi, accept: hasDigit },
  { pattern: /(?<![A-Za-z0-9])basic\s{1,4}(?<secret>[A-Za-z0-9+/]{8,}={0,2})/dgi, accept: isCredentialPair },
  {
    pattern:
      /(?<![A-Za-z0-9])(?:x-api-key|x-auth-token|x-access-token|x-goog-api-key|x-csrf-token|private-token|api-key|apikey)\\*["']?\s{0,4}:\s{0,4}\\*["']?(?<secret>[^\s"',;\\]{8,})/dgi,
    accept: hasDigit,
  },
  {
    pattern:
      /(?<![A-Za-z0-9])(?:set-)?cookie\\*["']?\s{0,4}:\s{0,4}\\*["']?(?<secret>[^\s"'=;\\]{1,80}=[^\r\n"'\\]{4,})/dgi,
  },
  // scheme://user:password@host
  {
    pattern: /:\/\/[^\s/?#@:"'<>]{0,200}:(?<secret>[^\s/?#"'<>]{1,500})@/dg,
    accept: (secret) => !isPlaceholder(secret),
  },
  // scheme://token@host
  {
    pattern: /:\/\/(?<secret>[^\s/?#@:"'<>]{16,500})@/dg,
    accept: (secret) => hasDigit(secret) && !isPlaceholder(secret),
  },
  {
    pattern:
      /[?&](?:access_token|refresh_token|id_token|auth_token|token|api[_-]?key|apikey|secret|client_secret|password|passwd|pwd|sig|signature|x-amz-signature|x-amz-security-token)=(?<secret>[^&\s"'#<>\\]{4,})/dgi,
    accept: (secret) => !isPlaceholder(secret),
  },
  { pattern: /[?&](?:key|code|auth)=(?<secret>[^&\s"'#<>\\]{12,})/dgi, accept: hasDigit },
  // --password value, --token value
  {
    pattern:
      /(?<![A-Za-z0-9])--(?:[a-z]{1,20}-){0,3}(?:password|passwd|passphrase|token|secret|api-?key|access-?key|secret-?key)(?:=|\s{1,4})["']?(?<secret>[^\s"'-][^\s"']{3,})/dgi,
    accept: (secret) => !isPlaceholder(secret) && !/^[A-Z_]+$/.test(secret),
  },
  {
    pattern:
      /(?<![A-Za-z0-9])curl(?=\s)[^\n|;]{0,300}?\s(?:-u|--user)[\s=]{0,3}["']?[^\s:"']{1,100}:(?<secret>[^\s"']{1,200})/dg,
    accept: (secret) => !isPlaceholder(secret),
  },
  { pattern: /(?<![A-Za-z0-9])login\s{1,4}\S{1,100}\s{1,4}password\s{1,4}(?<secret>\S{1,200})/dg },
];

const KEYWORD =
  '(?<name>api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key|auth[_-]?key|account[_-]?key|shared[_-]?key|signing[_-]?key|encryption[_-]?key|key|token|secret|password|passwd|passphrase|pwd|_auth|credentials?)';
const SEPARATOR = String.raw`(?<separator>\\*["']?\]?[ \t]{0,4}(?::=|=>|=(?!=)|:(?!:))[ \t]{0,4})`;

/** NAME=value, NAME: value, "name": "value": the name gives the secret away. */
const ASSIGNED: readonly SecretPattern[] = [
  {
    // In double or single quotes: up to the same quote, or the end of the line where it was cut off.
    pattern: new RegExp(
      String.raw`${KEYWORD}(?<suffix>_[A-Z0-9_]{1,40})?${SEPARATOR}(?<quote>["'])(?<secret>(?:\\.|(?!\k<quote>)[^\\\r\n]){1,8192})`,
      'dgi',
    ),
    accept: (secret, groups, match) => isAssignedSecret(secret, groups, match, true),
  },
  {
    // In quotes that are escaped themselves, as in JSON within JSON.
    pattern: new RegExp(
      String.raw`${KEYWORD}(?<suffix>_[A-Z0-9_]{1,40})?${SEPARATOR}(?<quote>\\+["'])(?<secret>(?:(?!\k<quote>)[^\r\n]){1,8192})`,
      'dgi',
    ),
    accept: (secret, groups, match) => isAssignedSecret(secret, groups, match, true),
  },
  {
    pattern: new RegExp(
      String.raw`${KEYWORD}(?<suffix>_[A-Z0-9_]{1,40})?${SEPARATOR}(?<secret>[^\s"'\\${'`'};&|<>]{1,1024})`,
      'dgi',
    ),
    accept: (secret, groups, match) => isAssignedSecret(secret, groups, match, false),
  },
];

export const SECRET_PATTERNS: readonly SecretPattern[] = [...PREFIXED, ...INTRODUCED, ...ASSIGNED];

const PASSWORD_NAME = /^(?:password|passwd|passphrase|pwd|secret|secret[_-]?key|client[_-]?secret)$/i;

/** Stands for a secret but is none: a variable, a template, stars, a word of the language, what was redacted before. */
function isPlaceholder(text: string): boolean {
  return (
    /^\[redacted\]\W*$/.test(text) ||
    /^(?:\*+|x{3,}|X{3,}|\.{2,}|…|-+|_+)$/.test(text) ||
    /^(?:<.*|\$\{.*|\$\(.*|\$[A-Za-z_]\w*|\{\{.*|%[A-Z_]+%|\$\{\{.*)$/s.test(text) ||
    /^(?:null|undefined|none|nil|true|false|string|str|number|boolean|bool|any|unknown|object|required|optional|empty)[,;)\]}?]*$/i.test(
      text,
    )
  );
}

function isAssignedSecret(
  secret: string,
  groups: Readonly<Record<string, string | undefined>>,
  match: RegExpExecArray,
  quoted: boolean,
): boolean {
  const name = groups['name'] ?? '';
  const suffix = groups['suffix'] ?? '';
  const separator = groups['separator'] ?? '';
  const before = match.input.charAt(match.index - 1);
  const upper = name === name.toUpperCase() && /[A-Z]/.test(name);
  if (suffix !== '' && suffix !== suffix.toUpperCase()) return false;
  if (isPlaceholder(secret)) return false;

  if (upper) {
    // MONKEY= is no key; API_KEY=, KEY= and DBPASSWORD= are.
    if (name === 'KEY' && /[A-Za-z0-9]/.test(before)) return false;
    // TOKEN_LIMIT=200000 counts tokens.
    if (suffix !== '' && /^\d{1,7}\W*$/.test(secret)) return false;
    if (quoted || separator.includes('=')) return true;
    return secret.length >= 6 && /[\d!@#$%^*+/=~]/.test(secret);
  }

  if (name.toLowerCase() === 'key') return false;
  // What follows is a call, an index, a path of names, or the same word again: code, not a secret.
  if (!quoted) {
    if (/^[A-Za-z_$][\w$]*[([]/.test(secret)) return false;
    if (
      /^(?:self|this|args|argv|os|process|config|settings|env|options|opts|params|request|req|res|user|form|data|cfg|ctx|props|state)\b[.?[]/.test(
        secret,
      )
    )
      return false;
    if (/^[{([]/.test(secret)) return false;
  }
  const core = secret.replace(/[,;)\]}]+$/, '');
  if (/^[A-Za-z_$][\w$.]*$/.test(core) && core.toLowerCase().endsWith(name.toLowerCase())) return false;
  // A sentence about it: "Invalid token", "Enter your password".
  if (
    quoted &&
    /\s/.test(secret) &&
    /^[\p{L}\s.,!?:'’-]+$/u.test(secret) &&
    secret.toLowerCase().includes(name.toLowerCase())
  )
    return false;

  const isPassword = PASSWORD_NAME.test(name);
  if (quoted) return isPassword ? core.length >= 3 : core.length >= 8 && (hasDigit(core) || core.length >= 20);
  if (separator === '=') return isPassword ? core.length >= 4 : core.length >= 6 && hasDigit(core);
  return core.length >= 6 && hasDigit(core) && /[A-Za-z]/.test(core);
}
