import type { UsageLimit } from '../../core/model';

/** Words that services use for a plan that is used up. A limit of requests per minute, which passes on its own, does not count. */
const REACHED =
  /\busage limit\b|\bhit your (?:[\w-]{1,20} )?limit\b|\b(?:5-hour|session|daily|weekly|monthly) limit reached\b|\bquota will reset\b/i;
/** `resets 3pm`, `resets Jul 23 at 6pm (America/Los_Angeles)`, `try again at 3:45 PM`. */
const CLOCK =
  /\b(?:resets|reset at|again at) (?:([A-Z][a-z]{2}) (\d{1,2}),? (?:at )?)?(\d{1,2})(?::(\d{2}))? ?([ap]m)?(?: \(([\w/+-]{1,40})\))?/i;
/** `try again in 2 days 3 hours`, `will reset after 4h22m12s`. */
const SPAN = /\b(?:again in|reset after) ((?:\d{1,6} ?(?:d|h|m|s)[a-z]{0,6}[ ,]{0,2}){1,4})/i;
/** Claude Code once wrote the time in seconds since the epoch after a bar. */
const EPOCH = /\|(\d{10})\b/;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] as const;
const UNITS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };
const DAY = 86_400_000;
/** A date that is further ahead than any limit lasts was misread. */
const LONGEST_CLOSED = 32 * DAY;
/** Characters at the beginning of a text that are searched: that is where a service speaks of itself. */
const LOOKED_AT = 400;

/**
 * Returns the usage limit that an error of the service names; null for any other error.
 *
 * @param at when it was said, milliseconds since the epoch
 */
export function usageLimitOf(message: string, at: number): UsageLimit | null {
  const text = message.slice(0, LOOKED_AT);
  if (!REACHED.test(text)) return null;
  const opensAt = epoch(text) ?? afterSpan(text, at) ?? atClock(text, at);
  return { since: at, ...(opensAt !== undefined && opensAt > at && { opensAt }) };
}

function epoch(text: string): number | undefined {
  const found = EPOCH.exec(text);
  return found ? Number(found[1]) * 1000 : undefined;
}

function afterSpan(text: string, at: number): number | undefined {
  const found = SPAN.exec(text)?.[1];
  if (found === undefined) return undefined;
  let span = 0;
  for (const [, count, unit] of found.matchAll(/(\d{1,6}) ?([dhms])/gi)) {
    span += Number(count) * (UNITS[unit?.toLowerCase() ?? ''] ?? 0);
  }
  return at + span;
}

/** Returns the next time at which the clock shows this, in the named zone or else in this machine's. */
function atClock(text: string, at: number): number | undefined {
  const found = CLOCK.exec(text);
  if (!found) return undefined;
  const [, month, day, hour, minute, half, zone] = found;
  const hours = (Number(hour) % (half ? 12 : 24)) + (half?.toLowerCase() === 'pm' ? 12 : 0);
  const offset = offsetOf(at, zone);
  if (offset === undefined) return undefined;
  // The wall clock of the zone, written as if it were UTC.
  const wall = new Date(at + offset);
  const index = month === undefined ? -1 : MONTHS.indexOf(month.toLowerCase() as (typeof MONTHS)[number]);
  const isDated = index >= 0 && day !== undefined;
  const date = isDated ? ([index, Number(day)] as const) : ([wall.getUTCMonth(), wall.getUTCDate()] as const);
  const inYear = (year: number) => Date.UTC(year, date[0], date[1], hours, Number(minute ?? 0)) - offset;
  const then = inYear(wall.getUTCFullYear());
  if (then > at) return then;
  if (!isDated) return then + DAY;
  const nextYear = inYear(wall.getUTCFullYear() + 1);
  return nextYear - at <= LONGEST_CLOSED ? nextYear : undefined;
}

/** Returns how many milliseconds the clocks of a zone are ahead of UTC; undefined for an unknown zone. */
function offsetOf(at: number, zone: string | undefined): number | undefined {
  if (zone === undefined) return -new Date(at).getTimezoneOffset() * 60_000;
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    }).formatToParts(at);
    const value = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
    const wall = Date.UTC(value('year'), value('month') - 1, value('day'), value('hour'), value('minute'));
    return wall - Math.floor(at / 60_000) * 60_000;
  } catch {
    return undefined;
  }
}
