import { whole } from '../../../base/util/counts';
import {
  type StepSubjects,
  type TimelineData,
  type TimelineMode,
  type TimelinePattern,
  hasFailed,
  heightOf,
  isFirst,
  isPatternRepeat,
  letterIndex,
  wasSeen,
} from '../../panel-model';
import { type Sentence, clockSeconds, code, duration, say } from '../../../core/words';
import type { StepRange } from './window';

/** The place of a step in a pattern. */
export interface PatternPlace {
  readonly pattern: TimelinePattern;
  /** 0-based index among the listed steps. */
  readonly index: number;
  /** Lane below the line, 0..2. The third and all later letters share the last. */
  readonly lane: number;
}

/** Maximum number of lanes; further letters share the last. */
export const LANES = 3;

/** A timeline prepared for look-ups of single steps. */
export interface TimelineSteps {
  readonly data: TimelineData;
  readonly range: StepRange;
  readonly places: ReadonlyMap<number, PatternPlace>;
  /** Lanes that the detail needs, 1..3. */
  readonly lanes: number;
  /** Marks that are drawn anywhere. The legend names no others. */
  readonly shown: ShownMarks;
}

/** Marks of a timeline. */
export interface ShownMarks {
  readonly looked: boolean;
  readonly ran: boolean;
  readonly changed: boolean;
  readonly failed: boolean;
  /** True for a repeat outside any pattern. */
  readonly seen: boolean;
  /** True for the first step of a pattern. */
  readonly first: boolean;
  readonly repeat: boolean;
}

function shownIn(flags: Uint8Array): ShownMarks {
  // Each value of the flags is checked once, however many steps have it.
  const found = new Set(flags);
  const some = (is: (flag: number) => boolean) => [...found].some(is);
  const isBar = (flag: number) => (letterIndex(flag) > 0 ? isFirst(flag) : !wasSeen(flag));
  const bar = (height: string) => some((flag) => isBar(flag) && heightOf(flag) === height);
  return {
    looked: bar('looked'),
    ran: bar('ran'),
    changed: bar('changed'),
    failed: some((flag) => isBar(flag) && hasFailed(flag)),
    seen: some((flag) => letterIndex(flag) === 0 && wasSeen(flag)),
    first: some(isFirst),
    repeat: some(isPatternRepeat),
  };
}

export function prepareSteps(data: TimelineData): TimelineSteps {
  const places = new Map<number, PatternPlace>();
  let lanes = 1;
  const letters = lettersOf(data.patterns);
  for (const pattern of data.patterns) {
    const lane = laneOf(pattern, letters.get(pattern.group) ?? 1);
    lanes = Math.max(lanes, lane + 1);
    pattern.steps.forEach((step, index) => places.set(step, { pattern, index, lane }));
  }
  return {
    data,
    range: { first: data.from, end: data.from + data.at.length },
    places,
    lanes,
    shown: shownIn(data.flags),
  };
}

/** Returns the number of letters of each incident. */
export function lettersOf(patterns: readonly TimelinePattern[]): ReadonlyMap<string, number> {
  const letters = new Map<string, number>();
  for (const { group } of patterns) letters.set(group, (letters.get(group) ?? 0) + 1);
  return letters;
}

/** Returns the lane of a pattern, 0..2. An incident of one letter needs only one. */
export function laneOf(pattern: TimelinePattern, letters: number): number {
  return letters > 1 ? Math.min(LANES, Math.max(1, pattern.letter.charCodeAt(0) - 64)) - 1 : 0;
}

export function flagsOf(steps: TimelineSteps, step: number): number {
  return steps.data.flags[step - steps.range.first] ?? 0;
}

export function stepTimeOf(steps: TimelineSteps, step: number): number {
  return steps.data.at[step - steps.range.first] ?? 0;
}

export function stepLineOf(steps: TimelineSteps, step: number): number {
  return steps.data.lines[step - steps.range.first] ?? 0;
}

/** Returns the first step with the same outcome; null if that is this step, or if it is earlier than the steps that were sent. */
function firstLike(steps: TimelineSteps, step: number): number | null {
  const { outcomes } = steps.data;
  const found = outcomes.indexOf(outcomes[step - steps.range.first] ?? 0);
  const first = found + steps.range.first;
  return found >= 0 && first < step ? first : null;
}

/** Returns the next (1) or previous (-1) step with the same result. If there is none, returns the next repeat of any pattern. */
export function sameResult(steps: TimelineSteps, step: number, direction: 1 | -1): number | null {
  const { first, end } = steps.range;
  const { outcomes } = steps.data;
  const mine = outcomes[step - first];
  let repeat: number | null = null;
  for (let other = step + direction; other >= first && other < end; other += direction) {
    if (outcomes[other - first] === mine) return other;
    if (repeat === null && letterIndex(flagsOf(steps, other)) > 0) repeat = other;
  }
  return repeat;
}

/** Returns the name of a step, if it is known and the host still has it. */
export function stepSubjectOf(known: readonly StepSubjects[], step: number): string | undefined {
  for (const { from, subjects } of known) {
    const subject = subjects[step - from];
    if (subject) return subject;
  }
  return undefined;
}

/**
 * Returns the readout of a step: `Step 214, 17:09:38: pytest -q, same result as step 203`. Its line is a link next to it. By the clock it includes
 * the wait that is drawn before the step: `17:09:38, after 1 min 18 s`.
 */
export function readout(
  steps: TimelineSteps,
  step: number,
  known: readonly StepSubjects[],
  mode: TimelineMode = 'steps',
): Sentence {
  const place = steps.places.get(step);
  const flags = flagsOf(steps, step);
  const subject = stepSubjectOf(known, step) ?? place?.pattern.subject;
  const what = subject === undefined ? say`${HEIGHTS[heightOf(flags)]}` : say`${code(subject)}`;
  const wait =
    mode === 'time' && step > steps.range.first ? stepTimeOf(steps, step) - stepTimeOf(steps, step - 1) : null;
  const after = wait === null ? '' : `, after ${duration(wait)}`;
  return say`Step ${String(step + 1)}, ${clockSeconds(stepTimeOf(steps, step))}${after}: ${what}, ${result(steps, step, flags, place)}`;
}

/** Kind of a step whose call is not known yet. */
export const HEIGHTS = { looked: 'looked', ran: 'ran', changed: 'changed' } as const;

function result(steps: TimelineSteps, step: number, flags: number, place: PatternPlace | undefined): string {
  if (place) {
    const complete = place.pattern.count <= place.pattern.steps.length;
    if (place.index === 0 && complete) return 'first time';
    const first = firstLike(steps, step) ?? place.pattern.steps[0] ?? step;
    const { words } = place.pattern;
    if (words.startsWith('same result') && first !== step) return `same result as step ${first + 1}`;
    const number = place.index + 1 + place.pattern.count - place.pattern.steps.length;
    return `${words}, ${whole(number)} of ${whole(place.pattern.count)}`;
  }
  if (wasSeen(flags)) {
    const first = firstLike(steps, step);
    return first === null ? 'same result as before' : `same result as step ${first + 1}`;
  }
  return hasFailed(flags) ? 'failed' : 'new result';
}
