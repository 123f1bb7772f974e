import { readable } from '../util/cut';
import { presentable, presentableLine } from '../util/redact';

const LINES = 12;
const WIDTH = 160;

export interface FenceOptions {
  /** 12 where absent. */
  readonly lines?: number;
  /** Characters of a line; 160 where absent. */
  readonly width?: number;
  /** Which end of a long text is kept: the last lines where absent. */
  readonly keep?: 'head' | 'tail';
}

/**
 * Transcript text as a fenced block: redacted, at most 12 lines of 160 characters, with a fence that its content cannot close.
 *
 * It is cleaned first: an invisible character in the middle of a secret would hide the secret from `redact`.
 */
export function fenced(text: string, options: FenceOptions = {}): string {
  const { lines: most = LINES, width = WIDTH, keep = 'tail' } = options;
  const lines = presentable(readable(text))
    .split('\n')
    .filter((line, index, all) => line.trim() !== '' || index < all.length - 1);
  const kept = keep === 'tail' ? lines.slice(-most) : lines.slice(0, most);
  const shown = kept.map((line) => (line.length > width ? `${line.slice(0, width - 1)}…` : line));
  const longest = Math.max(2, ...shown.map((line) => /`{3,}/.exec(line)?.[0].length ?? 0));
  const fence = '`'.repeat(longest + 1);
  const out = lines.length - kept.length;
  const above = out > 0 && keep === 'tail' ? [`(${out} lines above left out)`] : [];
  const below = out > 0 && keep === 'head' ? [`(${out} lines below left out)`] : [];
  return [fence, ...above, ...shown, ...below, fence].join('\n');
}

/** Calls, items and the like as one fenced block, one a line. */
export function fencedLines(texts: readonly string[]): string {
  return fenced(texts.map(oneLine).join('\n'), { lines: texts.length, width: 300 });
}

/** Transcript text of one line: redacted, one line, at most 300 characters. */
export function oneLine(text: string): string {
  return presentableLine(readable(text), 300);
}
