import { hasFailed, heightIndex, isFirst, isPatternRepeat, letterIndex, wasSeen } from '../../panel-model';
import { ICONS } from '../icons';
import { layoutAxis } from './axis';
import { type Bracket, type LaneName, laneNames, layoutPatterns } from './brackets';
import { nameCuts } from './clock';
import { type Colors, HOLLOW, MARK } from './colors';
import { COLUMN, COLUMN_BAR, columnDepth, isJoined, visibleColumns } from './columns';
import { type Mark, layoutMarks } from './marks';
import { type Pen, fonts, measureIn } from './pen';
import { LANES, type TimelineSteps, flagsOf } from './steps';
import { type Cut, type Geometry, endOf, widthOf, xOf } from './window';

/** Measures of the detail. */
const BASE = 64;
const HEIGHTS = [6, 14, 24] as const;
const LANE = 20;
const TILE = 16;
const TILE_TOP = BASE + 8;
const ICON_Y = 10;
const STEM_TOP = 20;
/** Vertical position of the names of cut waits, over the highest bars. */
const CUT_NAME_Y = 32;
/** Distance from the middle of a step to the stroke of a cut next to it. */
const CUT_AIR = 9;
const LEAST_LETTER = 12;
/** Space between the name of a lane and the first step. */
const AFTER_NAME = 12;

/** Returns the height of the detail: 132, and 20 for each lane. */
export function detailHeight(lanes: number): number {
  return 132 + LANE * lanes;
}

/** Draws the visible steps. Returns the marks as they were laid out, so that they can be pointed at. */
export function drawDetail(
  pen: Pen,
  steps: TimelineSteps,
  geometry: Geometry,
  colors: Colors,
  selected: number | null,
): readonly Mark[] {
  drawBaseLine(pen, geometry, colors);
  if (isJoined(geometry)) drawColumns(pen, steps, geometry, colors);
  else for (let step = geometry.from; step < geometry.to; step++) drawStep(pen, steps, geometry, colors, step);
  drawPatterns(pen, steps, geometry, colors);
  const marks = layoutMarks(steps.data.markers, geometry, measureIn(pen.context, fonts(colors).label));
  for (const mark of marks) drawMark(pen, mark, colors, steps.lanes);
  drawCutNames(pen, geometry, colors);
  drawAxis(pen, steps, geometry, colors);
  drawGutter(pen, steps, geometry, colors);
  if (selected !== null && selected >= geometry.from && selected < geometry.to) {
    drawSelection(pen, steps, geometry, colors, selected);
  }
  return marks;
}

function drawBaseLine(pen: Pen, geometry: Geometry, colors: Colors): void {
  const end = Math.min(geometry.width, endOf(geometry));
  const cuts = geometry.clock?.cuts ?? [];
  pen.context.fillStyle = colors.line;
  let from = geometry.left;
  for (const cut of cuts) {
    pen.rect(from, BASE, cut.from + CUT_AIR - from, 1);
    from = cut.to - CUT_AIR;
  }
  pen.rect(from, BASE, end - from, 1);
  for (const cut of cuts) drawCut(pen, cut);
  if (geometry.silence === 0) return;
  pen.context.fillStyle = colors.mark;
  pen.context.globalAlpha = MARK;
  for (let x = 3; x < geometry.silence; x += 6) pen.rect(end + x, BASE, Math.min(3, geometry.silence - x), 1);
  pen.context.globalAlpha = 1;
}

/** Draws two strokes through the line where a wait was cut. */
function drawCut({ context }: Pen, { from, to }: Cut): void {
  context.beginPath();
  context.lineWidth = 1;
  context.strokeStyle = context.fillStyle;
  for (const x of [from + CUT_AIR, to - CUT_AIR]) {
    context.moveTo(x - 2, BASE + 5);
    context.lineTo(x + 2, BASE - 4);
  }
  context.stroke();
}

function drawCutNames(pen: Pen, { clock }: Geometry, colors: Colors): void {
  if (!clock) return;
  const { context } = pen;
  const font = fonts(colors).label;
  const names = nameCuts(clock.cuts, measureIn(context, font));
  context.font = font;
  context.textAlign = 'center';
  context.fillStyle = colors.quiet;
  for (const { middle, words } of names) context.fillText(words, middle, CUT_NAME_Y);
}

function barWidth(pen: Pen, pitch: number): number {
  return Math.max(Math.min(3, pitch - 1), Math.min(10, pen.snap(pitch * 0.46)));
}

function drawStep(pen: Pen, steps: TimelineSteps, geometry: Geometry, colors: Colors, step: number): void {
  const { context } = pen;
  const flags = flagsOf(steps, step);
  const x = xOf(geometry, step);
  const width = barWidth(pen, widthOf(geometry, step));
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

function drawTile(
  pen: Pen,
  steps: TimelineSteps,
  geometry: Geometry,
  colors: Colors,
  step: number,
  flags: number,
): void {
  const { context } = pen;
  const place = steps.places.get(step);
  const color = colors.trouble;
  const size = Math.min(TILE, Math.max(2, Math.floor(widthOf(geometry, step)) - 2));
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

function drawColumns(pen: Pen, steps: TimelineSteps, geometry: Geometry, colors: Colors): void {
  const { context } = pen;
  const columns = visibleColumns(steps.data.flags, steps.range.first, geometry);
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

function drawPatterns(pen: Pen, steps: TimelineSteps, geometry: Geometry, colors: Colors): void {
  const { context } = pen;
  const font = fonts(colors);
  const layout = layoutPatterns(steps, geometry, {
    words: measureIn(context, font.words),
    call: measureIn(context, font.call),
  });
  if (!isJoined(geometry)) {
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
  for (const bracket of layout.brackets) drawBracket(pen, bracket, colors);
}

function drawBracket(pen: Pen, { from, to, words, wordsWidth }: Bracket, colors: Colors): void {
  const { context } = pen;
  const y = BASE + 50;
  const middle = (from + to) / 2;
  const gap = words ? wordsWidth / 2 + 8 : 0;
  context.strokeStyle = colors.trouble;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(pen.snap(from) + 0.5, y - 5);
  context.lineTo(pen.snap(from) + 0.5, y + 0.5);
  context.lineTo(middle - gap, y + 0.5);
  context.moveTo(middle + gap, y + 0.5);
  context.lineTo(pen.snap(to) - 0.5, y + 0.5);
  context.lineTo(pen.snap(to) - 0.5, y - 5);
  context.stroke();
  context.textAlign = 'center';
  context.font = fonts(colors).words;
  context.fillStyle = colors.trouble;
  context.fillText(words, middle, y + 0.5);
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

function drawAxis(pen: Pen, steps: TimelineSteps, geometry: Geometry, colors: Colors): void {
  const { context } = pen;
  const font = fonts(colors).label;
  const labels = layoutAxis(steps, geometry, measureIn(context, font));
  context.font = font;
  context.textAlign = 'center';
  for (const { x, middle, text } of labels) {
    context.fillStyle = colors.line;
    pen.rect(x, pen.height - 20, 1, 4);
    context.fillStyle = colors.quiet;
    context.fillText(text, middle, pen.height - 8);
  }
}

function drawGutter(pen: Pen, steps: TimelineSteps, geometry: Geometry, colors: Colors): void {
  if (geometry.left === 0) return;
  const { context } = pen;
  const font = fonts(colors);
  context.textAlign = 'left';
  context.font = font.label;
  context.fillStyle = colors.quiet;
  context.fillText('New result', 0, BASE - 10);
  if (steps.data.patterns.length === 0) context.fillText('Seen before', 0, BASE + 16);
  for (const { lane, words, call, callX } of laneNamesOf(pen, steps, geometry, colors)) {
    const y = TILE_TOP + lane * LANE + TILE / 2;
    context.font = font.words;
    context.fillStyle = colors.trouble;
    context.fillText(words, 0, y);
    context.font = font.call;
    context.fillStyle = colors.quiet;
    context.fillText(call, callX, y);
  }
}

function laneNamesOf(pen: Pen, steps: TimelineSteps, geometry: Geometry, colors: Colors): readonly LaneName[] {
  const font = fonts(colors);
  const measure = { words: measureIn(pen.context, font.words), call: measureIn(pen.context, font.call) };
  return laneNames(steps, geometry.left - AFTER_NAME, measure);
}

/** Returns the lane at a height of the detail; null outside the lanes. */
export function laneAt(y: number): number | null {
  const lane = Math.floor((y - TILE_TOP + (LANE - TILE) / 2) / LANE);
  return lane < 0 || lane >= LANES ? null : lane;
}

function drawSelection(pen: Pen, steps: TimelineSteps, geometry: Geometry, colors: Colors, step: number): void {
  const { context } = pen;
  const width = Math.max(4, Math.min(widthOf(geometry, step), 22));
  const flags = flagsOf(steps, step);
  const place = steps.places.get(step);
  const below = place ? 28 + place.lane * LANE : isPatternRepeat(flags) || wasSeen(flags) ? 16 : 14;
  context.strokeStyle = colors.focus;
  const x = Math.min(xOf(geometry, step) - width / 2, geometry.width - width);
  pen.outline(x, BASE - 29, width, 29 + below, 3);
}
