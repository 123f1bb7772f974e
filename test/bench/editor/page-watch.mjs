/**
 * Watches the pages of an extension inside a real VS Code: when the first of its content appeared, how long the thread of the page was busy without a
 * break, and which messages passed between page and extension host.
 */

/** Runs in each frame before its own scripts. A page is written into an existing frame: its window, and what was attached to it, stays. */
function watch() {
  /** Milliseconds for which a page is watched for its first content. */
  const LOOKED_MS = 20_000;
  /** The most by which a figure is late, milliseconds. */
  const LOOK_EVERY_MS = 4;
  const seen = { longTasks: [], others: [], shown: {}, toPage: [], toHost: [] };
  Object.assign(globalThis, { pageWatch: seen });
  const now = () => performance.timeOrigin + performance.now();
  new PerformanceObserver((list) => {
    for (const { name, duration, startTime } of list.getEntries())
      (name === 'self' ? seen.longTasks : seen.others).push({
        ms: duration,
        at: performance.timeOrigin + startTime,
        name,
      });
  }).observe({ type: 'longtask' });
  // Uses a timer: neither an observer nor a requested animation frame outlives the moment in which the page is written into its frame.
  const looking = setInterval(() => {
    for (const selector of ['h1', '.row', 'canvas'])
      if (!(selector in seen.shown) && document.querySelector(selector)) seen.shown[selector] = now();
    if (performance.now() > LOOKED_MS) clearInterval(looking);
  }, LOOK_EVERY_MS);
  if (window === top) return;
  // Messages from the host: the page listens for them on its window.
  const counted = new WeakSet();
  const listen = window.addEventListener.bind(window);
  window.addEventListener = (type, listener, ...rest) => {
    if (type !== 'message' || typeof listener !== 'function') return listen(type, listener, ...rest);
    const counting = (event) => {
      if (!counted.has(event)) seen.toPage.push({ at: now(), type: event.data?.type });
      counted.add(event);
      listener(event);
    };
    return listen(type, counting, ...rest);
  };
  // Messages from a page: sent to the frame around it, along with what VS Code itself sends there.
  const post = window.postMessage.bind(window);
  window.postMessage = (message, ...rest) => {
    if (message?.channel === 'onmessage') seen.toHost.push({ at: now() });
    return post(message, ...rest);
  };
}

/** @param {import('playwright-core').Page} page before it is reloaded */
export async function watchPages(page) {
  await page.addInitScript(watch);
}

/**
 * The frame of a page of an extension.
 * @param {import('playwright-core').FrameLocator} content as the tests name it
 */
export async function frameOf(content) {
  const frame = await (await content.locator('body').elementHandle())?.ownerFrame();
  if (!frame) throw new Error('The page has no frame.');
  return frame;
}

/**
 * Returns what was seen since the last time, and forgets it.
 * @param {import('playwright-core').Frame} frame
 * @returns {Promise<{ longTasks: { ms: number, at: number, name: string }[], others: { ms: number, at: number, name: string }[], toPage: { at:
 * number, type?: string }[], toHost: { at: number }[] }>}
 */
export async function taken(frame) {
  const own = await frame.evaluate(() => {
    const { longTasks, others, toPage } = globalThis.pageWatch;
    return { longTasks: longTasks.splice(0), others: others.splice(0), toPage: toPage.splice(0) };
  });
  const toHost = await frame.parentFrame()?.evaluate(() => globalThis.pageWatch.toHost.splice(0));
  return { ...own, toHost: toHost ?? [] };
}

/**
 * Time at which something first appeared in the page, milliseconds since the epoch. @param {import('playwright-core').Frame} frame @param {'h1' |
 * '.row' | 'canvas'} selector
 */
export function shownAt(frame, selector) {
  return frame.evaluate((what) => globalThis.pageWatch.shown[what], selector);
}
