import type { TimelineMode } from '../../panel-model';
import { type Colors, readColors } from './colors';
import { wholeName } from './brackets';
import { byClock } from './clock';
import { detailHeight, drawDetail, laneAt } from './detail';
import { type TimelineAct, ZOOM } from './keys';
import { type Mark, markAt, markReadout } from './marks';
import { penFor } from './pen';
import { drawSession, drawWindow } from './session';
import type { TimelineSteps } from './steps';
import {
  FOLLOWING,
  type Geometry,
  type TimelineWindow,
  centred,
  geometry,
  gutterOf,
  nearestStep,
  roomEnd,
  scrolled,
  sessionGeometry,
  showing,
  silenceWidth,
  stepAt,
  zoomed,
} from './window';

/** Reports from the timeline to the panel. */
export interface TimelineListener {
  select(step: number): void;
  /** Called with the step under the pointer, or the words of the marker or lane name under it; null when the pointer left. */
  hover(over: { readonly step: number } | { readonly words: string } | null): void;
  open(step: number): void;
  move(window: TimelineWindow): void;
  /** Called when the detail shows these steps: [from, to). */
  shows(from: number, to: number): void;
}

/** The visible steps, and their placement. */
export interface TimelineView {
  readonly window: TimelineWindow;
  readonly mode: TimelineMode;
}

export interface Timeline {
  /** Takes everything that it draws. Painted with the next frame, at most once per frame and never while hidden. */
  update(steps: TimelineSteps, view: TimelineView, selected: number | null, now: number): void;
  act(act: TimelineAct): void;
}

/** Markers can be pointed at above this line of the detail. */
const MARKS_BELOW = 24;

/** Runs the two canvases of a timeline inside `host`: drawing, pointer, wheel. Keys belong to the panel: the host is its slider. */
export function createTimeline(host: HTMLElement, listener: TimelineListener): Timeline {
  const session = host.querySelector<HTMLCanvasElement>('canvas.session');
  const detail = host.querySelector<HTMLCanvasElement>('canvas.detail');
  if (!session || !detail) throw new Error('the timeline has no canvas');

  let steps: TimelineSteps | null = null;
  let window: TimelineWindow = FOLLOWING;
  let mode: TimelineMode = 'steps';
  let selected: number | null = null;
  let now = 0;
  let shown: Geometry | null = null;
  let strip: Geometry | null = null;
  let marks: readonly Mark[] = [];
  let colors: Colors = readColors(document.body);
  /** Bitmap of the strip without its window, so that dragging repaints no step. */
  let bitmap: HTMLCanvasElement | null = null;
  let frame = 0;

  const schedule = () => {
    if (frame === 0) frame = requestAnimationFrame(paint);
  };

  const paint = () => {
    frame = 0;
    if (!steps || document.hidden) return;
    const width = detail.clientWidth;
    if (width === 0) return;
    const silent = steps.data.silentSince === undefined ? 0 : silenceWidth(now - steps.data.silentSince);
    const gutter = gutterOf(width, steps.data.patterns.length > 0);
    const even = geometry(width, steps.range, window, silent, gutter);
    shown = placed(even, steps, roomEnd(even));
    if (!bitmap || !strip) strip = placed(sessionGeometry(width, steps.range, gutter), steps, width);
    paintStrip(steps, shown, strip);
    const height = `${detailHeight(steps.lanes)}px`;
    // Set through the object model, which the content policy allows, unlike a style attribute.
    if (detail.style.height !== height) detail.style.height = height;
    const pen = penFor(detail, devicePixelRatio);
    if (pen) marks = drawDetail(pen, steps, shown, colors, selected ?? steps.range.end - 1);
    listener.shows(shown.from, shown.to);
  };

  const placed = (even: Geometry, { data, range }: TimelineSteps, end: number) =>
    mode === 'time' ? byClock(even, data.at, range.first, end) : even;

  const paintStrip = (all: TimelineSteps, visible: Geometry, whole: Geometry) => {
    if (!bitmap) {
      const pen = penFor(session, devicePixelRatio);
      if (!pen) return;
      drawSession(pen, all, whole, colors);
      bitmap = document.createElement('canvas');
      bitmap.width = session.width;
      bitmap.height = session.height;
      bitmap.getContext('2d')?.drawImage(session, 0, 0);
    }
    const pen = penFor(session, devicePixelRatio);
    if (!pen) return;
    pen.context.drawImage(bitmap, 0, 0, pen.width, pen.height);
    drawWindow(pen, whole, visible, colors);
  };

  const redraw = () => {
    colors = readColors(document.body);
    bitmap = null;
    schedule();
  };

  const move = (next: TimelineWindow) => {
    if (next.pitch === window.pitch && next.from === window.from) return;
    window = next;
    listener.move(next);
    schedule();
  };

  const current = () => selected ?? (steps ? steps.range.end - 1 : 0);

  const act = (what: TimelineAct) => {
    if (!steps || !shown) return;
    switch (what.kind) {
      case 'select':
        move(showing(shown, steps.range, window, what.step));
        listener.select(what.step);
        return;
      case 'zoom': {
        const visible = current() >= shown.from && current() < shown.to;
        move(zoomed(shown, steps.range, window, what.factor, visible ? current() : shown.to - 1));
        return;
      }
      case 'whole':
        move({ pitch: 0, from: null });
        return;
      case 'newest':
        listener.select(steps.range.end - 1);
        move({ pitch: window.pitch, from: null });
        return;
      case 'open':
        listener.open(current());
    }
  };

  const xIn = (canvas: HTMLCanvasElement, event: MouseEvent) => event.clientX - canvas.getBoundingClientRect().left;
  const yIn = (canvas: HTMLCanvasElement, event: MouseEvent) => event.clientY - canvas.getBoundingClientRect().top;

  const drag = (event: PointerEvent) => {
    if (!steps || !shown || !strip) return;
    move(centred(shown, steps.range, window, nearestStep(strip, xIn(session, event))));
  };
  session.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    session.setPointerCapture(event.pointerId);
    drag(event);
  });
  session.addEventListener('pointermove', (event) => {
    if (session.hasPointerCapture(event.pointerId)) drag(event);
  });

  /** Returns the full name of a lane, of which the gutter may show only the beginning. */
  const nameAt = (y: number) => {
    const lane = laneAt(y);
    return steps && lane !== null ? wholeName(steps, lane) : undefined;
  };

  detail.addEventListener('pointermove', (event) => {
    if (!shown) return;
    const mark = yIn(detail, event) < MARKS_BELOW ? markAt(marks, xIn(detail, event)) : undefined;
    const step = stepAt(shown, xIn(detail, event));
    const name = xIn(detail, event) < shown.left ? nameAt(yIn(detail, event)) : undefined;
    const words = mark ? markReadout(mark) : name;
    listener.hover(words !== undefined ? { words } : step === null ? null : { step });
  });
  detail.addEventListener('pointerleave', () => listener.hover(null));
  detail.addEventListener('click', (event) => {
    const step = shown && stepAt(shown, xIn(detail, event));
    if (step !== null) listener.select(step);
  });
  detail.addEventListener('dblclick', (event) => {
    const step = shown && stepAt(shown, xIn(detail, event));
    if (step !== null) listener.open(step);
  });

  let remainder = 0;
  detail.addEventListener(
    'wheel',
    (event) => {
      if (!steps || !shown) return;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const anchor = stepAt(shown, xIn(detail, event)) ?? current();
        move(zoomed(shown, steps.range, window, event.deltaY < 0 ? ZOOM : 1 / ZOOM, anchor));
        return;
      }
      const delta = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY;
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? delta : delta * 16;
      const next = scrolled(shown, steps.range, window, Math.trunc((remainder + pixels) / shown.pitch));
      // At either end, the page scrolls instead.
      const atEnd = pixels < 0 ? shown.from === steps.range.first : shown.to === steps.range.end;
      if (atEnd) return;
      event.preventDefault();
      remainder = (remainder + pixels) % shown.pitch;
      move(next);
    },
    { passive: false },
  );

  watchTheme(redraw);
  // It also reports the initial size, which is drawn already.
  new ResizeObserver(() => {
    if (strip?.width !== detail.clientWidth) redraw();
  }).observe(host);
  document.addEventListener('visibilitychange', schedule);

  return {
    update(nextSteps, view, nextSelected, nextNow) {
      if (steps !== nextSteps) {
        steps = nextSteps;
        bitmap = null;
      }
      if (mode !== view.mode) {
        mode = view.mode;
        bitmap = null;
      }
      window = view.window;
      selected = nextSelected;
      now = nextNow;
      // The first paint does not wait for a frame of its own.
      if (shown) schedule();
      else paint();
    },
    act,
  };
}

/** Calls `changed` when the editor's theme, its fonts or the scale of the screen change. */
function watchTheme(changed: () => void): void {
  // The editor writes its variables into the style of the root and the kind of theme into the classes of the body.
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
  void document.fonts.load('14px codicon', '\uea6c').then(changed);
  const watchScale = () => {
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
      'change',
      () => {
        changed();
        watchScale();
      },
      { once: true },
    );
  };
  watchScale();
}
