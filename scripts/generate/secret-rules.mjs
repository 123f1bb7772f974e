// Turns gitleaks' rules into src/util/secrets/gitleaks.data.ts: `node scripts/generate/secret-rules.mjs gitleaks.toml VERSION`.
//
// Go's regular expressions become JavaScript's: inline flags are spelled out, repeats without an upper bound get one (so that a rule looks
// at a bounded piece of text), and the marks that must follow a token are dropped, since a redacted text may end anywhere.
import { readFileSync, writeFileSync } from 'node:fs';

const [file, version] = process.argv.slice(2);
if (file === undefined || version === undefined) throw new Error('usage: secret-rules.mjs gitleaks.toml VERSION');

/** Rules that are left out, and why. */
const LEFT_OUT = {
  'own rule': [
    'generic-api-key',
    'curl-auth-header',
    'curl-auth-user',
    'kubernetes-secret-yaml',
    'private-key',
    'jwt',
    'jwt-base64',
    'nuget-config-password',
    'hashicorp-tf-password',
    'sidekiq-sensitive-url',
    'freemius-secret-key',
    'microsoft-teams-webhook',
    'openai-api-key',
    'new-relic-browser-api-token',
    'new-relic-insert-key',
    'new-relic-user-api-key',
    'typeform-api-token',
    'gitlab-session-cookie',
    'slack-webhook-url',
    'lob-api-key',
    'telegram-bot-api-token',
    'sourcegraph-access-token',
    'defined-networking-api-token',
  ],
  'an id, not a secret': [
    'adobe-client-id',
    'asana-client-id',
    'discord-client-id',
    'linkedin-client-id',
    'plaid-client-id',
    'messagebird-client-id',
    'bitbucket-client-id',
    'sumologic-access-id',
    'sendbird-access-id',
    'new-relic-user-api-id',
    'flutterwave-public-key',
    'lob-pub-api-key',
    'mailgun-pub-key',
  ],
  'a name of a file': ['pkcs12-file'],
  'has no word at a fixed place': ['facebook-access-token'],
};
const leftOut = new Set(Object.values(LEFT_OUT).flat());
/** Tokens that begin so many characters before their word. */
const BEFORE = { 'azure-ad-client-secret': 4, 'hashicorp-tf-api-token': 15, 'maxmind-license-key': 36 };
const LONGEST = 2048;

const END = /\(\?:(?:\[\\x60'"\\s;\]\|\\\\\[nr\]\|\$|\[\^\\w-\]\|\\z|\[\^a-zA-Z0-9\+\/\]\|\\z)(?:\|\\b)?\)/g;
const NAME_GAP = `(?:[ \\t\\w.-]{0,20})[\\s'"]{0,3}`;
const SEPARATOR = `(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)[\\x60'"\\s=]{0,5}`;

const toml = readFileSync(file, 'utf8');
const tokens = [];
const named = [];
for (const block of toml.split(/^\[\[rules\]\]$/m).slice(1)) {
  const id = /^id = "(.*)"/m.exec(block)?.[1];
  const regex = /^regex = '''([\s\S]*?)'''/m.exec(block)?.[1];
  if (leftOut.has(id)) continue;
  const entropy = Number(/^entropy = (.*)$/m.exec(block)?.[1] ?? 0);
  const words = [...(/^keywords = \[([\s\S]*?)\]/m.exec(block)?.[1] ?? '').matchAll(/"([^"]*)"/g)].map(
    (match) => match[1],
  );
  for (const part of partsOf(id, regex)) add(id, part, words, entropy);
}

/** A rule of two forms is two rules. */
function partsOf(id, regex) {
  if (id !== 'atlassian-api-token') return [regex];
  const middle = regex.indexOf('|\\b(ATATT3');
  return [regex.slice(0, middle), regex.slice(middle + 1)];
}

function add(id, regex, words, entropy) {
  const clean = regex.replace(END, '(?![A-Za-z0-9])');
  const gap = clean.indexOf(NAME_GAP);
  if (gap < 0) {
    const before = BEFORE[id];
    // The marks around it are only looked at.
    const bare = id === 'azure-ad-client-secret' ? /\(\[a-zA-Z.*\{31,34\}\)/.exec(clean)[0] : clean;
    tokens.push({
      id,
      words: words.map((word) => (word === 's-s4t2' ? word : word)),
      ...(before !== undefined && { before }),
      ...translated(bare.replace(/^(\(\?i\))?\\b/, '$1')),
      entropy,
    });
    return;
  }
  const name = clean.slice(0, gap).replace('[\\w.-]{0,50}?', '').replace('(?i:[\\w.-]{0,50}?', '(?i:');
  const value = clean.slice(clean.indexOf(SEPARATOR) + SEPARATOR.length);
  const all = translated(`(?i)${name.replace(/^\(\?i\)|^\(\?i:/, '').replaceAll('(?-i:', '(?:')}`);
  const isAnyCase = clean.startsWith('(?i)');
  named.push({
    id,
    words: wordsOf(all.pattern, words),
    name: all.pattern,
    value: translated((isAnyCase ? '(?i)' : '') + value).pattern,
    ...(isAnyCase && { anyCase: true }),
    entropy,
  });
}

/** The words with which the name of a rule can begin. */
function wordsOf(name, words) {
  const begins = new RegExp(`^(?:${name})`, 'i');
  const own = words.filter((word) => begins.test(word));
  if (own.length > 0) return own;
  const literal = /^[(?:]*([a-z]+)/i.exec(name)?.[1].toLowerCase();
  if (!literal) throw new Error(`no word for ${name}`);
  return [literal];
}

/** Go's regular expression as JavaScript's. */
function translated(source) {
  let text = source.replaceAll('(?P<', '(?<').replaceAll('\\z', '$');
  const wholly = text.startsWith('(?i)');
  if (wholly) text = text.slice(4);
  const simple = wholly && !text.includes('(?-i:');
  return {
    pattern: bounded(simple ? text.replaceAll('(?i)', '').replaceAll('(?i:', '(?:') : spelledOut(text, wholly)),
    ...(simple && { anyCase: true }),
  };
}

/** Inline flags spelled out: `(?i:ab)` becomes `[aA][bB]`. */
function spelledOut(text, start) {
  const stack = [];
  let any = start;
  let isClass = false;
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const rest = text.slice(i);
    const flags = /^\(\?(-?i)(\)|:)/.exec(rest);
    const letter = text[i];
    if (!isClass && flags) {
      if (flags[2] === ':') {
        stack.push(any);
        out += '(?:';
      }
      any = flags[1] === 'i';
      i += flags[0].length - 1;
    } else if (letter === '\\') {
      out += text.slice(i, i + 2);
      i++;
    } else if (isClass) {
      const range = /^([a-z])-([a-z])/.exec(rest) ?? /^([A-Z])-([A-Z])/.exec(rest);
      if (range && any) {
        out += `${range[0].toLowerCase()}${range[0].toUpperCase()}`;
        i += 2;
      } else if (/[a-z]/i.test(letter) && any && !range) out += letter.toLowerCase() + letter.toUpperCase();
      else {
        out += letter;
        if (letter === ']') isClass = false;
        else if (range) {
          out += rest.slice(1, 3);
          i += 2;
        }
      }
    } else {
      if (letter === '[') isClass = true;
      if (letter === '(') stack.push(any);
      if (letter === ')') any = stack.pop() ?? any;
      out +=
        any && /[a-z]/i.test(letter) && !(letter === '?') && text[i - 1] !== '?'
          ? `[${letter.toLowerCase()}${letter.toUpperCase()}]`
          : letter;
    }
  }
  return out;
}

/** Repeats without an upper bound get one. */
function bounded(text) {
  let out = '';
  let isClass = false;
  for (let i = 0; i < text.length; i++) {
    const letter = text[i];
    if (letter === '\\') {
      out += text.slice(i, i + 2);
      i++;
      continue;
    }
    if (letter === '[') isClass = true;
    if (letter === ']') isClass = false;
    const open = /^\{(\d+),\}/.exec(text.slice(i));
    if (!isClass && open) {
      out += `{${open[1]},${LONGEST}}`;
      i += open[0].length - 1;
    } else if (!isClass && letter === '+') out += '{1,256}';
    else if (!isClass && letter === '*') out += '{0,256}';
    else out += letter;
  }
  return new RegExp(out, 'd').source.replaceAll('\\/', '/');
}

const licence = `The MIT License (MIT). Copyright (c) 2019 Zachary Rice

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the
following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

const row = (rule) => `  ${JSON.stringify(rule)},`;
writeFileSync(
  'src/util/secrets/gitleaks.data.ts',
  `/*!
Made by scripts/generate/secret-rules.mjs from the rules of gitleaks (${version}); do not edit.

${licence}
*/

/** A token that says by its form what it is. */
export interface TokenData {
  readonly id: string;
  /** One of them stands where the token begins, or \`before\` characters behind that. */
  readonly words: readonly string[];
  readonly before?: number;
  readonly pattern: string;
  readonly anyCase?: true;
  /** Shannon entropy in bits a character that it has at least; 0: any. */
  readonly entropy: number;
}

/** A value that only the name of its service gives away. */
export interface NamedData {
  readonly id: string;
  readonly words: readonly string[];
  readonly name: string;
  readonly value: string;
  readonly anyCase?: true;
  readonly entropy: number;
}

export const TOKENS: readonly TokenData[] = [
${tokens.map(row).join('\n')}
];

export const NAMED: readonly NamedData[] = [
${named.map(row).join('\n')}
];
`,
);
console.log(`${tokens.length} tokens, ${named.length} named values, ${leftOut.size} left out`);
