import { presentableLine } from './redact';

/** Writes a table of names and values without a header. The values become plain text. */
export function valueTable(rows: readonly (readonly [string, string])[]): string[] {
  return [
    '| | |',
    '| --- | --- |',
    ...rows.map(([name, value]) => `| ${name} | ${escaped(value).replaceAll('|', '\\|')} |`),
  ];
}

/**
 * Returns the text as plain text on one line, without any Markdown or HTML. Redacted first, since the escapes of Markdown would break up the names of
 * secrets.
 */
export function escaped(text: string): string {
  return presentableLine(text).replace(/[\\`*_{}[\]<>#!~]/g, '\\$&');
}

/** Puts a text into a code span whose marks are longer than any within. */
export function codeSpan(text: string): string {
  const line = presentableLine(text);
  if (line === '') return '';
  const marks = '`'.repeat(longestRun(line) + 1);
  return marks.length === 1 ? `\`${line}\`` : `${marks} ${line} ${marks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
}
