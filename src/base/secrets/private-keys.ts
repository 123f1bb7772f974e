import { type SecretRule, type TextRange, beginsWord } from './rule';

const KEY_BEGIN = /-{4,5} ?BEGIN [A-Za-z0-9 ]{0,40}(?:PRIVATE KEY(?: BLOCK)?|SEED|Static key V1) ?-{4,5}/g;
const KEY_END = /-{4,5} ?END [A-Za-z0-9 ]{0,40}(?:PRIVATE KEY(?: BLOCK)?|SEED|Static key V1) ?-{4,5}/g;
const LONGEST_KEY = 32_768;
/** Lines of base64 after a beginning mark whose end mark was cut off; `\n` may be written out, as in JSON. */
const KEY_BODY = /(?:(?:\s|\\[nr]|["',>|]){1,12}[A-Za-z0-9+/=]{16,})*/y;

/** Finds blocks between `BEGIN … PRIVATE KEY` and its end, even where one of the two was cut off. */
export function findPrivateKeys(text: string, found: TextRange[]): void {
  if (!text.includes('----')) return;
  KEY_END.lastIndex = 0;
  let end = KEY_END.exec(text);
  for (const begin of text.matchAll(KEY_BEGIN)) {
    const bodyStart = begin.index + begin[0].length;
    // Once an end mark is found it serves all beginnings before it; if none is found, there is none for the rest of the text.
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

/**
 * Returns the start of a key whose beginning a snippet has cut off: walks back from its end over lines of base64, of which only the last may be
 * short.
 */
function startOfHeadlessKey(text: string, end: number): number {
  let start = end;
  for (let line = 0; end - start < LONGEST_KEY; line++) {
    let lineEnd = start;
    while (lineEnd > 0 && /[\s\\]/.test(text.charAt(lineEnd - 1))) lineEnd--;
    // A written-out line feed, as in JSON.
    if (/\\[nr]$/.test(text.slice(Math.max(0, start - 2), start))) lineEnd = start - 2;
    let lineStart = lineEnd;
    while (lineStart > 0 && end - lineStart < LONGEST_KEY && /[A-Za-z0-9+/=]/.test(text.charAt(lineStart - 1)))
      lineStart--;
    // The `n` of a written-out line feed before the line is not its first letter.
    if (text.charAt(lineStart - 1) === '\\' && /[nr]/.test(text.charAt(lineStart))) lineStart++;
    const length = lineEnd - lineStart;
    if (length < 16 && (line > 0 || length === 0)) break;
    start = lineStart;
  }
  // A single short word before the end mark is not a key.
  return end - start > 16 ? start : end;
}

const MOST_PIECES = 4;
const PUTTY_HEAD = /Private-Lines:[ \t]{0,4}(?<lines>\d{1,4})/iy;
const PUTTY_LINE =
  /\\?(?:\r?\n|\\{1,4}r?\\{0,4}n|\\{1,4}n)[ \t>|#*\u2502\u2503]{0,40}[A-Za-z0-9+/=]{1,128}[ \t\u2502\u2503]{0,40}(?=\s|\\|$)/y;

/**
 * Finds the private lines of a PuTTY key, which states their number; there are more where a narrow terminal broke them. The next line is not base64.
 */
export const PUTTY_KEY: SecretRule = {
  id: 'PuTTY key',
  words: ['private-lines:'],
  look(text, at) {
    PUTTY_HEAD.lastIndex = at;
    const head = PUTTY_HEAD.exec(text);
    if (!head) return undefined;
    const start = at + head[0].length;
    let end = start;
    for (let line = MOST_PIECES * Number(head.groups?.['lines']); line > 0; line--) {
      PUTTY_LINE.lastIndex = end;
      const match = PUTTY_LINE.exec(text);
      if (!match) break;
      end += match[0].length;
    }
    return end > start ? { secret: [start, end] } : undefined;
  },
};

/**
 * The first line of a private key without its begin mark: RSA, PKCS 8, elliptic curves, OpenSSH. A certificate and a public key begin differently.
 */
const KEY_HEAD =
  /(?:MII[A-Za-z0-9+/]{2}[AQgw]IBA|MI[GH][A-Za-z0-9+/]{1,2}AgEA|MHcCAQEE|MC4CAQA|b3BlbnNzaC1rZXktdjEA)[A-Za-z0-9+/]{24,4096}={0,2}/y;

export const KEY_WITHOUT_MARKS: SecretRule = {
  id: 'private key without its marks',
  words: ['mii', 'mig', 'mih', 'mhccaqee', 'mc4caqa', 'b3blbnnzac1rzxktdjea'],
  look(text, at) {
    KEY_HEAD.lastIndex = at;
    if (!beginsWord(text, at) || !KEY_HEAD.test(text)) return undefined;
    KEY_BODY.lastIndex = KEY_HEAD.lastIndex;
    const body = KEY_BODY.exec(text)?.[0] ?? '';
    return { secret: [at, KEY_HEAD.lastIndex + body.length] };
  },
};
