import { render } from 'lit/html.js';
import { type OverviewIntent, type OverviewMessage, type OverviewRow } from '../../panel-model';
import { announcement } from '../../../core/words';
import { type Host, askForPicture } from '../host';
import { type Colors, readColors } from '../timeline/colors';
import { pressed } from './keys';
import {
  type OverviewActions,
  FRESH_OVERVIEW,
  type OverviewLocal,
  type OverviewModel,
  NO_ORDER,
  lineHeightOf,
  isCompact,
  lineKeyOf,
  modelOf,
  ordered,
  received,
  topOf,
  windowOf,
} from './model';
import { fromOverviewState, toOverviewState } from './state';
import { drawStrip } from './strip';
import { page } from './view';

/** Time in which a screen reader announces at most one change, milliseconds. */
const QUIET_MS = 10_000;
/** Time for drawing strips in one frame, milliseconds. The rest is drawn in the next frame. */
const STRIPS_MS = 8;

/** Runs the overview in `body`: draws the host's rows, and sends it what the reader requests. */
export function startOverview(body: HTMLElement, host: Host<OverviewIntent>): void {
  const root = body.appendChild(document.createElement('main'));
  const voice = body.appendChild(document.createElement('div'));
  voice.className = 'voice';
  voice.setAttribute('aria-live', 'polite');

  let rows: ReadonlyMap<string, OverviewRow> = new Map();
  let wanted: readonly string[] = [];
  let order = NO_ORDER;
  let local: OverviewLocal = fromOverviewState(host.load()) ?? FRESH_OVERVIEW;
  let facts = { restricted: false, paused: false };
  let hasRows = false;
  /** The host's clock minus ours. Ages are counted by the clock that wrote the times. */
  let skew = 0;
  let frame = 0;
  let model: OverviewModel | null = null;
  let isPointed = false;
  /** First line that is drawn. */
  let shownFrom = 0;
  let colors: Colors | null = null;
  let lastSaid = Number.NEGATIVE_INFINITY;
  /** Content of each canvas. */
  const drawn = new WeakMap<HTMLCanvasElement, { readonly steps: Uint8Array; readonly look: string }>();

  const now = () => Date.now() + skew;
  const schedule = () => {
    if (frame === 0) frame = requestAnimationFrame(draw);
  };
  const list = () => root.querySelector<HTMLElement>('.list');
  const isHeld = () => isPointed || (document.hasFocus() && document.activeElement === list());
  const settle = (held = isHeld()) => {
    order = ordered(order, rows, wanted, held, now());
  };

  const actions: OverviewActions = {
    send: (intent) => host.send(intent),
    change(part) {
      local = { ...local, ...part };
      schedule();
    },
    updateOrder() {
      settle(false);
      schedule();
    },
  };

  const draw = () => {
    frame = 0;
    if (!hasRows) return;
    if (now() >= order.dueAt) settle();
    model = modelOf({ rows, order, local, now: now(), ...facts });
    const compact = isCompact(model.all.length);
    const scroller = list();
    const shown = windowOf(model.items, compact, scroller?.scrollTop ?? 0, scroller?.clientHeight ?? innerHeight);
    shownFrom = shown.from;
    render(page(model, actions, shown), root);
    const set = (name: string, height: number) => {
      const room = root.querySelector<HTMLElement>(`.room.${name}`);
      if (room) room.style.height = `${height}px`;
    };
    set('above', shown.above);
    set('below', shown.below);
    drawStrips();
  };

  /** Reads all sizes first and sets them before anything is drawn: each size read after one was set costs a layout of the page. */
  const drawStrips = () => {
    const until = performance.now() + STRIPS_MS;
    colors ??= readColors(body);
    const canvases = [...root.querySelectorAll('canvas')];
    const { clientWidth = 0, clientHeight = 0 } = canvases[0] ?? {};
    const size = `${clientWidth}x${clientHeight} ${devicePixelRatio}`;
    const todo = canvases.flatMap((canvas) => {
      const row = rows.get(canvas.dataset['session'] ?? '');
      if (!row) return [];
      const silence = row.silentSince === undefined ? 0 : now() - row.silentSince;
      const shown = { steps: row.steps, look: `${size} ${Math.floor(silence / 10_000)}` };
      const before = drawn.get(canvas);
      return before?.steps === shown.steps && before.look === shown.look ? [] : [{ canvas, shown, silence }];
    });
    for (const { canvas } of todo) {
      canvas.width = Math.round(clientWidth * devicePixelRatio);
      canvas.height = Math.round(clientHeight * devicePixelRatio);
    }
    for (const { canvas, shown, silence } of todo) {
      if (performance.now() > until) return void requestAnimationFrame(drawStrips);
      drawn.set(canvas, shown);
      drawStrip(canvas, shown.steps, silence, colors);
    }
  };

  /** Scrolls the active line into view. */
  const reveal = () => {
    const scroller = list();
    if (!model || !scroller) return;
    const { items } = model;
    const compact = isCompact(model.all.length);
    const index = items.findIndex((item) => lineKeyOf(item) === local.active);
    const item = items[index];
    if (!item) return;
    const top = topOf(items, index, compact);
    const bottom = top + lineHeightOf(item, compact);
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (bottom > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = bottom - scroller.clientHeight;
  };

  const receive = (message: OverviewMessage) => {
    skew = message.now - Date.now();
    const before = rows;
    rows = received(rows, message);
    wanted = message.order;
    facts = { restricted: message.restricted, paused: message.paused };
    if (!message.whole) say(before);
    settle();
    if (hasRows) return schedule();
    // The first picture does not wait for a frame: a page that was just created gets its first frame late.
    hasRows = true;
    draw();
  };

  /** Announces agents that need a person now and did not before. */
  const say = (before: ReadonlyMap<string, OverviewRow>) => {
    if (performance.now() - lastSaid < QUIET_MS) return;
    for (const row of rows.values()) {
      const old = before.get(row.session)?.standing;
      if (old === row.standing || (row.standing !== 'needs_you' && row.standing !== 'stuck')) continue;
      lastSaid = performance.now();
      voice.textContent = announcement(row.title, { state: row.state, now: now(), explanation: row.doing });
      return;
    }
  };

  const focusFilter = () => root.querySelector('input')?.focus();
  addEventListener('message', (event: MessageEvent<OverviewMessage>) => receive(event.data));
  addEventListener('resize', schedule);
  const scrolled = () => {
    const scroller = list();
    if (!model || !scroller) return;
    const next = windowOf(model.items, isCompact(model.all.length), scroller.scrollTop, scroller.clientHeight);
    // The part drawn beyond the edges lasts for some steps of a wheel.
    if (next.from !== shownFrom) schedule();
  };
  root.addEventListener('scroll', scrolled, { capture: true, passive: true });
  root.addEventListener('pointerover', (event) => {
    isPointed = event.target instanceof Element && event.target.closest('.list') !== null;
  });
  root.addEventListener('pointerleave', () => {
    isPointed = false;
    actions.updateOrder();
  });
  root.addEventListener('focusout', () => setTimeout(() => isHeld() || actions.updateOrder()));
  addEventListener('keydown', (event) => {
    const inFilter = event.target instanceof HTMLInputElement;
    if (event.key === 'Escape' && inFilter) {
      actions.change({ filter: '' });
      list()?.focus();
      return;
    }
    if ((event.key === '/' && !inFilter) || (event.key === 'f' && (event.ctrlKey || event.metaKey))) {
      event.preventDefault();
      focusFilter();
      return;
    }
    if (inFilter && event.key === 'ArrowDown') list()?.focus();
    else if (!model || event.target !== list()) return;
    if (!model || !pressed(event, model, actions)) return;
    event.preventDefault();
    cancelAnimationFrame(frame);
    draw();
    reveal();
  });
  // A theme changes the body's classes and the root's variables.
  new MutationObserver(() => {
    colors = readColors(body);
    for (const canvas of root.querySelectorAll('canvas')) drawn.delete(canvas);
    schedule();
  }).observe(body, { attributes: true, attributeFilter: ['class'] });

  let saved: OverviewLocal | null = null;
  setInterval(() => {
    if (local !== saved) host.save(toOverviewState(local));
    saved = local;
    if (!document.hidden) schedule();
  }, 1000);
  askForPicture(host, () => hasRows);
}
