/** A local day or week, milliseconds since the epoch. */
export interface Period {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** Its first day: `2026-11-20`. */
  readonly start: string;
}

const MOST_DAYS = 366;

/** Returns the local days from that of one time to that of another, without gaps; the last 366. */
export function daysOf(first: number, last: number): readonly Period[] {
  const earliest = last - (MOST_DAYS - 1) * 24 * 60 * 60 * 1000;
  return periodsOf(startOfDay(Math.max(first, earliest)), last, 1);
}

/** Returns local weeks, which begin on Monday. */
export function weeksOf(first: number, last: number): readonly Period[] {
  const [day] = daysOf(first, last);
  if (!day) return [];
  const date = new Date(day.from);
  // Sunday is 0.
  const monday = new Date(date.getFullYear(), date.getMonth(), date.getDate() - ((date.getDay() + 6) % 7)).getTime();
  return periodsOf(monday, last, 7);
}

function periodsOf(first: number, last: number, days: number): readonly Period[] {
  const periods: Period[] = [];
  for (let from = first; from <= last; ) {
    const date = new Date(from);
    // Adding 24 hours each time would be wrong: days differ in length when clocks change.
    const to = new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime();
    periods.push({ from, to, start: dayName(date) });
    from = to;
  }
  return periods;
}

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

function dayName(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
