import { hasFailed, heightIndex, isFirst, isPatternRepeat, letterIndex, wasSeen } from '../../panel';
import { clock } from '../../words';
import { ICONS } from '../icons';
import { type PatternLabel, layoutPatterns } from './brackets';
import { type Colors, HOLLOW, MARK } from './colors';
import { COLUMN, COLUMNS_BELOW, COLUMN_BAR, columnDepth, columnsOf } from './columns';
import { type Mark, layoutMarks } from './marks';
import { type Pen, fonts, measureIn } from './pen';
import { type Steps, flagsOf, timeOf } from './steps';
import { type Geometry, xOf } from './window';

/** Measures of the detail. */
const BASE = 64;
const HEIGHTS = [6, 14, 24] as const;
const LANE = 20;
const TILE = 16;
const TILE_TOP = BASE + 8;
const ICON_Y = 10;
const STEM_TOP = 20;
const LEAST_LETTER = 12;
const CLOCK_EVERY = 96;

/** 132 and 20 for each lane. */
export function detailHeight(lanes: number): number {
  return 132 + LANE * lanes;
}

/** Draws the visible steps. Returns the marks as they were laid out, for pointing at them. */
export function drawDetail(
  pen: Pen,
  steps: Steps,
  geometry: Geometry,
  colors: Colors,
  selected: number | null,
): readonly Mark[] {
  drawBaseLine(pen, geometry, colors);
  if (geometry.pitch < COLUMNS_BELOW) drawColumns(pen, steps, geometry, colors);
  else for (let step = geometry.from; step < geometry.to; step++) drawStep(pen, steps, geometry, colors, step);
  drawPatterns(pen, steps, geometry, colors);
  const marks = layoutMarks(steps.data.markers, geometry, measureIn(pen.context, fonts(colors).label));
  for (const mark of marks) drawMark(pen, mark, colors, steps.lanes);
  drawAxis(pen, steps, geometry, colors);
  drawGutter(pen, geometry, colors);
  if (selected !== null && selected >= geometry.from && selected < geometry.to) {
    drawSelection(pen, steps, geometry, colors, selected);
  }
  return marks;
}

function drawBaseLine(pen: Pen, geometry: Geometry, colors: Colors): void {
  const end = Math.min(geometry.width, geometry.left + geometry.pitch * (geometry.to - geometry.from));
  pen.context.fillStyle = colors.line;
  pen.rect(geometry.left, BASE, end - geometry.left, 1);
  if (geometry.silence === 0) return;
  pen.context.fillStyle = colors.mark;
  pen.context.globalAlpha = MARK;
  for (let x = 3; x < geometry.silence; x += 6) pen.rect(end + x, BASE, Math.min(3, geometry.silence - x), 1);
  pen.context.globalAlpha = 1;
}

function barWidth(pen: Pen, pitch: number): number {
  return Math.max(Math.min(3, pitch - 1), Math.min(10, pen.snap(pitch * 0.46)));
}

function drawStep(pen: Pen, steps: Steps, geometry: Geometry, colors: Colors, step: number): void {
  const { context } = pen;
  const flags = flagsOf(steps, step);
  const x = xOf(geometry, step);
  const width = barWidth(pen, geometry.pitch);
  if (letterIndex(flags) > 0) {
    if (isFirst(flags)) drawBar(pen, colors, x, width, flags);
    drawTile(pen, steps, geometry, colors, step, flags);
  } else if (wasSeen(flags)) {
    context.strokeStyle = colors.mark;
    context.globalAlpha = 0.7;
    pen.outline(x - width / 2, BASE + 5, width, 6);
    context.globalAlpha = 1;
  } else drawBar(pen, colors, x, width, flags);
}

function drawBar(pen: Pen, colors: Colors, x: number, width: number, flags: number): void {
  const { context } = pen;
  const height = HEIGHTS[heightIndex(flags)] ?? HEIGHTS[1];
  if (hasFailed(flags) && width >= 4) {
    context.strokeStyle = colors.mark;
    context.globalAlpha = HOLLOW;
    pen.outline(x - width / 2, BASE - height, width, height);
  } else {
    context.fillStyle = colors.mark;
    context.globalAlpha = MARK;
    pen.rect(x - width / 2, BASE - height, width, height);
  }
  context.globalAlpha = 1;
}

function drawTile(pen: Pen, steps: Steps, geometry: Geometry, colors: Colors, step: number, flags: number): void {
  const { context } = pen;
  const place = steps.places.get(step);
  const color = colors.trouble;
  const size = Math.min(TILE, Math.max(2, Math.floor(geometry.pitch) - 2));
  const x = pen.snap(xOf(geometry, step) - size / 2);
  const y = TILE_TOP + (place?.lane ?? Math.min(2, letterIndex(flags) - 1)) * LANE;
  const hollow = isFirst(flags) && size >= 4;
  if (hollow) {
    context.strokeStyle = color;
    pen.outline(x, y, size, TILE, 3);
  } else {
    context.fillStyle = color;
    pen.round(x, y, size, TILE, 3);
    context.fill();
  }
  if (size < LEAST_LETTER) return;
  context.font = fonts(colors).letter;
  context.textAlign = 'center';
  context.fillStyle = hollow ? color : colors.background;
  context.fillText(place?.pattern.letter ?? String.fromCharCode(64 + letterIndex(flags)), x + size / 2, y + 8.5);
}

function drawColumns(pen: Pen, steps: Steps, geometry: Geometry, colors: Colors): void {
  const { context } = pen;
  const width =
    Math.min(geometry.width, geometry.left + geometry.pitch * (geometry.to - geometry.from)) - geometry.left;
  const count = Math.max(1, Math.floor(width / COLUMN));
  const columns = columnsOf(steps.data.flags, steps.range.first, geometry.from, geometry.to, count);
  columns.forEach((column, index) => {
    const x = geometry.left + index * COLUMN;
    const height = HEIGHTS[column.above - 1] ?? 0;
    context.fillStyle = colors.mark;
    context.globalAlpha = MARK;
    if (height > 0) pen.rect(x, BASE - height, COLUMN_BAR, height);
    context.fillStyle = colors.trouble;
    context.globalAlpha = 1;
    const depth = columnDepth(column, TILE);
    if (depth > 0) pen.rect(x, TILE_TOP, COLUMN_BAR, depth);
  });
}

function drawPatterns(pen: Pen, steps: Steps, geometry: Geometry, colors: Colors): void {
  const { context } = pen;
  const font = fonts(colors);
  const layout = layoutPatterns(steps, geometry, {
    words: measureIn(context, font.words),
    call: measureIn(context, font.call),
  });
  if (geometry.pitch >= COLUMNS_BELOW) {
    const y = TILE_TOP + TILE + 3;
    for (const { from, to } of layout.arcs) {
      context.strokeStyle = colors.trouble;
      context.lineWidth = 1.5;
      context.beginPath();
      context.moveTo(from + 1.5, y);
      context.bezierCurveTo(from + 2, y + 12, to - 2, y + 12, to - 1.5, y);
      context.stroke();
    }
  }
  for (const label of layout.labels) drawLabel(pen, label, colors);
}

function drawLabel(pen: Pen, label: PatternLabel, colors: Colors): void {
  const { context } = pen;
  const font = fonts(colors);
  const color = colors.trouble;
  const y = label.lane === null ? BASE + 50 : TILE_TOP + label.lane * LANE + TILE / 2;
  if (label.bracket) {
    const { from, to, right } = label.bracket;
    context.strokeStyle = color;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(pen.snap(from) + 0.5, y - 5);
    context.lineTo(pen.snap(from) + 0.5, y + 0.5);
    if (label.words) {
      context.lineTo(label.x - 8, y + 0.5);
      context.moveTo(right, y + 0.5);
    }
    context.lineTo(pen.snap(to) - 0.5, y + 0.5);
    context.lineTo(pen.snap(to) - 0.5, y - 5);
    context.stroke();
  }
  context.textAlign = 'left';
  context.font = font.words;
  context.fillStyle = color;
  context.fillText(label.words, label.x, y + 0.5);
  context.font = font.call;
  context.fillStyle = colors.quiet;
  if (label.call) context.fillText(label.call, label.x + label.wordsWidth + 12, y + 0.5);
}

function drawMark(pen: Pen, mark: Mark, colors: Colors, lanes: number): void {
  const { context } = pen;
  const font = fonts(colors);
  const stuck = mark.kind === 'stuck';
  context.strokeStyle = stuck ? colors.trouble : colors.mark;
  context.globalAlpha = stuck ? 1 : 0.5;
  const bottom = stuck ? TILE_TOP + (lanes - 1) * LANE - 2 + (lanes > 1 ? TILE : 0) : BASE;
  pen.vertical(Math.min(mark.x, pen.width - 1), STEM_TOP, bottom, stuck ? [2, 2] : []);
  context.globalAlpha = 1;
  context.font = font.icon;
  context.textAlign = 'center';
  context.fillStyle = stuck ? colors.trouble : colors.mark;
  context.fillText(ICONS[mark.icon], mark.iconX, ICON_Y);
  if (mark.wordsAt === 'none') return;
  context.font = font.label;
  context.fillStyle = stuck ? colors.trouble : colors.quiet;
  context.textAlign = mark.wordsAt === 'right' ? 'left' : 'right';
  context.fillText(mark.words, mark.iconX + (mark.wordsAt === 'right' ? 11 : -11), ICON_Y + 0.5);
}

function drawAxis(pen: Pen, steps: Steps, geometry: Geometry, colors: Colors): void {
  const { context } = pen;
  context.font = fonts(colors).label;
  context.textAlign = 'center';
  const half = context.measureText('00:00').width / 2;
  const every = Math.max(1, Math.ceil(CLOCK_EVERY / geometry.pitch));
  const tick = pen.height - 20;
  const y = pen.height - 8;
  let last = Number.NEGATIVE_INFINITY;
  for (let step = geometry.from; step < geometry.to; step++) {
    if ((step - geometry.from) % every !== 0 && step !== geometry.to - 1) continue;
    const x = xOf(geometry, step);
    const middle = Math.min(Math.max(x, geometry.left + half), geometry.width - half);
    if (middle - last < half * 2 + 16) continue;
    last = middle;
    context.fillStyle = colors.line;
    pen.rect(x, tick, 1, 4);
    context.fillStyle = colors.quiet;
    context.fillText(clock(timeOf(steps, step)), middle, y);
  }
}

function drawGutter(pen: Pen, geometry: Geometry, colors: Colors): void {
  if (geometry.left === 0) return;
  const { context } = pen;
  context.font = fonts(colors).label;
  context.textAlign = 'left';
  context.fillStyle = colors.quiet;
  context.fillText('New result', 0, BASE - 10);
  context.fillText('Seen before', 0, BASE + 16);
}

function drawSelection(pen: Pen, steps: Steps, geometry: Geometry, colors: Colors, step: number): void {
  const { context } = pen;
  const width = Math.max(4, Math.min(geometry.pitch, 22));
  const flags = flagsOf(steps, step);
  const place = steps.places.get(step);
  const below = place ? 28 + place.lane * LANE : isPatternRepeat(flags) || wasSeen(flags) ? 16 : 14;
  context.strokeStyle = colors.focus;
  const x = Math.min(xOf(geometry, step) - width / 2, geometry.width - width);
  pen.outline(x, BASE - 29, width, 29 + below, 3);
}
