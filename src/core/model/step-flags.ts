import type { ToolKind } from './event';

/**
 * One step of a timeline in four bits: 0-1 its height, 2 failed, 3 its outcome was seen before. The panel puts the letters of patterns into the bits
 * above.
 */
export const STEP_BITS = { height: 3, failed: 4, seen: 8 } as const;

/** The three heights of the timeline, lowest first. Their indexes are the values of the height bits. */
const STEP_HEIGHTS = ['looked', 'ran', 'changed'] as const;
export type StepHeight = (typeof STEP_HEIGHTS)[number];

export function stepFlags(kind: ToolKind, failed: boolean, seen: boolean): number {
  return STEP_HEIGHTS.indexOf(heightOfKind(kind)) | (failed ? STEP_BITS.failed : 0) | (seen ? STEP_BITS.seen : 0);
}

export function heightOf(flags: number): StepHeight {
  return STEP_HEIGHTS[flags & STEP_BITS.height] ?? 'ran';
}

/** 0 looked, 1 ran, 2 changed. */
export function heightIndex(flags: number): number {
  return STEP_HEIGHTS.indexOf(heightOf(flags));
}

export function hasFailed(flags: number): boolean {
  return (flags & STEP_BITS.failed) !== 0;
}

export function wasSeen(flags: number): boolean {
  return (flags & STEP_BITS.seen) !== 0;
}

function heightOfKind(kind: ToolKind): StepHeight {
  switch (kind) {
    case 'changed':
      return 'changed';
    case 'ran':
    case 'delegated':
    case 'other':
      return 'ran';
    case 'looked':
    case 'plan':
    case 'asked':
    case 'waited':
      return 'looked';
  }
}
