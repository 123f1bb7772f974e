/** The parts of the page that are in view, for the sticky header and the primary button. */
export interface InView {
  readonly scrolled: boolean;
  readonly boxInView: boolean;
}

/** Watches the header and the bar of the message box. `observe` is called after each drawing, since elements appear and disappear. */
export function watchView(root: HTMLElement, changed: (seen: InView) => void): { observe(): void } {
  let header: Element | null = null;
  let box: Element | null = null;
  let seen: InView = { scrolled: false, boxInView: false };

  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.target === header) seen = { ...seen, scrolled: !entry.isIntersecting };
      if (entry.target === box) seen = { ...seen, boxInView: entry.isIntersecting };
    }
    changed(seen);
  });

  const swap = (before: Element | null, selector: string): Element | null => {
    const now = root.querySelector(selector);
    if (now === before) return now;
    if (before) observer.unobserve(before);
    if (now) observer.observe(now);
    return now;
  };

  return {
    observe() {
      const had = box;
      header = swap(header, '.head');
      box = swap(box, '.message .bar');
      if (had && !box && seen.boxInView) {
        seen = { ...seen, boxInView: false };
        changed(seen);
      }
    },
  };
}
