import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PanelMarker, type TimelinePattern, stampPatterns } from '../../../../src/editor/panel-model';
import { stepFlags } from '../../../../src/core/model';
import { plain } from '../../../../src/core/words';
import { layoutAxis } from '../../../../src/editor/webview/timeline/axis';
import { isLaneShared, laneNames, layoutPatterns, wholeName } from '../../../../src/editor/webview/timeline/brackets';
import { columnDepth, columnsOf } from '../../../../src/editor/webview/timeline/columns';
import { type TimelineAct, actOf } from '../../../../src/editor/webview/timeline/keys';
import { layoutMarks, markReadout } from '../../../../src/editor/webview/timeline/marks';
import { prepareSteps, readout, sameResult } from '../../../../src/editor/webview/timeline/steps';
import { FOLLOWING, geometry } from '../../../../src/editor/webview/timeline/window';
import { healthy, inTurn, long, stuck } from './support/panel-fixtures';

const stuckSteps = prepareSteps(stuck().timeline);

describe('columns of a long session', () => {
  const flagsOf = (count: number, repeats: readonly number[]) => {
    const flags = Uint8Array.from({ length: count }, () => stepFlags('looked', false, false));
    const pattern: TimelinePattern = {
      group: 'g',
      letter: 'A',
      subject: 'x',
      steps: repeats,
      count: repeats.length + 1,
      words: 'same result',
    };
    stampPatterns(flags, 0, [pattern]);
    return flags;
  };

  it('still show a single repeat among 300 steps', () => {
    const columns = columnsOf(flagsOf(3000, [1234]), 0, 0, 3000, 10);
    expect(columns.map((column) => columnDepth(column, 12) > 0)).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 0, 0].map(Boolean));
    expect(columnDepth(columns[4] ?? { above: 0, repeats: 0 }, 12)).toBe(4);
  });

  it('are as deep as their share of repeats', () => {
    const half = columnsOf(
      flagsOf(
        100,
        Array.from({ length: 50 }, (_, i) => i * 2),
      ),
      0,
      0,
      100,
      1,
    );
    expect(columnDepth(half[0] ?? { above: 0, repeats: 0 }, 12)).toBe(8);
  });

  it('never lose a pattern repeat, and cover every step', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2000 }),
        fc.integer({ min: 1, max: 400 }),
        fc.nat(),
        (count, columns, at) => {
          const repeat = at % count;
          const found = columnsOf(flagsOf(count, [repeat]), 0, 0, count, columns);
          expect(found).toHaveLength(columns);
          expect(found.some((column) => column.repeats > 0)).toBe(true);
        },
      ),
    );
  });

  it('are as many as fit into the width, even for 100,000 steps', () => {
    const { flags } = long(100_000).timeline;
    expect(columnsOf(flags, 0, 0, flags.length, 380)).toHaveLength(380);
  });
});

describe('the readout of a step', () => {
  const says = (snapshot: ReturnType<typeof stuck>, step: number) => {
    const { timeline } = snapshot;
    return plain(readout(prepareSteps(timeline), step, [timeline.subjects]));
  };

  it('names the step that has the same result', () => {
    expect(says(stuck(), 213)).toBe('Step 214, 17:09:38: pytest -q, same result as step 203');
    expect(says(stuck(), 202)).toBe('Step 203, 17:02:11: pytest -q, first time');
  });

  it('says the kind and the result of steps outside patterns', () => {
    expect(says(stuck(), 212)).toMatch(/^Step 213, [\d:]+: Edit sitecustomize\.py, new result$/);
    expect(says(stuck(), 10)).toMatch(/^Step 11, [\d:]+: (looked|ran|changed), new result$/);
    expect(says(stuck(), 201)).toMatch(/same result as step 195$/);
  });

  it('says what a repeat outside patterns repeats', () => {
    expect(says(healthy(), 104)).toMatch(/: gh run view 8812, same result as step 97$/);
  });
});

describe('keys', () => {
  const key = (name: string, more = {}) => ({
    key: name,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: false,
    ...more,
  });
  const act = (name: string, current: number, more = {}): TimelineAct | null =>
    actOf(key(name, more), stuckSteps, current);
  const select = (step: number) => ({ kind: 'select', step });

  it('move by one step, by ten, and to the ends', () => {
    expect(act('ArrowLeft', 100)).toEqual(select(99));
    expect(act('ArrowRight', 213)).toEqual(select(213));
    expect(act('ArrowLeft', 100, { shiftKey: true })).toEqual(select(90));
    expect(act('Home', 100)).toEqual(select(0));
    expect(act('End', 100)).toEqual(select(213));
  });

  it('with Ctrl move along the same results', () => {
    expect(act('ArrowLeft', 213, { ctrlKey: true })).toEqual(select(211));
    expect(act('ArrowLeft', 204, { ctrlKey: true })).toEqual(select(202));
    expect(act('ArrowRight', 204, { metaKey: true })).toEqual(select(206));
    expect(sameResult(stuckSteps, 100, 1)).toBe(202);
    expect(act('ArrowRight', 213, { ctrlKey: true })).toEqual(select(213));
  });

  it('zoom and open', () => {
    expect(act('+', 3)).toEqual({ kind: 'zoom', factor: 1.25 });
    expect(act('0', 3)).toEqual({ kind: 'whole' });
    expect(act('Enter', 3)).toEqual({ kind: 'open' });
  });

  it('leave the editor its own keys', () => {
    expect(act('0', 3, { ctrlKey: true })).toBeNull();
    expect(act('ArrowLeft', 3, { altKey: true })).toBeNull();
    expect(act('a', 3)).toBeNull();
    expect(act('Tab', 3)).toBeNull();
  });
});

describe('markers', () => {
  const shown = geometry(1232, stuckSteps.range, FOLLOWING);
  const marker = (kind: PanelMarker['kind'], step: number): PanelMarker => ({ kind, step, at: 0, text: '' });
  const layout = (...markers: PanelMarker[]) => layoutMarks(markers, shown, (text) => text.length * 6);

  it('have their word on the right if there is room, otherwise on the left, otherwise none', () => {
    const marks = layout(marker('user', 170), marker('stuck', 200), marker('nudge', 201), marker('commit', 203));
    expect(marks.map((mark) => [mark.words, mark.wordsAt])).toEqual([
      ['You', 'right'],
      ['Stuck', 'left'],
      ['Nudge', 'none'],
      ['Commit', 'right'],
    ]);
  });

  it('at the same place become the one of the highest rank, and all of them are named', () => {
    const [mark, ...rest] = layout(marker('commit', 180), marker('nudge', 180), marker('stuck', 180));
    expect(rest).toEqual([]);
    expect(mark?.kind).toBe('stuck');
    expect(mark && markReadout(mark)).toBe('00:00:00: Commit, 00:00:00: Nudge, 00:00:00: Stuck');
  });

  it('are only those of the visible steps', () => {
    expect(layout(marker('user', 10))).toEqual([]);
  });

  it('have words that never touch', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: shown.from, max: shown.to }), { maxLength: 20 }), (places) => {
        const marks = layout(...places.map((step) => marker('gate_failed', step)));
        const spans = marks.map(({ iconX, words, wordsAt }): [number, number] => {
          const width = words.length * 6;
          if (wordsAt === 'right') return [iconX - 7, iconX + 11 + width];
          return wordsAt === 'left' ? [iconX - 11 - width, iconX + 7] : [iconX - 7, iconX + 7];
        });
        // Icons alone may be as near as 12 px; a word never reaches another mark.
        spans.slice(1).forEach(([from], index) => {
          const before = marks[index];
          const reach = spans[index]?.[1] ?? 0;
          if (before?.wordsAt === 'right' || marks[index + 1]?.wordsAt === 'left')
            expect(from).toBeGreaterThanOrEqual(reach);
        });
      }),
    );
  });
});

describe('patterns', () => {
  const measure = { words: (text: string) => text.length * 7, call: (text: string) => text.length * 7 };
  const shown = geometry(1232, stuckSteps.range, FOLLOWING);
  const withPatterns = (...patterns: Partial<TimelinePattern>[]) =>
    prepareSteps({
      ...stuck().timeline,
      patterns: patterns.map((pattern) => ({
        group: 'a',
        letter: 'A',
        subject: 'cargo test --workspace --all-features',
        steps: [],
        count: 33,
        words: 'same result',
        ...pattern,
      })),
    });
  const evens = (from: number, to: number) =>
    Array.from({ length: Math.ceil((to - from) / 2) }, (_, index) => from + 2 * index);

  it('of one letter have arcs between neighbours, and a bracket that names what repeats', () => {
    const { arcs, brackets } = layoutPatterns(stuckSteps, shown, measure);
    expect(arcs).toHaveLength(5);
    expect(brackets).toMatchObject([{ words: '×6 same result' }]);
    const [bracket] = brackets;
    expect((bracket?.to ?? 0) - (bracket?.from ?? 0)).toBeGreaterThan(bracket?.wordsWidth ?? 0);
    expect(laneNames(stuckSteps, 188, measure)).toMatchObject([{ lane: 0, words: 'A ×6', call: 'pytest -q' }]);
  });

  it('of two letters have a lane each and no arcs', () => {
    const steps = prepareSteps(inTurn().timeline);
    expect(steps.lanes).toBe(2);
    expect(layoutPatterns(steps, geometry(1232, steps.range, FOLLOWING), measure)).toEqual({ arcs: [], brackets: [] });
    expect(laneNames(steps, 250, measure).map(({ lane, words, call }) => [lane, words, call])).toEqual([
      [0, 'A ×6', 'Edit src/parser/dates.ts'],
      [1, 'B ×6', 'npm test -- dates'],
    ]);
  });

  it('keep the names of their lanes when tiles fill the whole window, and when no tile is in view', () => {
    const full = withPatterns(
      { letter: 'A', steps: evens(100, 214) },
      { letter: 'B', steps: evens(101, 214), subject: 'Edit src/calc.py', count: 17 },
    );
    const gone = withPatterns(
      { letter: 'A', steps: [3, 5] },
      { letter: 'B', steps: [4, 6], subject: 'Edit src/calc.py' },
    );
    for (const steps of [full, gone])
      expect(laneNames(steps, 188, measure).map(({ call }) => call)).toEqual(['cargo test…', 'Edit src/calc.py']);
    expect(wholeName(full, 0)).toBe('A: cargo test --workspace --all-features, same result 33 times');
    expect(wholeName(full, 2)).toBeUndefined();
  });

  it('never have names that extend into the steps', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), fc.integer({ min: 60, max: 200 }), (subject, room) => {
        for (const { call, callX } of laneNames(withPatterns({ subject }), room, measure))
          expect(callX + call.length * 7).toBeLessThanOrEqual(Math.max(room, callX));
      }),
    );
  });

  it('of two incidents share a lane, which is named after the newer one, and then all are listed', () => {
    const steps = withPatterns(
      { group: 'a', steps: [190, 192, 194] },
      { group: 'b', subject: 'pytest -q', steps: [196, 198, 200] },
    );
    expect(laneNames(steps, 188, measure)).toMatchObject([{ lane: 0, call: 'pytest -q' }]);
    expect(isLaneShared(steps.data.patterns)).toBe(true);
    expect(isLaneShared(inTurn().timeline.patterns)).toBe(false);
  });

  it('of five letters have three lanes, and the last one says how many it represents', () => {
    const letters = ['A', 'B', 'C', 'D', 'E'].map((letter, at) => ({ letter, subject: letter.repeat(4), steps: [at] }));
    expect(laneNames(withPatterns(...letters), 188, measure).map(({ words, call }) => [words, call])).toEqual([
      ['A ×33', 'AAAA'],
      ['B ×33', 'BBBB'],
      ['C+2 ×33', 'CCCC'],
    ]);
  });

  it('have a bracket without words if the words do not fit between its ends', () => {
    const steps = withPatterns({ steps: [200, 201, 202] });
    expect(layoutPatterns(steps, shown, measure).brackets).toMatchObject([{ words: '', wordsWidth: 0 }]);
  });
});

describe('the times under the line', () => {
  const measure = (text: string) => text.length * 6;
  const during = (ms: number, count: number) => {
    const { timeline } = stuck();
    const at = Float64Array.from(
      { length: count },
      (_, step) => new Date(2026, 0, 5, 9, 23).getTime() + (step * ms) / count,
    );
    return prepareSteps({ ...timeline, at, flags: timeline.flags.slice(0, count), patterns: [], markers: [] });
  };
  const texts = (ms: number, count: number) => {
    const steps = during(ms, count);
    return layoutAxis(steps, geometry(1232, steps.range, FOLLOWING), measure).map(({ text }) => text);
  };

  it('have seconds while ten minutes are in view, and otherwise none', () => {
    expect(texts(90_000, 30)[0]).toBe('09:23:00');
    expect(texts(3_600_000, 30)[0]).toBe('09:23');
  });

  it('are never the same twice, and never touch', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000 }), fc.integer({ min: 1, max: 200 }), (ms, count) => {
        const steps = during(ms, count);
        const labels = layoutAxis(steps, geometry(1232, steps.range, FOLLOWING), measure);
        labels.slice(1).forEach(({ middle, text }, index) => {
          const before = labels[index];
          expect(text).not.toBe(before?.text);
          expect(middle - (before?.middle ?? 0)).toBeGreaterThan(measure(text));
        });
      }),
    );
    expect(texts(2_000, 50)).toEqual(['09:23:00', '09:23:01']);
  });
});

describe('the legend', () => {
  it('knows which marks there are', () => {
    expect(stuckSteps.shown).toEqual({
      looked: true,
      ran: true,
      changed: true,
      failed: true,
      seen: true,
      first: true,
      repeat: true,
    });
    const flags = Uint8Array.from([stepFlags('looked', false, false), stepFlags('looked', false, false)]);
    expect(prepareSteps({ ...stuck().timeline, flags, patterns: [] }).shown).toEqual({
      looked: true,
      ran: false,
      changed: false,
      failed: false,
      seen: false,
      first: false,
      repeat: false,
    });
  });
});
