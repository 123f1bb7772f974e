import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FRESH, withSnapshot } from '../../../../src/editor/webview/panel-model';
import { layoutAxis } from '../../../../src/editor/webview/timeline/axis';
import { byClock, nameCuts } from '../../../../src/editor/webview/timeline/clock';
import { visibleColumns } from '../../../../src/editor/webview/timeline/columns';
import { layoutMarks } from '../../../../src/editor/webview/timeline/marks';
import { prepareSteps, readout } from '../../../../src/editor/webview/timeline/steps';
import {
  FOLLOWING,
  edgeOf,
  endOf,
  geometry,
  nearestStep,
  roomEnd,
  sessionGeometry,
  stepAt,
  widthOf,
  xBefore,
  xOf,
} from '../../../../src/editor/webview/timeline/window';
import { plain } from '../../../../src/core/words';
import { healthy, long, stuck } from './support/panel-fixtures';

const WIDTH = 1232;
const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Places steps with these waits between them, ms, in a timeline of 1232 px. */
function placed(waits: readonly number[], width = WIDTH) {
  let now = Date.UTC(2026, 10, 20, 9);
  const at = Float64Array.from([now, ...waits.map((wait) => (now += wait))]);
  const even = geometry(width, { first: 0, end: at.length }, FOLLOWING);
  return byClock(even, at.subarray(0), 0, roomEnd(even));
}

const distances = (shown: ReturnType<typeof placed>) =>
  Array.from(
    { length: shown.to - shown.from - 1 },
    (_, i) => xOf(shown, shown.from + i + 1) - xOf(shown, shown.from + i),
  );

describe('steps placed by the clock', () => {
  it('are as far apart as the time between them', () => {
    const [fast, slow, twice] = distances(placed([10 * SECOND, 60 * SECOND, 120 * SECOND]));
    expect((slow ?? 0) / (fast ?? 1)).toBeGreaterThan(5);
    expect((twice ?? 0) / (slow ?? 1)).toBeCloseTo(2, 1);
  });

  it('fill the width, even if the same few steps side by side do not', () => {
    const shown = placed([10 * SECOND, 60 * SECOND]);
    expect(endOf(shown)).toBeCloseTo(WIDTH - 4);
    expect(xOf(shown, 0)).toBeGreaterThan(shown.left);
  });

  it('cut a wait over 5 min to 24 px and name it', () => {
    const shown = placed([10 * SECOND, 12 * MINUTE, 5 * MINUTE, 30 * SECOND]);
    expect(distances(shown)[1]).toBeCloseTo(24 + 3);
    expect(distances(shown)[2]).toBeGreaterThan(500);
    expect(shown.clock?.cuts).toMatchObject([{ ms: 12 * MINUTE, from: xOf(shown, 1), to: xOf(shown, 2) }]);
    const names = nameCuts(shown.clock?.cuts ?? [], (text) => 6 * text.length);
    expect(names).toEqual([{ words: '12 min', middle: (xOf(shown, 1) + xOf(shown, 2)) / 2 }]);
  });

  it('name no two cuts on top of each other', () => {
    const cuts = Array.from({ length: 6 }, (_, i) => ({ from: 100 + i * 27, to: 127 + i * 27, ms: 12 * MINUTE }));
    const names = nameCuts(cuts, () => 40);
    expect(names.map(({ middle }) => middle)).toEqual([113.5, 167.5, 221.5]);
  });

  it('keep a parallel batch apart, and a step that claims to be earlier than the one before it', () => {
    const shown = placed([0, 0, -5 * SECOND, 60 * SECOND]);
    expect(distances(shown).slice(0, 3)).toEqual([3, 3, 3].map((least) => expect.closeTo(least)));
    expect(widthOf(shown, 1)).toBeCloseTo(3);
    expect(widthOf(shown, 4)).toBe(20);
  });

  it('are unchanged if there is only one', () => {
    const even = geometry(WIDTH, { first: 5, end: 6 }, FOLLOWING);
    expect(byClock(even, Float64Array.of(1), 5, 1228)).toBe(even);
  });

  it('put a marker at its time, between two steps', () => {
    const shown = placed([10 * SECOND, 100 * SECOND]);
    const second = shown.clock?.at[1] ?? 0;
    const [mark] = layoutMarks([{ kind: 'nudge', step: 2, at: second + 25 * SECOND, text: '' }], shown, () => 30);
    expect(mark?.x).toBeCloseTo(xOf(shown, 1) + (xOf(shown, 2) - xOf(shown, 1)) / 4);
    expect(xBefore(shown, 3, second + 200 * SECOND)).toBe(endOf(shown));
    expect(xBefore(shown, 0, 0)).toBe(edgeOf(shown, 0));
  });

  it('have times below the axis where there is room, and none twice', () => {
    const { timeline } = stuck();
    const steps = prepareSteps(timeline);
    const even = geometry(WIDTH, steps.range, FOLLOWING);
    const shown = byClock(even, timeline.at, 0, roomEnd(even));
    const labels = layoutAxis(steps, shown, (text) => 6 * text.length);
    expect(labels.length).toBeGreaterThan(2);
    expect(new Set(labels.map(({ text }) => text)).size).toBe(labels.length);
    for (const { x } of labels) expect(stepAt(shown, x)).not.toBeNull();
  });

  it('fit 100,000 steps into columns and lose none of them', () => {
    const { timeline } = long(100_000);
    const range = { first: 0, end: timeline.at.length };
    const shown = byClock(sessionGeometry(WIDTH, range), timeline.at, 0, WIDTH);
    const columns = visibleColumns(timeline.flags, 0, shown);
    expect(columns).toHaveLength(Math.floor((endOf(shown) - shown.left) / 3));
    expect(columns.some(({ repeats }) => repeats > 0)).toBe(true);
    expect(columns.filter(({ above, repeats }) => above > 0 || repeats > 0).length).toBeGreaterThan(100);
  });

  it('are always in order, within the width, and can be found by their position', () => {
    const wait = fc.oneof(
      fc.integer({ min: -MINUTE, max: 5 * MINUTE }),
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 5 * MINUTE, max: 24 * 60 * MINUTE }),
    );
    fc.assert(
      fc.property(
        fc.array(wait, { minLength: 1, maxLength: 400 }),
        fc.integer({ min: 300, max: 1440 }),
        fc.constantFrom(0, 4, 20, 40),
        fc.option(fc.nat(400)),
        fc.nat(1000),
        (waits, width, pitch, from, first) => {
          let now = 1e12;
          const at = Float64Array.from([now, ...waits.map((one) => (now += one))]);
          const range = { first, end: first + at.length };
          const even = geometry(width, range, { pitch, from });
          const end = roomEnd(even);
          const shown = byClock(even, at, first, end);
          expect([shown.from, shown.to]).toEqual([even.from, even.to]);
          if (!shown.clock) return;
          for (let step = shown.from; step < shown.to; step++) {
            const x = xOf(shown, step);
            expect(nearestStep(shown, x)).toBe(step);
            expect(stepAt(shown, x)).toBe(step);
            expect(widthOf(shown, step)).toBeGreaterThan(0);
            expect(x).toBeGreaterThan(shown.left - 0.01);
            if (step > shown.from) expect(x).toBeGreaterThan(xOf(shown, step - 1));
          }
          expect(endOf(shown)).toBeLessThanOrEqual(end + 0.01);
          const flags = new Uint8Array(at.length);
          flags[shown.from - first + Math.floor((shown.to - shown.from) / 2)] = 1 << 4;
          expect(visibleColumns(flags, first, shown).filter(({ repeats }) => repeats > 0)).toHaveLength(1);
        },
      ),
    );
  });
});

describe('the mode of the timeline', () => {
  it('says in words how long the wait before a step was', () => {
    const { timeline } = stuck();
    const says = (step: number, mode: 'steps' | 'time') =>
      plain(readout(prepareSteps(timeline), step, [timeline.subjects], mode));
    expect(says(213, 'time')).toMatch(/^Step 214, 17:09:38, after [\dmin s]+: pytest -q, same result as step 203$/);
    expect(says(213, 'steps')).toMatch(/^Step 214, 17:09:38: pytest -q/);
    expect(says(0, 'time')).not.toContain('after');
  });

  it('stays for the next agent in the same panel', () => {
    const local = { ...FRESH, mode: 'time' as const };
    expect(withSnapshot(local, stuck(), { ...healthy(), session: 'another' }).mode).toBe('time');
  });
});
