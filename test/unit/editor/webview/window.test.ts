import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  FOLLOWING,
  PITCH,
  type TimelineWindow,
  WIDEST,
  centred,
  geometry,
  gutterOf,
  scrolled,
  sessionGeometry,
  showing,
  silenceWidth,
  stepAt,
  xOf,
  zoomed,
} from '../../../../src/editor/webview/timeline/window';

const range = { first: 0, end: 214 };

describe('the window of the detail', () => {
  it('shows the newest steps flush with the right edge, at about 20 px each', () => {
    const shown = geometry(1232, range, FOLLOWING);
    expect(shown.to).toBe(214);
    expect(shown.pitch).toBeGreaterThanOrEqual(PITCH);
    expect(shown.pitch).toBeLessThan(PITCH + 1);
    expect(xOf(shown, 213) + shown.pitch / 2).toBeCloseTo(1228);
  });

  it('fills the width with few steps, up to the widest step', () => {
    const shown = geometry(1232, { first: 0, end: 40 }, FOLLOWING);
    expect(shown).toMatchObject({ from: 0, to: 40, left: 84 });
    expect(xOf(shown, 39) + shown.pitch / 2).toBeCloseTo(1228);
    expect(geometry(1232, { first: 0, end: 3 }, FOLLOWING)).toMatchObject({ from: 0, to: 3, pitch: WIDEST });
    expect(sessionGeometry(1232, { first: 0, end: 40 }).pitch).toBeCloseTo(28.7);
    expect(geometry(480, range, FOLLOWING).left).toBe(0);
  });

  it('zooms from what is visible, even if few steps fill the width', () => {
    const few = { first: 0, end: 40 };
    const shown = geometry(1232, few, FOLLOWING);
    const out = geometry(1232, few, zoomed(shown, few, FOLLOWING, 0.8, 39));
    expect(out.pitch).toBeCloseTo(shown.pitch * 0.8, 0);
    for (const pitch of [16, 25]) {
      const window: TimelineWindow = { pitch, from: null };
      const next = geometry(1232, few, zoomed(geometry(1232, few, window), few, window, 20 / pitch, 39));
      expect(next.pitch).toBeCloseTo(20, 0);
    }
  });

  it('has a gutter as wide as the names of the repeats need', () => {
    expect([1232, 900, 640].map((width) => gutterOf(width, true))).toEqual([200, 148, 0]);
    expect(gutterOf(1232, false)).toBe(84);
  });

  it('makes room for silence in whole steps, so that bars never creep', () => {
    const quiet = geometry(1232, range, FOLLOWING, 7);
    const quieter = geometry(1232, range, FOLLOWING, 19);
    expect(quiet).toMatchObject({ pitch: quieter.pitch, from: quieter.from });
    expect(silenceWidth(29_000)).toBe(0);
    expect(silenceWidth(70_000)).toBe(7);
    expect(silenceWidth(3_600_000)).toBe(48);
  });

  it('stays where it was moved, and follows again at the end', () => {
    const shown = geometry(1232, range, FOLLOWING);
    const back = scrolled(shown, range, FOLLOWING, -30);
    expect(back.from).toBe(shown.from - 30);
    const grown = { first: 0, end: 220 };
    expect(geometry(1232, grown, back).from).toBe(back.from);
    expect(scrolled(geometry(1232, range, back), range, back, 500).from).toBeNull();
  });

  it('moves as little as needed to show a step', () => {
    const shown = geometry(1232, range, FOLLOWING);
    expect(showing(shown, range, FOLLOWING, 200)).toBe(FOLLOWING);
    expect(showing(shown, range, FOLLOWING, 100).from).toBe(100);
    const early = showing(shown, range, FOLLOWING, 0);
    expect(early.from).toBe(0);
    const later = showing(geometry(1232, range, early), range, early, 80);
    expect(geometry(1232, range, later).to).toBe(81);
  });

  it('shows the whole session with pitch 0, however long it is', () => {
    const shown = geometry(1232, { first: 0, end: 5000 }, { pitch: 0, from: null });
    expect(shown).toMatchObject({ from: 0, to: 5000 });
    expect(xOf(shown, 4999)).toBeLessThan(1232);
  });

  it('keeps the step under the pointer when it zooms', () => {
    const window: TimelineWindow = { pitch: 20, from: 90 };
    const before = geometry(1232, range, window);
    const anchor = 120;
    const after = geometry(1232, range, zoomed(before, range, window, 1.25, anchor));
    expect(Math.abs(xOf(after, anchor) - xOf(before, anchor))).toBeLessThan(after.pitch);
  });

  it('keeps the newest in view when it zooms there', () => {
    const before = geometry(1232, range, FOLLOWING);
    expect(zoomed(before, range, FOLLOWING, 1.25, 213)).toEqual({ pitch: 25, from: null });
  });

  it('centres a step of the strip', () => {
    const shown = geometry(1232, range, FOLLOWING);
    const after = geometry(1232, range, centred(shown, range, FOLLOWING, 100));
    expect((after.from + after.to) / 2).toBeCloseTo(100, -0.5);
  });

  it('stays within the existing steps', () => {
    fc.assert(
      fc.property(
        fc.record({
          width: fc.integer({ min: 100, max: 1440 }),
          first: fc.nat(1000),
          count: fc.integer({ min: 1, max: 3000 }),
          pitch: fc.constantFrom(0, 4, 7.5, 20, WIDEST),
          from: fc.option(fc.nat(5000)),
          silence: fc.constantFrom(0, 3, 48),
        }),
        fc.integer({ min: -5000, max: 5000 }),
        fc.constantFrom(0.5, 0.8, 1.25, 2),
        (input, steps, factor) => {
          const bounds = { first: input.first, end: input.first + input.count };
          let window: TimelineWindow = { pitch: input.pitch, from: input.from };
          const check = () => {
            const shown = geometry(input.width, bounds, window, input.silence);
            expect(shown.from).toBeGreaterThanOrEqual(bounds.first);
            expect(shown.to).toBeLessThanOrEqual(bounds.end);
            expect(shown.to).toBeGreaterThan(shown.from);
            expect(xOf(shown, shown.to - 1) + shown.pitch / 2).toBeLessThanOrEqual(
              Math.max(input.width, shown.left + shown.pitch) + 0.01,
            );
            return shown;
          };
          window = scrolled(check(), bounds, window, steps);
          const shown = check();
          window = zoomed(shown, bounds, window, factor, shown.from);
          check();
        },
      ),
    );
  });
});

describe('places and steps', () => {
  it('convert into each other', () => {
    const shown = geometry(1232, range, FOLLOWING);
    for (const step of [shown.from, 190, 213]) expect(stepAt(shown, xOf(shown, step))).toBe(step);
    expect(stepAt(shown, 10)).toBeNull();
    expect(stepAt(shown, 1231)).toBeNull();
  });

  it('the strip contains all steps and is never wider than the detail', () => {
    const strip = sessionGeometry(1232, range);
    expect(xOf(strip, 213) + strip.pitch / 2).toBeCloseTo(1232);
    expect(sessionGeometry(1232, { first: 0, end: 4 }).pitch).toBe(WIDEST);
  });
});
