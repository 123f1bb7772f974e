import { counted, whole } from '../../../base/util/counts';
import { signs, signsInLine } from '../../../base/util/showable';
import { clockSeconds } from '../format';

/** One entry as a person reads it. */
export interface ExcerptEntry {
  readonly kind: 'person' | 'program' | 'agent' | 'call' | 'error' | 'note';
  readonly at: number;
  /** 1-based line of the transcript; 0 where it is not known. */
  readonly line: number;
  /** Text of a message; name of a call. */
  readonly text: string;
  /** Arguments of a call; empty where its name includes them. */
  readonly input?: string;
  readonly result?: { readonly text: string; readonly failed: boolean; readonly at: number };
  /** True for the requested place. */
  readonly isLit: boolean;
}

/** A piece of a transcript around one of its lines. */
export interface Excerpt {
  readonly agentName: string;
  readonly file: string;
  readonly entries: readonly ExcerptEntry[];
  /** True if it comes from the history because the transcript is gone. */
  readonly isKept?: true;
}

export interface ExcerptText {
  readonly text: string;
  /** Lines [from, to), 0-based, of the requested place. */
  readonly lit: readonly [number, number];
  /** Lines that are the head of an entry. */
  readonly heads: readonly number[];
}

/** Number of lines shown of one text, for the lit entry and for the others: its first and its last lines. */
const LIT_LINES = 400;
const OTHER_LINES = 24;
/** Longest line. Characters. */
const LONGEST = 2_000;

function keptNotice(): string {
  return 'Copy from the history: the transcript is gone, was replaced or cannot be read. Long texts are shortened and secrets removed.';
}

/**
 * Writes a piece of a transcript as text: the speakers, each call with its result, and the line number of the transcript to the right of each head.
 */
export function excerptText({ agentName, file, entries, isKept }: Excerpt): ExcerptText {
  const lines: string[] = [];
  const heads: number[] = [];
  let lit: readonly [number, number] = [0, 0];
  const first = entries.find(({ line }) => line > 0)?.line;
  const last = entries.findLast(({ line }) => line > 0)?.line;
  lines.push(
    first === undefined || last === undefined ? agentName : `${agentName}, lines ${whole(first)} to ${whole(last)}`,
  );
  lines.push(signsInLine(file));
  if (isKept) lines.push(keptNotice());
  lines.push('');
  for (const entry of entries) {
    const from = lines.length;
    const most = entry.isLit ? LIT_LINES : OTHER_LINES;
    heads.push(from);
    const place = entry.line > 0 ? `    line ${whole(entry.line)}` : '';
    lines.push(`${clockSeconds(entry.at)}  ${headOf(entry, agentName)}${place}`);
    if (entry.kind !== 'call') lines.push(...block(entry.text, most));
    else {
      if (entry.input) lines.push(...block(entry.input, most));
      if (entry.result) {
        const time = clockSeconds(entry.result.at);
        lines.push(`    ${entry.result.failed ? '✗ failed' : '→ result'}, ${time}`);
        lines.push(...block(entry.result.text, most));
      } else lines.push('    no result yet');
    }
    if (entry.isLit) lit = [from, lines.length];
    lines.push('');
  }
  return { text: lines.join('\n'), lit, heads };
}

function headOf({ kind, text }: ExcerptEntry, agentName: string): string {
  switch (kind) {
    case 'person':
      return 'You';
    case 'program':
      return 'A program';
    case 'agent':
      return agentName;
    case 'call':
      return text === '' ? 'Result of an earlier call' : `Call: ${signsInLine(text)}`;
    case 'error':
      return 'Error';
    case 'note':
      return 'Note';
  }
}

/** Writes a text as indented lines, without its middle if it is long. */
function block(text: string, most: number): string[] {
  const all = signs(text).split('\n');
  while (all.length > 1 && all.at(-1) === '') all.pop();
  const cut = (line: string) => `    ${line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line}`.trimEnd();
  if (all.length <= most) return all.map(cut);
  const half = Math.floor(most / 2);
  const left = all.length - 2 * half;
  return [...all.slice(0, half).map(cut), `    … ${counted(left, 'line')} more …`, ...all.slice(-half).map(cut)];
}
