import { counted, whole } from '../../base/util/counts';

/**
 * Formats numbers, ages and times, on both sides of the panel.
 *
 * Digits always; ages and shares are rounded down, so that nothing is claimed before it is true.
 */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Any age below a minute: rows are not redrawn each second, so two places would show different seconds. */
const NOW = 'just now';

/** Writes an age: `40 s`, `8 min`, `1 h 6 min`, `2 d`. Negative ages (clocks that differ) count as 0. */
export function age(ms: number): string {
  const span = positive(ms);
  if (span < MINUTE) return `${Math.floor(span / SECOND)} s`;
  if (span < HOUR) return `${Math.floor(span / MINUTE)} min`;
  if (span < DAY) {
    const minutes = Math.floor((span % HOUR) / MINUTE);
    const hours = Math.floor(span / HOUR);
    return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  }
  return `${Math.floor(span / DAY)} d`;
}

/** Writes how long something has lasted, for lists: `just now`, `8 min`. */
export function elapsed(ms: number): string {
  return ms < MINUTE ? NOW : age(ms);
}

/** Returns `just now`, `8 min ago`. */
export function ago(ms: number): string {
  return ms < MINUTE ? NOW : `${age(ms)} ago`;
}

/** Writes a state and how long it has lasted: `Stuck`, `Stuck for 8 min`. */
export function lasting(state: string, ms: number): string {
  return ms < MINUTE ? state : `${state} for ${age(ms)}`;
}

/** Does the same as `elapsed` in words, for screen readers: `just now`, `8 minutes`. */
export function elapsedInWords(ms: number): string {
  return ms < MINUTE ? NOW : ageInWords(ms);
}

/** Does the same as `age` in words, for screen readers: `40 seconds`, `8 minutes`, `1 hour 6 minutes`, `2 days`. */
export function ageInWords(ms: number): string {
  const span = positive(ms);
  if (span < MINUTE) return counted(Math.floor(span / SECOND), 'second');
  if (span < HOUR) return minutesInWords(Math.floor(span / MINUTE));
  if (span < DAY) {
    const minutes = Math.floor((span % HOUR) / MINUTE);
    const hours = counted(Math.floor(span / HOUR), 'hour');
    return minutes > 0 ? `${hours} ${minutesInWords(minutes)}` : hours;
  }
  return counted(Math.floor(span / DAY), 'day');
}

function minutesInWords(minutes: number): string {
  return counted(minutes, 'minute');
}

/** Writes a fixed or measured length of time: like an age, but with the remaining seconds or milliseconds: `2 min 10 s`. */
export function duration(ms: number): string {
  const span = positive(ms);
  if (span < SECOND) return `${Math.floor(span)} ms`;
  const seconds = Math.floor((span % MINUTE) / SECOND);
  if (span >= MINUTE && span < 10 * MINUTE && seconds > 0) return `${Math.floor(span / MINUTE)} min ${seconds} s`;
  return age(span);
}

/** Returns `17:09:38` in the reader's own time zone. */
export function clockSeconds(at: number): string {
  const date = new Date(at);
  return `${clock(at)}:${two(date.getSeconds())}`;
}

/** Returns `17:09`, for axes. */
export function clock(at: number): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Returns `16:04`, preceded by the day if it is not the day of `now`: `19 Nov 16:04`. */
export function clockOn(at: number, now: number): string {
  const date = new Date(at);
  if (date.toDateString() === new Date(now).toDateString()) return clock(at);
  return `${dayOf(date)} ${clock(at)}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Returns `19 Nov`. */
function dayOf(date: Date): string {
  return `${date.getDate()} ${MONTHS[date.getMonth()] ?? ''}`;
}

/** Returns `16:04 to 17:10`. */
export function clockSpan(from: number, to: number, now: number): string {
  return `${clockOn(from, now)} to ${clockOn(to, now)}`;
}

/** Writes a large count in short: `940`, `1.5k`, `118k`, `1.9M`. Rounded to the digits shown. */
export function short(count: number): string {
  const value = positive(count);
  if (value < 1000) return String(Math.round(value));
  if (value < 999_500) return `${digits(value / 1000, value < 9950)}k`;
  return `${digits(value / 1_000_000, value < 9_950_000)}M`;
}

export { counted, whole };

/** Returns a share of 1 in whole percent, rounded down, so that 100 means the whole. */
export function percentDigits(share: number): number {
  // 0.59 * 100 is 58.99999999999999 in floating point.
  return Math.floor(positive(share) * 100 + 1e-9);
}

/** Starts a text with a capital. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Longest title at the head of a panel. Everywhere else the whole title is passed, and the editor cuts it where there is no room. */
export const PANEL_TITLE = 80;

/** Cuts a text at a word boundary with `…`, to at most `max` characters; a single long word is cut within it. */
export function cutWords(text: string, max: number): string {
  if (text.length <= max) return text;
  const room = text.slice(0, max - 1);
  const boundary = room.lastIndexOf(' ');
  const kept = text[max - 1] === ' ' ? room : boundary >= max / 2 ? room.slice(0, boundary) : withoutHalfPair(room);
  return `${kept.trimEnd()}…`;
}

function withoutHalfPair(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}

function digits(value: number, withTenths: boolean): string {
  if (!withTenths) return String(Math.round(value));
  return value.toFixed(1).replace(/\.0$/, '');
}

function positive(value: number): number {
  return value > 0 ? value : 0;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
