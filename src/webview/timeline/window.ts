/** Which steps the detail shows, and where. All lengths in css pixels, steps by their 0-based index in the session. */

/** Nominal pitch of a step in the detail, and its limits. */
export const PITCH = 20;
export const NARROWEST = 4;
export const WIDEST = 40;
/** Room for the words `New result` and `Seen before`, where the panel is wide enough for them. */
const GUTTER = 84;
const GUTTER_FROM = 640;
/** A little air after the newest step. */
const AIR = 4;
/** Silence: 1 px for 10 s, 48 px at most; below 3 px it is nothing yet. */
const SILENCE_PER_PIXEL = 10_000;
const SILENCE_WIDEST = 48;
const SILENCE_LEAST = 3;

/** What the reader chose: kept over reloads. */
export interface TimelineWindow {
  /** Nominal width of a step; 0 shows the whole session. */
  readonly pitch: number;
  /** First step shown; null follows the newest. */
  readonly from: number | null;
}

export const FOLLOWING: TimelineWindow = { pitch: PITCH, from: null };

/** The steps that there are: [first, end). */
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
}

/** Length of the dashed continuation for a silence of `ms`. */
export function silenceWidth(ms: number): number {
  const width = Math.min(SILENCE_WIDEST, Math.floor(ms / SILENCE_PER_PIXEL));
  return width < SILENCE_LEAST ? 0 : width;
}

export function gutterOf(width: number): number {
  return width > GUTTER_FROM ? GUTTER : 0;
}

export function geometry(width: number, range: StepRange, window: TimelineWindow, silence = 0): Geometry {
  const left = gutterOf(width);
  const steps = Math.max(0, range.end - range.first);
  // Whole steps are given to the silence, so that the bars shift by whole steps and never creep.
  const reserved = silence > 0 ? Math.ceil(silence / PITCH) * PITCH : 0;
  const room = Math.max(1, width - left - AIR - reserved);
  if (window.pitch === 0) {
    const pitch = Math.min(PITCH, room / Math.max(1, steps));
    return { width, left, pitch, from: range.first, to: range.end, silence };
  }
  const fitting = Math.max(1, Math.floor(room / window.pitch));
  const shown = Math.min(fitting, steps);
  const pitch = steps >= fitting ? room / fitting : window.pitch;
  const newest = range.end - shown;
  const from = window.from === null ? newest : clamp(window.from, range.first, newest);
  return { width, left, pitch, from, to: from + shown, silence: from + shown === range.end ? silence : 0 };
}

/** Middle of a step. */
export function xOf(geometry: Geometry, step: number): number {
  return geometry.left + (step - geometry.from + 0.5) * geometry.pitch;
}

/** The step at a place; null beside them. */
export function stepAt(geometry: Geometry, x: number): number | null {
  const step = geometry.from + Math.floor((x - geometry.left) / geometry.pitch);
  return x >= geometry.left && step < geometry.to ? step : null;
}

/** Moves the window by so many steps; at the end it follows the newest again. */
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
  const before = window.pitch === 0 ? geometry.pitch : window.pitch;
  const pitch = clamp(Math.round(before * factor * 10) / 10, NARROWEST, WIDEST);
  const share = (anchor + 0.5 - geometry.from) / Math.max(1, geometry.to - geometry.from);
  const room = geometry.width - geometry.left - AIR;
  const shown = Math.min(range.end - range.first, Math.max(1, Math.floor(room / pitch)));
  const from = Math.round(anchor + 0.5 - share * shown);
  if (window.from === null && anchor >= range.end - 1) return { pitch, from: null };
  return scrolled({ ...geometry, from, to: from + shown }, range, { pitch, from }, 0);
}

/** The window moved by as little as needed to show a step. */
export function showing(geometry: Geometry, range: StepRange, window: TimelineWindow, step: number): TimelineWindow {
  if (step < geometry.from) return scrolled(geometry, range, window, step - geometry.from);
  if (step >= geometry.to) return scrolled(geometry, range, window, step - geometry.to + 1);
  return window;
}

/** The window with a step in its middle, for a click on the session strip. */
export function centred(geometry: Geometry, range: StepRange, window: TimelineWindow, step: number): TimelineWindow {
  const shown = geometry.to - geometry.from;
  return scrolled(geometry, range, window, Math.round(step - shown / 2) - geometry.from);
}

/** Geometry of the session strip: all steps, never wider than in the detail. */
export function sessionGeometry(width: number, range: StepRange): Geometry {
  const left = gutterOf(width);
  const steps = Math.max(1, range.end - range.first);
  return {
    width,
    left,
    pitch: Math.min(PITCH, (width - left) / steps),
    from: range.first,
    to: range.end,
    silence: 0,
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
