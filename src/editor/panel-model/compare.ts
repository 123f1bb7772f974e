import type { PanelSample } from './snapshot';
import { counted } from '../../base/util/counts';

/** A stretch of a line. An ignored stretch was left out of the comparison. */
export interface Segment {
  readonly text: string;
  readonly ignored: boolean;
}

export interface ComparedLine {
  readonly segments: readonly Segment[];
  /** True for a line that appears in only one of the two results. */
  readonly differs: boolean;
}

/** One result; while it is folded, only its lines [from, to) are shown. */
export interface ComparedResult {
  readonly lines: readonly ComparedLine[];
  readonly from: number;
  readonly to: number;
}

export interface Comparison {
  /** `equal`, `equal when 1 duration is ignored`, `2 lines differ`. */
  readonly heading: string;
  readonly first: ComparedResult;
  readonly last: ComparedResult;
}

/** Number of lines of a folded result. */
export const FOLDED_LINES = 12;
/** Number of lines shown before the first that differs. */
const BEFORE = 3;
/** Longer middles are marked as a whole: the comparison must not cost more than the result is worth. */
const LONGEST_MIDDLE = 400;

interface Line {
  readonly segments: readonly Segment[];
  /** The line with each ignored part as one sign, so that equal lines have equal keys. */
  readonly key: string;
}

export function compare(first: PanelSample, last: PanelSample): Comparison {
  const a = linesOf(first);
  const b = linesOf(last);
  const differing = differences(a, b);
  const [inFirst, inLast] = differing;
  const count = Math.max(inFirst.size, inLast.size);
  return {
    heading: count > 0 ? counted(count, 'line differs', 'lines differ') : ignoredWords(first, last),
    first: fold(a, inFirst),
    last: fold(b, inLast),
  };
}

/** A ruler of repeated signs, as test runners draw it across their terminal: `==== FAILURES ====`. */
const RULER = /([=_*#~-])\1{7,}/g;
const SHORT_RULER = 4;

/** Returns the compared form of a result: each ignored part by its kind, and long rulers shortened. Equal results have equal forms. */
export function comparedText(sample: Pick<PanelSample, 'text' | 'ignored'>): string {
  let text = '';
  let from = 0;
  for (const [start, end] of sample.ignored) {
    text += `${sample.text.slice(from, start)}⟨${kindOf(sample.text, start, end)}⟩`;
    from = end;
  }
  text += sample.text.slice(from);
  return withShortRulers(text);
}

/** Shortens the rulers of a text so that they do not fill the width of a terminal: in a narrower box they would wrap and add nothing. */
export function withShortRulers(text: string): string {
  return text.replace(RULER, (ruler) => ruler.slice(0, SHORT_RULER));
}

/** Returns one result that is compared with nothing. */
export function alone(sample: PanelSample): ComparedResult {
  return fold(linesOf(sample), new Set());
}

function linesOf(sample: PanelSample): Line[] {
  const lines: Line[] = [];
  let segments: Segment[] = [];
  let key = '';
  const add = (text: string, ignored: boolean) => {
    text.split('\n').forEach((piece, index) => {
      if (index > 0) {
        lines.push({ segments, key });
        segments = [];
        key = '';
      }
      if (piece === '') return;
      segments.push({ text: piece, ignored });
      key += ignored ? '\0' : piece;
    });
  };
  let from = 0;
  for (const [start, end] of sample.ignored) {
    add(sample.text.slice(from, start), false);
    add(sample.text.slice(start, end), true);
    from = end;
  }
  add(sample.text.slice(from), false);
  lines.push({ segments, key });
  while (lines.length > 1 && lines.at(-1)?.segments.length === 0) lines.pop();
  return lines;
}

/** Returns the indices of the lines that appear in only one of the two. Common head and tail are cut off; the middle is matched line by line. */
function differences(a: readonly Line[], b: readonly Line[]): readonly [Set<number>, Set<number>] {
  let head = 0;
  while (head < a.length && head < b.length && a[head]?.key === b[head]?.key) head++;
  let tail = 0;
  while (
    tail < a.length - head &&
    tail < b.length - head &&
    a[a.length - 1 - tail]?.key === b[b.length - 1 - tail]?.key
  ) {
    tail++;
  }
  const inA = new Set(range(head, a.length - tail));
  const inB = new Set(range(head, b.length - tail));
  if (inA.size > LONGEST_MIDDLE || inB.size > LONGEST_MIDDLE) return [inA, inB];
  for (const [i, j] of longestCommon(a, b, head, a.length - tail, b.length - tail)) {
    inA.delete(i);
    inB.delete(j);
  }
  return [inA, inB];
}

/** Returns pairs of equal lines in order, by the usual table of longest common subsequences. */
function longestCommon(a: readonly Line[], b: readonly Line[], head: number, endA: number, endB: number) {
  const rows = endA - head;
  const columns = endB - head;
  const width = columns + 1;
  const length = new Uint16Array((rows + 1) * width);
  const at = (i: number, j: number) => length[i * width + j] ?? 0;
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const equal = a[head + i]?.key === b[head + j]?.key;
      length[i * width + j] = equal ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    if (a[head + i]?.key === b[head + j]?.key) pairs.push([head + i++, head + j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

/** Folds the lines to a window around the first that differs. Without one the window is at the end, where results say how they ended. */
function fold(lines: readonly Line[], differing: ReadonlySet<number>): ComparedResult {
  const anchor = differing.size > 0 ? Math.min(...differing) : lines.length;
  const newest = Math.max(0, lines.length - FOLDED_LINES);
  const from = Math.max(0, Math.min(anchor - BEFORE, newest));
  return {
    lines: lines.map(({ segments }, index) => ({ segments, differs: differing.has(index) })),
    from,
    to: Math.min(lines.length, from + FOLDED_LINES),
  };
}

type IgnoredKind = 'duration' | 'time' | 'address' | 'id' | 'folder number' | 'path' | 'number' | 'part';

/** Says what differs in the ignored parts, by kind: `equal when 1 duration and 1 folder number are ignored`. */
function ignoredWords(first: PanelSample, last: PanelSample): string {
  const texts = (sample: PanelSample) => sample.ignored.map(([start, end]) => sample.text.slice(start, end));
  const inFirst = texts(first);
  const inLast = texts(last);
  const paired = inFirst.length === inLast.length;
  const kinds = new Map<IgnoredKind, number>();
  last.ignored.forEach(([start, end], index) => {
    if (paired && inFirst[index] === inLast[index]) return;
    const kind = kindOf(last.text, start, end);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  });
  const total = [...kinds.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return 'equal';
  const named = [...kinds].sort((a, b) => rank(a[0]) - rank(b[0])).map(([kind, count]) => COUNTED[kind](count));
  const words = named.length < 2 ? named.join('') : `${named.slice(0, -1).join(', ')} and ${named.at(-1) ?? ''}`;
  return total === 1 ? `equal when ${words} is ignored` : `equal when ${words} are ignored`;
}

const COUNTED: Readonly<Record<IgnoredKind, (count: number) => string>> = {
  duration: (count) => counted(count, 'duration'),
  time: (count) => counted(count, 'time'),
  address: (count) => counted(count, 'address', 'addresses'),
  id: (count) => counted(count, 'id'),
  'folder number': (count) => counted(count, 'folder number'),
  path: (count) => counted(count, 'path'),
  number: (count) => counted(count, 'number'),
  part: (count) => counted(count, 'part'),
};

const ORDER: readonly IgnoredKind[] = ['duration', 'time', 'folder number', 'path', 'address', 'id', 'number', 'part'];

function rank(kind: IgnoredKind): number {
  return ORDER.indexOf(kind);
}

/** Classifies an ignored part by its form. */
function kindOf(text: string, start: number, end: number): IgnoredKind {
  const part = text.slice(start, end);
  const before = text.slice(Math.max(0, start - 1), start);
  const after = text.slice(end, end + 1);
  if (/^\d+(\.\d+)?\s*(ns|µs|us|ms|s|sec|secs|seconds?|m|min|minutes?|h)$/i.test(part)) return 'duration';
  if (/^\d+(\.\d+)?$/.test(part) && /^\s*(ns|µs|us|ms|s|sec|seconds?|min)\b/i.test(text.slice(end, end + 10))) {
    return 'duration';
  }
  if (/\d{1,2}:\d{2}/.test(part) || /^\d{4}-\d{2}-\d{2}/.test(part)) return 'time';
  if (/^0x[\da-f]+$/i.test(part)) return 'address';
  if (/^\d+$/.test(part)) return /[-_/\\]/.test(before) && /[-_/\\]/.test(after) ? 'folder number' : 'number';
  if (/[/\\]/.test(part)) return 'path';
  return /^[\da-f-]{7,}$/i.test(part) ? 'id' : 'part';
}
