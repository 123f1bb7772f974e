import type { TimelinePattern } from '../../panel';
import { LANES, type Steps } from './steps';
import { type Geometry, xOf } from './window';

/** The words of a pattern, and where they stand. */
export interface PatternLabel {
  /** `×6 same result`; empty where there is no room even for it. */
  readonly words: string;
  /** The call, in mono; empty where there is no room for it. */
  readonly call: string;
  readonly x: number;
  readonly wordsWidth: number;
  /** Ends of the bracket; null where the words fill it. */
  readonly bracket: { readonly from: number; readonly to: number; readonly right: number } | null;
  /** Lane of the label; null for the bracket's own line. */
  readonly lane: number | null;
}

export interface Arc {
  readonly from: number;
  readonly to: number;
}

export interface PatternLayout {
  readonly arcs: readonly Arc[];
  readonly labels: readonly PatternLabel[];
}

export interface Measure {
  readonly words: (text: string) => number;
  readonly call: (text: string) => number;
}

/** From the middle of a tile to the end of its bracket. */
const END = 8;
const AIR = 8;
const GAP = 12;

/**
 * Arcs and brackets of single patterns, labels of lanes. Arcs join neighbours of the chain; two or more letters have lanes, and the zigzag
 * of their tiles is the picture.
 */
export function layoutPatterns(steps: Steps, geometry: Geometry, measure: Measure): PatternLayout {
  const arcs: Arc[] = [];
  const labels: PatternLabel[] = [];
  const letters = new Map<string, number>();
  for (const pattern of steps.data.patterns) letters.set(pattern.group, (letters.get(pattern.group) ?? 0) + 1);
  // From the newest: where words of two patterns meet, the older one gives way.
  let free = geometry.width;
  for (const pattern of [...steps.data.patterns].reverse()) {
    const visible = pattern.steps.filter((step) => step >= geometry.from && step < geometry.to);
    const first = visible[0];
    const last = visible.at(-1);
    if (first === undefined || last === undefined) continue;
    const several = letters.get(pattern.group) ?? 1;
    if (several > 1) {
      const label = laneLabel(
        pattern,
        several,
        xOf(geometry, first) - END,
        xOf(geometry, last) + END,
        geometry,
        measure,
      );
      if (label) labels.push(label);
      continue;
    }
    if (visible.length < 2) continue;
    visible.slice(1).forEach((step, index) => {
      arcs.push({ from: xOf(geometry, visible[index] ?? step), to: xOf(geometry, step) });
    });
    const label = bracketLabel(pattern, xOf(geometry, first) - END, xOf(geometry, last) + END, geometry, free, measure);
    labels.push(label);
    free = Math.min(label.bracket?.from ?? label.x, label.words ? label.x : free) - GAP;
  }
  return { arcs, labels };
}

function wordsOf(pattern: TimelinePattern): string {
  return `×${pattern.count} ${pattern.words}`;
}

function bracketLabel(
  pattern: TimelinePattern,
  from: number,
  to: number,
  geometry: Geometry,
  free: number,
  measure: Measure,
): PatternLabel {
  const words = wordsOf(pattern);
  const wordsWidth = measure.words(words);
  const gap = GAP;
  for (const call of [pattern.subject, '']) {
    const width = wordsWidth + (call ? gap + measure.call(call) : 0);
    const x = Math.min(Math.max((from + to) / 2 - width / 2, geometry.left), Math.min(geometry.width, free) - width);
    // A long call is left out sooner than that the words go astray from their tiles.
    if (x < geometry.left || (call && width > Math.max(240, to - from) * 1.5)) continue;
    const bracket = to - from > width + 40 ? { from, to, right: x + width + AIR } : null;
    return { words, call, x, wordsWidth, bracket, lane: null };
  }
  return {
    words: '',
    call: '',
    x: from,
    wordsWidth: 0,
    bracket: { from, to, right: from },
    lane: null,
  };
}

function laneLabel(
  pattern: TimelinePattern,
  letters: number,
  from: number,
  to: number,
  geometry: Geometry,
  measure: Measure,
): PatternLabel | null {
  const letter = pattern.letter.charCodeAt(0) - 64;
  if (letter > LANES) return null;
  const lane = Math.max(1, letter) - 1;
  const shared = lane === LANES - 1 && letters > LANES ? ` ${pattern.letter}+${letters - LANES}` : '';
  const long = `${wordsOf(pattern)}${shared}`;
  const short = `×${pattern.count}${shared}`;
  for (const [words, call] of [
    [long, pattern.subject],
    [short, pattern.subject],
    [short, ''],
  ] as const) {
    const wordsWidth = measure.words(words);
    const width = wordsWidth + (call ? GAP + measure.call(call) : 0);
    const left = from - AIR - width;
    const x = left >= geometry.left ? left : to + AIR;
    if (x + width > geometry.width) continue;
    return { words, call, x, wordsWidth, bracket: null, lane };
  }
  return null;
}
