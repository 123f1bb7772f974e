/** Which steps the detail shows, and their places. All lengths are in css pixels; steps are 0-based indices in the session. */

/** Nominal pitch of a step in the detail, and its limits. */
export const PITCH = 20;
export const NARROWEST = 4;
export const WIDEST = 84;
/** Room at the left for words, if the panel is wide enough: for `New result` alone, and for what repeats. */
const GUTTER = 84;
const NAMED_GUTTER = 148;
const WIDE_GUTTER = 200;
/** Widths above which there is a gutter at all, and a wide one. */
const GUTTER_FROM = 640;
const WIDE_FROM = 1000;
/** Some space after the newest step. */
const AIR = 4;
/** Width of a silence: 1 px for 10 s, 48 px at most. Below 3 px it is not drawn. */
const SILENCE_PER_PIXEL = 10_000;
const SILENCE_WIDEST = 48;
const SILENCE_LEAST = 3;

/** The reader's choice, kept over reloads. */
export interface TimelineWindow {
  /** Nominal width of a step; 0 shows the whole session. */
  readonly pitch: number;
  /** First step shown; null follows the newest. */
  readonly from: number | null;
}

export const FOLLOWING: TimelineWindow = { pitch: PITCH, from: null };

/** The available steps: [first, end). */
export interface StepRange {
  readonly first: number;
  readonly end: number;
}

/** Where the detail draws: steps [from, to), each `pitch` wide, the first beginning at `left`. */
export interface Geometry {
  readonly width: number;
  readonly left: number;
  readonly pitch: number;
  readonly from: number;
  readonly to: number;
  /** Length of the dashed line after the newest step; 0 for none. */
  readonly silence: number;
  /** Places of the steps by the clock; absent if all have the same distance. */
  readonly clock?: ClockPlaces;
}

/** The visible steps by the clock. */
export interface ClockPlaces {
  /** Middle of each visible step, ascending. */
  readonly x: Float64Array;
  /** Time of each, ms since the epoch, never earlier than the one before. */
  readonly at: Float64Array;
  readonly cuts: readonly Cut[];
  /** End of the base line. */
  readonly end: number;
}

/** A wait that is drawn shorter than it was. */
export interface Cut {
  /** Middle of the step before it. */
  readonly from: number;
  /** Middle of the step after it. */
  readonly to: number;
  readonly ms: number;
}

/** Returns the length of the dashed continuation for a silence of `ms`. */
export function silenceWidth(ms: number): number {
  const width = Math.min(SILENCE_WIDEST, Math.floor(ms / SILENCE_PER_PIXEL));
  return width < SILENCE_LEAST ? 0 : width;
}

/** Returns the width of the gutter; 0 if the panel is too narrow for one. `named` means that it has to contain the names of what repeats. */
export function gutterOf(width: number, named: boolean): number {
  if (width <= GUTTER_FROM) return 0;
  if (!named) return GUTTER;
  return width > WIDE_FROM ? WIDE_GUTTER : NAMED_GUTTER;
}

/** Returns where the detail draws. Few steps are drawn wider than the nominal pitch, so that they fill the width as far as that reads well. */
export function geometry(
  width: number,
  range: StepRange,
  window: TimelineWindow,
  silence = 0,
  left = gutterOf(width, false),
): Geometry {
  const steps = Math.max(0, range.end - range.first);
  const room = Math.max(1, width - left - AIR - reservedFor(silence));
  if (window.pitch === 0) {
    const pitch = Math.min(WIDEST, room / Math.max(1, steps));
    return { width, left, pitch, from: range.first, to: range.end, silence };
  }
  const fitting = Math.max(1, Math.floor(room / window.pitch));
  const shown = Math.min(fitting, steps);
  const filling = window.pitch === PITCH ? Math.min(WIDEST, room / Math.max(1, steps)) : window.pitch;
  const pitch = steps >= fitting ? room / fitting : filling;
  const newest = range.end - shown;
  const from = window.from === null ? newest : clamp(window.from, range.first, newest);
  return { width, left, pitch, from, to: from + shown, silence: from + shown === range.end ? silence : 0 };
}

/** Returns where the detail may place its last step by the clock. */
export function roomEnd({ width, silence }: Geometry): number {
  return width - AIR - reservedFor(silence);
}

/** Reserves whole steps for the silence, so that the bars shift by whole steps and never creep. */
function reservedFor(silence: number): number {
  return Math.ceil(silence / PITCH) * PITCH;
}

/** Returns the middle of a step. */
export function xOf(geometry: Geometry, step: number): number {
  const { clock, left, from, pitch } = geometry;
  return clock ? (clock.x[step - from] ?? clock.end) : left + (step - from + 0.5) * pitch;
}

/** Returns the left edge of a step. For the one after the last, that is the end of the base line. */
export function edgeOf(geometry: Geometry, step: number): number {
  const { clock, left, from, pitch } = geometry;
  if (!clock) return left + (step - from) * pitch;
  const x = clock.x[step - from];
  return x === undefined ? clock.end : x - widthOf(geometry, step) / 2;
}

/** Returns the end of the base line. */
export function endOf(geometry: Geometry): number {
  return edgeOf(geometry, geometry.to);
}

/** Returns the width that a step has for itself. */
export function widthOf({ clock, from, pitch }: Geometry, step: number): number {
  if (!clock) return pitch;
  const x = clock.x[step - from] ?? clock.end;
  const before = x - (clock.x[step - from - 1] ?? Number.NEGATIVE_INFINITY);
  const after = (clock.x[step - from + 1] ?? Number.POSITIVE_INFINITY) - x;
  return Math.min(PITCH, before, after);
}

/** Returns the position of something that happened before a step and after the one before it. */
export function xBefore(geometry: Geometry, step: number, at: number): number {
  const { clock, from } = geometry;
  const next = clock?.x[step - from];
  const last = clock?.x[step - from - 1];
  if (!clock || next === undefined || last === undefined) return edgeOf(geometry, step);
  const [start, end] = [clock.at[step - from - 1] ?? 0, clock.at[step - from] ?? 0];
  const share = end > start ? clamp((at - start) / (end - start), 0, 1) : 0.5;
  return last + share * (next - last);
}

/** Returns the step nearest to a place. */
export function nearestStep(geometry: Geometry, x: number): number {
  const { clock, left, from, to, pitch } = geometry;
  if (!clock) return clamp(from + Math.floor((x - left) / pitch), from, to - 1);
  let low = 0;
  let high = clock.x.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const between = ((clock.x[middle] ?? 0) + (clock.x[middle + 1] ?? 0)) / 2;
    if (x < between) high = middle;
    else low = middle + 1;
  }
  return from + low;
}

/** Returns the step at a place; null outside the steps. */
export function stepAt(geometry: Geometry, x: number): number | null {
  return x >= geometry.left && x < endOf(geometry) ? nearestStep(geometry, x) : null;
}

/** Moves the window by this many steps. At the end it follows the newest again. */
export function scrolled(geometry: Geometry, range: StepRange, window: TimelineWindow, steps: number): TimelineWindow {
  const shown = geometry.to - geometry.from;
  const from = clamp(geometry.from + steps, range.first, Math.max(range.first, range.end - shown));
  return { pitch: window.pitch, from: from + shown >= range.end ? null : from };
}

/** Zooms by a factor, keeping the step at `anchor` in its place. */
export function zoomed(
  geometry: Geometry,
  range: StepRange,
  window: TimelineWindow,
  factor: number,
  anchor: number,
): TimelineWindow {
  const isWhole = geometry.from === range.first && geometry.to === range.end;
  const before = isWhole ? geometry.pitch : window.pitch;
  const zoomed = clamp(Math.round(before * factor * 10) / 10, NARROWEST, WIDEST);
  // The nominal pitch itself would mean: as wide as there is room for.
  const pitch = isWhole && zoomed === PITCH ? PITCH - 0.1 : zoomed;
  const share = (anchor + 0.5 - geometry.from) / Math.max(1, geometry.to - geometry.from);
  const room = geometry.width - geometry.left - AIR;
  const shown = Math.min(range.end - range.first, Math.max(1, Math.floor(room / pitch)));
  const from = Math.round(anchor + 0.5 - share * shown);
  if (window.from === null && anchor >= range.end - 1) return { pitch, from: null };
  return scrolled({ ...geometry, from, to: from + shown }, range, { pitch, from }, 0);
}

/** Moves the window by as little as needed to show a step. */
export function showing(geometry: Geometry, range: StepRange, window: TimelineWindow, step: number): TimelineWindow {
  if (step < geometry.from) return scrolled(geometry, range, window, step - geometry.from);
  if (step >= geometry.to) return scrolled(geometry, range, window, step - geometry.to + 1);
  return window;
}

/** Moves the window so that a step is in its middle, for a click on the session strip. */
export function centred(geometry: Geometry, range: StepRange, window: TimelineWindow, step: number): TimelineWindow {
  const shown = geometry.to - geometry.from;
  return scrolled(geometry, range, window, Math.round(step - shown / 2) - geometry.from);
}

/** Returns the geometry of the session strip: all steps, never wider than in the detail. */
export function sessionGeometry(width: number, range: StepRange, left = gutterOf(width, false)): Geometry {
  const steps = Math.max(1, range.end - range.first);
  return {
    width,
    left,
    pitch: Math.min(WIDEST, (width - left) / steps),
    from: range.first,
    to: range.end,
    silence: 0,
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
