import { readable } from '../base/util/cut';
import { inFence } from '../base/util/fences';
import { presentable, presentableLine } from '../base/util/redact';
import { counted } from '../core/words/format';

const LINES = 12;
const WIDTH = 160;

export interface FenceOptions {
  /** Default: 12. */
  readonly lines?: number;
  /** Characters of a line. Default: 160. */
  readonly width?: number;
  /** The end of a long text that is kept. Default: its last lines. */
  readonly keep?: 'head' | 'tail';
  /** Finds the important part of the text, within one of its lines: the lines around it are kept. Without it, `keep` decides. */
  readonly around?: (text: string) => string | null;
}

/**
 * Formats transcript text as a fenced block: redacted, at most 12 lines of 160 characters, with a fence that its content cannot close.
 *
 * It is cleaned first: an invisible character in the middle of a secret would hide the secret from `redact`.
 */
export function fenced(text: string, options: FenceOptions = {}): string {
  const { lines: most = LINES, width = WIDTH } = options;
  const clean = presentable(readable(text));
  const lines = clean
    .replace(/^\s*\n/, '')
    .trimEnd()
    .split('\n');
  const from = firstKept(lines, most, clean, options);
  const shown = lines
    .slice(from, from + most)
    .map((line) => (line.length > width ? `${line.slice(0, width - 1)}…` : line));
  const rest = lines.length - from - shown.length;
  const above = from > 0 ? [`(${counted(from, 'line')} above left out)`] : [];
  const below = rest > 0 ? [`(${counted(rest, 'line')} below left out)`] : [];
  return inFence([...above, ...shown, ...below].join('\n'));
}

/** Lines that are kept above the important one. */
const BEFORE = 3;

/** Returns the index of the first line that is kept: at the end or the beginning of the text, or around the important line. */
function firstKept(lines: readonly string[], most: number, clean: string, { keep, around }: FenceOptions): number {
  const last = Math.max(0, lines.length - most);
  if (keep === 'head' || last === 0) return 0;
  const part = around?.(clean)?.trim().slice(0, PART) ?? '';
  const found = part === '' ? -1 : lines.findLastIndex((line) => line.includes(part));
  return found < 0 ? last : Math.min(last, Math.max(0, found - BEFORE));
}

/** The important part may be shortened, or joined from two lines: its beginning finds the line. */
const PART = 60;

/** Formats calls, items and the like as one fenced block, one per line. */
export function fencedLines(texts: readonly string[]): string {
  return fenced(texts.map(quotedLine).join('\n'), { lines: texts.length, width: 300 });
}

/** Formats transcript text as one line: redacted, at most 300 characters. */
export function quotedLine(text: string): string {
  return presentableLine(readable(text), 300);
}

/** Formats the same without backticks, which end inline code and mean "failed" in a text for an agent (see drafts/retry-context). */
export function plainLine(text: string): string {
  return quotedLine(text).replaceAll('`', "'");
}
