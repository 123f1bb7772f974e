const MINUTE = 60_000;

/** Writes a time span for a sentence: `40 s`, `12 min`, `2 h`, `2 h 5 min`. Rounded down. */
export function spanWords(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / 1000)} s`;
  const minutes = Math.floor(ms / MINUTE);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return rest === 0 ? `${minutes / 60} h` : `${(minutes - rest) / 60} h ${rest} min`;
}

/** Returns minutes for near misses, with one decimal. */
export function inMinutes(ms: number): number {
  return Math.round(ms / 6000) / 10;
}
