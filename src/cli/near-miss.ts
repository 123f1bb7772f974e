import type { DetectorId, NearMiss } from '../model';

/** Units of what a detector counts, where it counts no times. */
const UNITS: Readonly<Partial<Record<DetectorId, string>>> = {
  token_exhaustion: '%',
  stall: 'min',
  max_runtime: 'min',
  oversized_response: 'characters',
};

/** How near it came: `3 of 4`, `2 of 10 min`, `41 of 80 %`. */
export function reached({ detector, reached: count, limit }: NearMiss): string {
  const unit = UNITS[detector];
  return `${Math.floor(count)} of ${Math.floor(limit)}${unit === undefined ? '' : ` ${unit}`}`;
}

export function nearestFirst(nearMisses: readonly NearMiss[]): NearMiss[] {
  return [...nearMisses].sort((a, b) => b.reached / b.limit - a.reached / a.limit);
}
