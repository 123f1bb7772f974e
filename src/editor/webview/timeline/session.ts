import { heightIndex, isPatternRepeat, wasSeen } from '../../panel-model';
import { type Colors, MARK } from './colors';
import { COLUMN, COLUMN_BAR, columnDepth, isJoined, visibleColumns } from './columns';
import type { Pen } from './pen';
import { type TimelineSteps, flagsOf } from './steps';
import { type Geometry, edgeOf, endOf, widthOf, xBefore, xOf } from './window';

/** Measures of the session strip, 40 px high. */
const BASE = 22;
const HEIGHTS = [5, 9, 14] as const;
const BELOW = 12;
const NEUTRAL_BELOW = 4;
const UNDER = 2;

/** Draws all steps of the session. The result is kept as a bitmap, and painted again only when steps, size or theme change. */
export function drawSession(pen: Pen, steps: TimelineSteps, geometry: Geometry, colors: Colors): void {
  const { context } = pen;
  context.fillStyle = colors.line;
  pen.rect(geometry.left, BASE, Math.max(0, Math.min(geometry.width, endOf(geometry)) - geometry.left), 1);
  if (isJoined(geometry)) drawColumns(pen, steps, geometry, colors);
  else drawSteps(pen, steps, geometry, colors);
  drawTicks(pen, steps, geometry, colors);
}

function drawSteps(pen: Pen, steps: TimelineSteps, geometry: Geometry, colors: Colors): void {
  const { context } = pen;
  for (let step = geometry.from; step < geometry.to; step++) {
    const width = Math.max(1, Math.min(3, pen.snap(widthOf(geometry, step) / 2)));
    const flags = flagsOf(steps, step);
    const x = xOf(geometry, step) - width / 2;
    const lane = steps.places.get(step)?.lane ?? 0;
    if (isPatternRepeat(flags)) {
      context.fillStyle = colors.trouble;
      context.globalAlpha = 1;
      const lanes = steps.lanes;
      // Several letters share the depth, one third or half each.
      const depth = Math.floor((BELOW - (lanes - 1)) / lanes);
      pen.rect(x, BASE + UNDER + lane * (depth + 1), width, depth);
    } else {
      context.fillStyle = colors.mark;
      context.globalAlpha = MARK;
      if (wasSeen(flags)) pen.rect(x, BASE + UNDER, width, NEUTRAL_BELOW);
      else {
        const height = HEIGHTS[heightIndex(flags)] ?? HEIGHTS[1];
        pen.rect(x, BASE - height, width, height);
      }
    }
  }
  context.globalAlpha = 1;
}

function drawColumns(pen: Pen, steps: TimelineSteps, geometry: Geometry, colors: Colors): void {
  const { context } = pen;
  const columns = visibleColumns(steps.data.flags, steps.range.first, geometry);
  columns.forEach((column, index) => {
    const x = geometry.left + index * COLUMN;
    if (column.above > 0) {
      const height = HEIGHTS[column.above - 1] ?? HEIGHTS[1];
      context.fillStyle = colors.mark;
      context.globalAlpha = MARK;
      pen.rect(x, BASE - height, COLUMN_BAR, height);
    }
    const depth = columnDepth(column, BELOW);
    if (depth > 0) {
      context.fillStyle = colors.trouble;
      context.globalAlpha = 1;
      pen.rect(x, BASE + UNDER, COLUMN_BAR, depth);
    }
  });
  context.globalAlpha = 1;
}

function drawTicks(pen: Pen, steps: TimelineSteps, geometry: Geometry, colors: Colors): void {
  const { context } = pen;
  for (const marker of steps.data.markers) {
    if (marker.step < geometry.from || marker.step > geometry.to) continue;
    const stuck = marker.kind === 'stuck';
    context.fillStyle = stuck ? colors.trouble : colors.mark;
    context.globalAlpha = stuck ? 1 : MARK;
    pen.rect(Math.min(geometry.width - 1, xBefore(geometry, marker.step, marker.at)), 2, 1, 3);
  }
  context.globalAlpha = 1;
}

/** Draws the window of the detail over the strip. */
export function drawWindow(pen: Pen, session: Geometry, detail: Geometry, colors: Colors): void {
  const { context } = pen;
  const from = edgeOf(session, detail.from);
  const to = edgeOf(session, detail.to);
  const width = Math.max(4, to - from);
  context.fillStyle = colors.window;
  context.globalAlpha = colors.highContrast ? 0.25 : 0.6;
  pen.rect(from, 0, width, pen.height);
  context.globalAlpha = 1;
  context.strokeStyle = colors.highContrast ? colors.focus : colors.line;
  pen.outline(Math.min(from, pen.width - width), 0, width, pen.height);
}
