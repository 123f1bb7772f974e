import { whole } from '../../../base/util/counts';
import { heightIndex, isPatternRepeat, letterIndex, wasSeen } from '../../panel-model';
import { type Colors, MARK } from '../timeline/colors';
import { penFor } from '../timeline/pen';
import { silenceWidth } from '../timeline/window';

/** Measures of a row's strip. */
const PITCH = 3;
const BAR = 2;
const BASE = 0.58;
const HEIGHTS = [3, 6, 10] as const;
const UNDER = 2;
const BELOW = 6;
/** Two or more letters share the depth: the zigzag is the picture. */
const LANE = 5;
const NEUTRAL = 2;

/**
 * Draws the newest steps of an agent: above the line those with a new result, below it those with a known one. What repeats in a pattern has the tone
 * of trouble. Silence continues as a dashed line.
 *
 * @param silence how long nothing was written while a turn is open, milliseconds
 */
export function drawStrip(canvas: HTMLCanvasElement, steps: Uint8Array, silence: number, colors: Colors): void {
  const pen = penFor(canvas, devicePixelRatio);
  if (!pen) return;
  const { context, width, height } = pen;
  const base = Math.round(height * BASE);
  const dashed = Math.min(silenceWidth(silence), Math.floor(width / 3));
  const shown = Math.min(steps.length, Math.floor((width - dashed) / PITCH));
  const from = steps.length - shown;
  const hasLanes = steps.some((flags) => isPatternRepeat(flags) && letterIndex(flags) > 1);
  context.fillStyle = colors.line;
  pen.rect(0, base, shown * PITCH, 1);
  for (let place = 0; place < shown; place++) {
    const flags = steps[from + place] ?? 0;
    const x = place * PITCH;
    if (isPatternRepeat(flags)) {
      context.fillStyle = colors.trouble;
      context.globalAlpha = 1;
      const lane = hasLanes && letterIndex(flags) > 1 ? 1 : 0;
      pen.rect(x, base + UNDER + lane * LANE, BAR, hasLanes ? LANE : BELOW);
      continue;
    }
    context.fillStyle = colors.mark;
    context.globalAlpha = MARK;
    if (wasSeen(flags)) pen.rect(x, base + UNDER, BAR, NEUTRAL);
    else {
      const tall = HEIGHTS[heightIndex(flags)] ?? HEIGHTS[1];
      pen.rect(x, base - tall, BAR, tall);
    }
  }
  context.globalAlpha = 1;
  context.fillStyle = colors.line;
  for (let x = shown * PITCH; x + PITCH <= shown * PITCH + dashed; x += 2 * PITCH) pen.rect(x, base, PITCH, 1);
}

/** Describes the strip for people who cannot see it. */
export function stripWords(steps: Uint8Array): string {
  if (steps.length === 0) return 'no steps yet';
  const repeats = steps.reduce((count, flags) => count + (isPatternRepeat(flags) ? 1 : 0), 0);
  const fresh = steps.reduce((count, flags) => count + (wasSeen(flags) || isPatternRepeat(flags) ? 0 : 1), 0);
  return repeats > 0
    ? `last ${whole(steps.length)} steps: ${whole(fresh)} new, ${whole(repeats)} repeats`
    : `last ${whole(steps.length)} steps: ${whole(fresh)} new`;
}
