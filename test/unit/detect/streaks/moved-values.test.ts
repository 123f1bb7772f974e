import { describe, expect, it } from 'vitest';
import { MovedValues } from '../../../../src/detect/streaks/moved-values';

const shown = (...steps: readonly (readonly string[])[]) => {
  const moved = new MovedValues();
  for (const values of steps) moved.add(values);
  return moved.shown();
};

describe('the value that moved while the same places failed', () => {
  it('is listed in runs, the first one after any number of steps', () => {
    expect(shown(['-6'], ...Array.from({ length: 15 }, () => ['3']))).toEqual(['-6', '3 ×15']);
    expect(shown(['1'], ['1'], ['2'], ['1'])).toEqual(['1 ×2', '2', '1']);
  });

  it('is empty if all steps say the same, or if one of them has no such value', () => {
    expect(shown()).toEqual([]);
    expect(shown(['1'], ['1'])).toEqual([]);
    expect(shown([], ['1'], ['2'])).toEqual([]);
    expect(shown(['1'], ['2'], [])).toEqual([]);
  });

  it('is the one that moved first, of several', () => {
    expect(shown(['1', 'a'], ['1', 'b'], ['2', 'c'])).toEqual(['a', 'b', 'c']);
  });

  it('has its first run and the newest seven, of many', () => {
    const counted = Array.from({ length: 20 }, (_, at) => [String(at)]);
    expect(shown(...counted)).toEqual(['0', '…', '13', '14', '15', '16', '17', '18', '19']);
  });
});
