import { whole } from '../../../base/util/counts';
import type { TimelinePattern } from '../../panel-model';
import { cutWords } from '../../../core/words';
import { LANES, type TimelineSteps, laneOf, lettersOf } from './steps';
import { type Geometry, xOf } from './window';

export interface Arc {
  readonly from: number;
  readonly to: number;
}

/** The line under all tiles of a single pattern. */
export interface Bracket {
  readonly from: number;
  readonly to: number;
  /** `×6 same result`; empty if it does not fit between the ends, since the name of the lane says it too. */
  readonly words: string;
  readonly wordsWidth: number;
}

export interface PatternLayout {
  readonly arcs: readonly Arc[];
  readonly brackets: readonly Bracket[];
}

/** Text in the gutter next to a lane. */
export interface LaneName {
  readonly lane: number;
  /** `A ×33`. */
  readonly words: string;
  /** The call, cut to the available room. */
  readonly call: string;
  readonly callX: number;
}

export interface Measure {
  readonly words: (text: string) => number;
  readonly call: (text: string) => number;
}

/** Distance from the middle of a tile to the end of its bracket. */
const END = 8;
/** Minimum length of a bracket's line on either side of its words. */
const LINE = 16;
const AIR = 8;

/** Lays out the arcs and brackets of single patterns. Two or more letters have lanes, and the zigzag of their tiles is the picture. */
export function layoutPatterns(steps: TimelineSteps, geometry: Geometry, measure: Measure): PatternLayout {
  const arcs: Arc[] = [];
  const brackets: Bracket[] = [];
  const letters = lettersOf(steps.data.patterns);
  for (const pattern of steps.data.patterns) {
    if ((letters.get(pattern.group) ?? 1) > 1) continue;
    const visible = pattern.steps.filter((step) => step >= geometry.from && step < geometry.to);
    const first = visible[0];
    const last = visible.at(-1);
    if (first === undefined || last === undefined || visible.length < 2) continue;
    visible.slice(1).forEach((step, index) => {
      arcs.push({ from: xOf(geometry, visible[index] ?? step), to: xOf(geometry, step) });
    });
    const from = xOf(geometry, first) - END;
    const to = xOf(geometry, last) + END;
    const words = `×${pattern.count} ${pattern.words}`;
    const wordsWidth = measure.words(words);
    const fits = wordsWidth + 2 * (AIR + LINE) <= to - from;
    brackets.push({ from, to, words: fits ? words : '', wordsWidth: fits ? wordsWidth : 0 });
  }
  return { arcs, brackets };
}

/** Returns the newest pattern of each lane, whether its steps are in view or not. Letters that share the last lane come after its first. */
function namedBy(steps: TimelineSteps): ReadonlyMap<number, TimelinePattern> {
  const letters = lettersOf(steps.data.patterns);
  const newest = new Map<number, TimelinePattern>();
  for (const pattern of steps.data.patterns) {
    const lane = laneOf(pattern, letters.get(pattern.group) ?? 1);
    if (newest.get(lane)?.group !== pattern.group) newest.set(lane, pattern);
  }
  return newest;
}

/** Returns the name of each lane, never wider than `room` px. It does not depend on free space between the steps. */
export function laneNames(steps: TimelineSteps, room: number, measure: Measure): LaneName[] {
  const letters = lettersOf(steps.data.patterns);
  return [...namedBy(steps)].map(([lane, pattern]) => {
    const more = lane === LANES - 1 ? (letters.get(pattern.group) ?? 1) - LANES : 0;
    const words = `${pattern.letter}${more > 0 ? `+${more}` : ''} ×${pattern.count}`;
    const callX = measure.words(words) + AIR;
    return { lane, words, callX, call: cutTo(pattern.subject, room - callX, measure.call) };
  });
}

/** Returns the full text for which the name of a lane stands: `A: pytest -q, same result 6 times`. */
export function wholeName(steps: TimelineSteps, lane: number): string | undefined {
  const pattern = namedBy(steps).get(lane);
  return pattern && `${pattern.letter}: ${pattern.subject}, ${bracketWords(pattern)}`;
}

/** Returns whether a lane has several patterns, so that its name in the gutter cannot stand for all. */
export function isLaneShared(patterns: readonly TimelinePattern[]): boolean {
  const letters = lettersOf(patterns);
  const lanes = patterns.map((pattern) => laneOf(pattern, letters.get(pattern.group) ?? 1));
  return new Set(lanes).size < lanes.length;
}

/** Returns `same result 6 times`. */
function bracketWords(pattern: TimelinePattern): string {
  return `${pattern.words} ${whole(pattern.count)} times`;
}

function cutTo(text: string, room: number, measure: (text: string) => number): string {
  if (measure(text) <= room) return text;
  // The font is monospaced, so no search is needed.
  const characters = Math.floor(room / measure('x')) - 1;
  return characters < 3 ? '' : cutWords(text, characters);
}
