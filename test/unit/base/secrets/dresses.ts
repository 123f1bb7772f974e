import { type Written, type NotWritten, inForm, splitAt, BREAKS } from './forms';
import type { SecretKind } from './kinds';

/** Form in which a reader sees a secret and the text around it: as tools, terminals and files write it. */
type Dress = (kind: SecretKind) => Written | NotWritten;

/** Each line with something before it, including the lines around it. */
const eachLine =
  (prefix: (line: number) => string): Dress =>
  ({ before, secret, after }) => {
    const lines = ['first line', ...(before + secret + after).split('\n'), 'last line'];
    return { text: lines.map((line, index) => prefix(index + 1) + line).join('\n'), pieces: [secret] };
  };

/** `NAME = ` and the like at the end of the text before a secret. */
const NAMED = /(?<![\p{L}\w.-])(?<name>[\p{L}\w.-]+)["']?[ \t]*(?:=|:|=>|＝|：)[ \t\u00a0]*["']?$/u;
/** A name reveals a secret on its own: `user:` before a password and `value=` do not. */
const SAYS = /pass|pwd|psk|secret|token|key|auth|salt|mnemonic|datadog|heroku|cloudflare|algolia|senha|[^\x00-\x7f]/i;

function nameOf({ before, secret }: SecretKind): string | undefined {
  const name = NAMED.exec(before)?.groups?.['name'];
  return name !== undefined && SAYS.test(name) && !secret.includes('\n') && !before.includes('://') ? name : undefined;
}

const table: Dress = (kind) => {
  const { before, secret, after } = kind;
  const name = nameOf(kind);
  if (name !== undefined) {
    const rows = [
      ['name', 'value'],
      ['region', 'eu-west-1'],
      [name, secret],
    ] as const;
    const width = Math.max(8, name.length);
    return { text: rows.map(([one, other]) => `| ${one.padEnd(width)} | ${other} |`).join('\n'), pieces: [secret] };
  }
  const lines = ['first', ...(before + secret + after).split('\n'), 'last'];
  const width = Math.max(...lines.map((line) => line.length));
  return { text: lines.map((line) => `│ ok │ ${line.padEnd(width)} │`).join('\n'), pieces: [secret] };
};

const markdown: Dress = (kind) => {
  const { before, secret, after } = kind;
  const name = nameOf(kind);
  const text = before + secret + after;
  if (name !== undefined) return { text: `Settings:\n\n- **${name}**: ${secret}\n- **region**: eu`, pieces: [secret] };
  if (text.includes('\n')) return { text: text.replaceAll(/^/gm, '> '), pieces: [secret] };
  return { text: `Run this:\n\n- \`${text}\`\n- then go on`, pieces: [secret] };
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const html: Dress = ({ before, secret, after }) => ({
  text: `<pre><span class="hl-k">${escaped(before)}</span><span class="hl-s">${escaped(secret)}</span>${escaped(after)}</pre>`,
  pieces: [secret, escaped(secret)],
});

const ansi: Dress = ({ before, secret, after }) => ({
  text: `\u001b[1;34m${before}\u001b[0m\u001b[33m${secret}\u001b[0m${after}`,
  pieces: [secret],
});

const json: Dress = ({ before, secret, after }) => {
  const inner = JSON.stringify({ output: `first\n${before}${secret}${after}\nlast` });
  const piece = JSON.stringify(secret).slice(1, -1);
  return { text: JSON.stringify({ result: inner }), pieces: [secret, piece, JSON.stringify(piece).slice(1, -1)] };
};

/** Upper case: the name, not the secret. A kind that is recognised by itself or by a command has no other case. */
const upper: Dress = (kind) =>
  kind.says === 'words' ? inForm(kind, 'upper') : { why: 'nothing but a name is written in another case' };

export const DRESSES = {
  bare: (kind) => inForm(kind, 'plain'),
  'line numbers': eachLine((line) => `${String(line + 8).padStart(6)}\t`),
  log: eachLine((line) => `2026-03-04T05:06:0${line % 10}.123Z api-1  | INFO  `),
  table,
  'JSON in JSON': json,
  HTML: html,
  Markdown: markdown,
  ANSI: ansi,
  'upper case': upper,
  'split line': (kind) => splitAt(kind, Math.floor(kind.secret.length / 2), BREAKS.plain),
  'grep -n': eachLine((line) => `src/config/app.conf:${line + 11}:`),
  diff: eachLine((line) => (line === 1 ? ' ' : '+')),
} satisfies Record<string, Dress>;
