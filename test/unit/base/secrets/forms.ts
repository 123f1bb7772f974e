import type { SecretKind } from './kinds';

/** A secret as it appears in a text, and the pieces of which nothing may survive. */
export interface Written {
  readonly text: string;
  readonly pieces: readonly string[];
}

/** Form in which it is no longer a secret, or the text is unchanged. */
export interface NotWritten {
  readonly why: string;
}

type Writer = (kind: SecretKind) => Written | NotWritten;

const OTHER_CASE = {
  lines: 'the lines around a key are written in one way only',
  command: 'a shell knows a program and its options in one case only',
} as const;

/** The text before it in the other case; the secret itself would become another one, which opens nothing. */
const inCase =
  (change: (text: string) => string): Writer =>
  ({ before, secret, after, says }) =>
    says === 'lines' || says === 'command'
      ? { why: OTHER_CASE[says] }
      : { text: change(before) + secret + after, pieces: [secret] };

/** Broken in the middle by the end of a line, in one of the ways of BREAKS. */
const split: Writer = (kind) => splitAt(kind, Math.floor(kind.secret.length / 2), BREAKS.plain);

/** Encoded as a whole, so that no word of the text is left. */
const encoded =
  (encode: (text: string) => string): Writer =>
  ({ before, secret, after }) => ({ text: encode(before + secret + after), pieces: [encode(secret)] });

const percent = (text: string): string => encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${hex(one)}`);
const hex = (letter: string): string => letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');
const html = (text: string): string => text.replace(/[&<>"'/=]/g, (one) => `&#x${hex(one)};`);

const WRITERS = {
  plain: ({ before, secret, after }) => ({ text: before + secret + after, pieces: [secret] }),
  lower: inCase((text) => text.toLowerCase()),
  upper: inCase((text) => text.toUpperCase()),
  split,
  coloured: ({ before, secret, after }) => {
    const middle = Math.min(3, secret.length - 1);
    const colour = `\u001b[01;31m\u001b[K${secret.slice(0, middle)}\u001b[1m${secret.slice(middle)}\u001b[m\u001b[K`;
    return { text: before + colour + after, pieces: [secret] };
  },
  json: ({ before, secret, after }) => ({
    text: JSON.stringify({ output: `line\n${before}${secret}${after}\nline` }),
    pieces: [secret, JSON.stringify(secret).slice(1, -1)],
  }),
  base64: ({ before, secret, after }) => {
    const text = Buffer.from(before + secret + after).toString('base64');
    return { text, pieces: [text] };
  },
  percent: encoded(percent),
  html: (kind) =>
    html(kind.before + kind.secret + kind.after) === kind.before + kind.secret + kind.after
      ? { why: 'it has no character that HTML writes otherwise' }
      : { ...encoded(html)(kind), pieces: html(kind.secret).split(/&#x..;/) },
} satisfies Record<string, Writer>;

export type Form = keyof typeof WRITERS;
export const FORMS = Object.keys(WRITERS) as readonly Form[];

export const inForm = (kind: SecretKind, form: Form): Written | NotWritten => WRITERS[form](kind);

/** Ways in which the end of a line gets into a secret: the text before each line, and between its halves. */
export interface Break {
  readonly margin: string;
  readonly between: string;
  /** The text is a string of a program, in these quotes. */
  readonly quote?: string;
}

export const BREAKS = {
  plain: { margin: '', between: '\n' },
  windows: { margin: '', between: '\r\n' },
  indented: { margin: '', between: '\n    ' },
  'by a tab': { margin: '', between: '\n\t\t' },
  'with a backslash': { margin: '', between: '\\\n' },
  'with a backslash, indented': { margin: '', between: ' \\\n  ' },
  'in JSON': { margin: '', between: '\\n' },
  'in JSON, from Windows': { margin: '', between: '\\r\\n' },
  'in a quotation': { margin: '> ', between: '\n> ' },
  'in a difference': { margin: '+', between: '\n+' },
  'in a box': { margin: '│ ', between: ' │\n│ ' },
  'with a plus': { margin: '', between: '" +\n  "', quote: '"' },
  'as two strings': { margin: '', between: '"\n    "', quote: '"' },
  'with a dot': { margin: '', between: "' .\n  '", quote: "'" },
} satisfies Record<string, Break>;

/** A secret whose first `at` characters are in one line and the others in the next. */
export function splitAt({ before, secret, after }: SecretKind, at: number, { margin, between, quote }: Break): Written {
  const written = (text: string): string => {
    const escaped = quote === undefined ? text : text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`);
    return escaped.replaceAll('\n', `\n${margin}`);
  };
  const [head, tail] = [secret.slice(0, at), secret.slice(at)];
  const mark = quote ?? '';
  const text = `${margin}${mark}${written(before + head)}${between}${written(tail + after)}${mark}`;
  return { text, pieces: [head, tail] };
}

/** This many consecutive characters of a secret count as a visible part of it. */
const SHOWN = 8;
/** A piece shorter than SHOWN must show completely to count; one shorter than this is ignored. */
const SHORTEST = 6;

/**
 * True if a text contains a part of one of these pieces, checked line by line.
 *
 * @param step checks only one in this many positions, for large texts
 */
export function shows(text: string, pieces: readonly string[], step = 1): boolean {
  return pieces
    .flatMap((piece) => piece.split('\n'))
    .some((piece) => {
      if (piece.length < SHORTEST) return false;
      if (piece.length < SHOWN) return text.includes(piece);
      for (let at = 0; at + SHOWN <= piece.length; at += step)
        if (text.includes(piece.slice(at, at + SHOWN))) return true;
      return false;
    });
}
