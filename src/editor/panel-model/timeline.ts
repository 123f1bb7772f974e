import { STEP_BITS, type TimelineMarker } from '../../core/model';

/**
 * The steps of a session as they go to the panel: typed arrays with one entry per step, oldest first.
 *
 * The low bits of `flags` are those of `model/step-flags.ts`, with the letter of the pattern stamped on by `stampPatterns`.
 */
export interface TimelineData {
  /** 0-based index in the session of the first step in the arrays: a long history is not sent whole. */
  readonly from: number;
  /** Milliseconds since the epoch. */
  readonly at: Float64Array;
  /** Bits 0-1 kind, 2 failed, 3 seen before, 4-6 letter (0 none, 1 A … 7 G and later), 7 first of its pattern. */
  readonly flags: Uint8Array;
  /** Equal numbers are equal outcomes. */
  readonly outcomes: Uint32Array;
  /** 1-based line of the transcript; 0 if unknown. */
  readonly lines: Uint32Array;
  /** Names of the newest steps, so that the first paint needs no request. */
  readonly subjects: StepSubjects;
  readonly patterns: readonly TimelinePattern[];
  readonly markers: readonly PanelMarker[];
  /** When the last line was written, while a turn is open. From there the base line is dashed. */
  readonly silentSince?: number;
}

/** Placement of steps: at equal distances, or by the time that passed between them. */
export const TIMELINE_MODES = ['steps', 'time'] as const;
export type TimelineMode = (typeof TIMELINE_MODES)[number];

/** Names of consecutive steps, for readouts. Others are requested with `describeSteps`. */
export interface StepSubjects {
  /** 0-based index in the session of the first of them. */
  readonly from: number;
  readonly subjects: readonly string[];
}

/** The steps of one letter of one incident. */
export interface TimelinePattern {
  /** Id of the incident: its patterns share a zigzag. */
  readonly group: string;
  readonly letter: string;
  readonly subject: string;
  /** 0-based indices in the session, ascending; the newest 200. */
  readonly steps: readonly number[];
  /** Total number of repeats, even if not all steps are listed. */
  readonly count: number;
  /** Common property of the steps: `same result`, `same error`. */
  readonly words: string;
}

/** A marker over the line; `number` is that of a nudge. */
export type PanelMarker = Pick<TimelineMarker, 'kind' | 'at' | 'step' | 'text'> & { readonly number?: number };

const STEP_MASK = STEP_BITS.height | STEP_BITS.failed | STEP_BITS.seen;
const LETTER_SHIFT = 4;
const LETTER_MASK = 7;
const FIRST = 128;

/** Returns 0 for a step outside any pattern, 1 for A, 2 for B, … */
export function letterIndex(flags: number): number {
  return (flags >> LETTER_SHIFT) & LETTER_MASK;
}

export function isFirst(flags: number): boolean {
  return (flags & FIRST) !== 0;
}

/** Returns true for a step that is a repeat within a pattern: drawn as a tile below the line, with nothing above it. */
export function isPatternRepeat(flags: number): boolean {
  return letterIndex(flags) > 0 && !isFirst(flags);
}

/**
 * Writes the letters of patterns into a copy of the flags that is about to be sent. `from` is the index in the session of `flags[0]`.
 *
 * The first listed step counts as the first occurrence only when no more repeats are counted than are listed.
 */
export function stampPatterns(flags: Uint8Array, from: number, patterns: readonly TimelinePattern[]): void {
  for (const pattern of patterns) {
    const letter = Math.min(LETTER_MASK, Math.max(1, pattern.letter.charCodeAt(0) - 64));
    pattern.steps.forEach((step, index) => {
      const place = step - from;
      const old = flags[place];
      if (old === undefined) return;
      const first = index === 0 && pattern.count <= pattern.steps.length ? FIRST : 0;
      flags[place] = (old & STEP_MASK) | (letter << LETTER_SHIFT) | first;
    });
  }
}
