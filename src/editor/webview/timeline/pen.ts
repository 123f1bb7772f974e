import type { Colors } from './colors';

/** A canvas context that draws on whole device pixels, so that edges stay sharp at any scale. */
export interface Pen {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  /** Rounds to the nearest device pixel. */
  snap(value: number): number;
  rect(x: number, y: number, width: number, height: number): void;
  /** Draws an outline of 1 px inside the rectangle. */
  outline(x: number, y: number, width: number, height: number, radius?: number): void;
  round(x: number, y: number, width: number, height: number, radius: number): void;
  vertical(x: number, top: number, bottom: number, dash?: readonly number[]): void;
}

/** Clears the canvas at its size in css pixels and returns a pen for it; null while it has no size. */
export function penFor(canvas: HTMLCanvasElement, scale: number): Pen | null {
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  const context = canvas.getContext('2d');
  if (!context || width === 0 || height === 0) return null;
  const pixels = [Math.round(width * scale), Math.round(height * scale)] as const;
  if (canvas.width !== pixels[0]) canvas.width = pixels[0];
  if (canvas.height !== pixels[1]) canvas.height = pixels[1];
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  context.textBaseline = 'middle';
  const hair = 1 / scale;
  const snap = (value: number) => Math.round(value * scale) / scale;
  const round = (x: number, y: number, w: number, h: number, radius: number) => {
    context.beginPath();
    context.roundRect(x, y, w, h, Math.max(0, Math.min(radius, w / 2)));
  };
  return {
    context,
    width,
    height,
    snap,
    round,
    rect(x, y, w, h) {
      context.fillRect(snap(x), snap(y), Math.max(hair, snap(w)), Math.max(hair, snap(h)));
    },
    outline(x, y, w, h, radius = 0) {
      context.lineWidth = 1;
      round(snap(x) + 0.5, snap(y) + 0.5, Math.max(1, snap(w) - 1), Math.max(1, snap(h) - 1), radius);
      context.stroke();
    },
    vertical(x, top, bottom, dash = []) {
      context.lineWidth = 1;
      context.setLineDash([...dash]);
      context.beginPath();
      context.moveTo(snap(x) + 0.5, top);
      context.lineTo(snap(x) + 0.5, bottom);
      context.stroke();
      context.setLineDash([]);
    },
  };
}

/** Returns the fonts of the timeline: label 11, words 12 half bold, calls 12 mono, letters 10 bold, icons 14. */
export function fonts(colors: Colors) {
  return {
    label: `400 11px ${colors.font}`,
    words: `600 12px ${colors.font}`,
    call: `400 12px ${colors.mono}`,
    letter: `700 10px ${colors.font}`,
    icon: '14px codicon',
  } as const;
}

/** Returns a function that measures the width of a text in a font. */
export function measureIn(context: CanvasRenderingContext2D, font: string): (text: string) => number {
  return (text) => {
    context.font = font;
    return context.measureText(text).width;
  };
}
