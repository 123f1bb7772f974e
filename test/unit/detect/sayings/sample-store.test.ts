import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LONGEST, SampleStore } from '../../../../src/detect/sayings/sample-store';

const source = { file: 'f', line: 1, offset: 0 };
const step = (index: number) => ({ index, at: index * 10, end: source });

describe('remembered results', () => {
  test('come back as they were, with what the comparison ignored', () => {
    const store = new SampleStore();
    store.add(3, '1 failed in 0.12s — ärger', true);
    const sample = store.sample(step(3));
    expect(sample).toMatchObject({ at: 30, source, text: '1 failed in 0.12s — ärger' });
    expect(sample?.ignored.map(([start, end]) => sample.text.slice(start, end))).toEqual(['0.12s']);
    expect(store.sample(step(4))).toBeUndefined();
  });

  test('are one text for a search for words', () => {
    const store = new SampleStore();
    store.add(0, 'connect ECONNREFUSED 127.0.0.1:5432', true);
    store.add(1, 'ärger in src/sum.ts', false);
    expect(store.text()).toContain('127.0.0.1:5432');
    expect(store.text()).toContain('ärger in src/sum.ts');
    for (let index = 2; index < 40; index++) store.add(index, 'x'.repeat(2_000), false);
    expect(store.text()).not.toContain('5432');
    expect(store.text().length).toBeLessThanOrEqual(16_384);
  });

  test('keep head and tail if they are long', () => {
    const store = new SampleStore();
    store.add(0, `${'a'.repeat(5000)}${'b'.repeat(5000)}`, false);
    const text = store.sample(step(0))?.text ?? '';
    expect(text).toMatch(/^a+\n… 6928 characters left out …\nb+$/);
    expect(text.length).toBeLessThan(LONGEST + 100);
    expect(store.masked(0)).toBe(0);
  });

  test('are overwritten when old; what remains is whole', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(6000), { minLength: 1, maxLength: 120 }), (lengths) => {
        const store = new SampleStore();
        const texts = lengths.map(
          (length, index) => `${index}:${'é'.repeat(length % 3)}${'x'.repeat(Math.min(length, LONGEST - 20))}`,
        );
        texts.forEach((text, index) => store.add(index, text, false));
        expect(store.sample(step(texts.length - 1))?.text).toBe(texts.at(-1));
        texts.forEach((text, index) => {
          const kept = store.sample(step(index));
          if (kept) expect(kept.text).toBe(text);
        });
      }),
      { numRuns: 60 },
    );
  });

  const remembered = (texts: readonly string[]) => {
    const store = new SampleStore();
    texts.forEach((text, index) => store.add(index, text, false));
    return texts.flatMap((text, index) => (store.sample(step(index))?.text === text ? [index] : []));
  };

  test('are the newest 128, however short', () => {
    const short = Array.from({ length: 200 }, (_, index) => `result ${index}`);
    expect(remembered(short)).toEqual(Array.from({ length: 128 }, (_, index) => index + 72));
    expect(remembered(short.slice(0, 128))).toHaveLength(128);
  });

  test('take 16,384 bytes together, in whatever order long and short ones come', () => {
    const long = Array.from({ length: 40 }, (_, index) => `${index} `.padEnd(3_000, 'x'));
    expect(remembered(long)).toEqual([35, 36, 37, 38, 39]);
    const two = Array.from({ length: 40 }, (_, index) => `${index} `.padEnd(1_500, 'é'));
    expect(remembered(two)).toEqual([35, 36, 37, 38, 39]);
    const mixed = Array.from({ length: 60 }, (_, index) => `${index} `.padEnd(index % 3 === 0 ? 2_900 : 40, 'x'));
    const kept = remembered(mixed);
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, place) => 60 - kept.length + place));
    expect(kept.length).toBeGreaterThanOrEqual(12);
    const full = Array.from({ length: 16 }, (_, index) => `${index} `.padEnd(1_024, 'x'));
    expect(remembered(full)).toHaveLength(16);
    expect(remembered([...full, 'one more'])).not.toContain(0);
    expect(remembered([...full, 'one more'])).toContain(1);
  });

  test('start again if steps were left out', () => {
    const store = new SampleStore();
    store.add(0, 'one', false);
    store.add(5, 'two', false);
    expect(store.sample(step(0))).toBeUndefined();
    expect(store.sample(step(4))).toBeUndefined();
    expect(store.sample(step(5))?.text).toBe('two');
  });

  test('have a fingerprint while they are there and whole, equal if only masked parts differ', () => {
    const store = new SampleStore();
    store.add(0, 'passed in 0.12s', false);
    store.add(1, 'passed in 9.99s', false);
    store.add(2, 'failed in 9.99s', false);
    expect(store.masked(0)).not.toBe(0);
    expect(store.masked(0)).toBe(store.masked(1));
    expect(store.masked(0)).not.toBe(store.masked(2));
    expect(store.masked(3)).toBe(0);
  });

  test('of a failing check are compared without the numbers in its assertions', () => {
    const ignored = (failed: boolean, failingCheck: boolean) => {
      const store = new SampleStore();
      store.add(0, 'a.py:12: E\nE   assert -6 == 6 in 0.5s', failed, failingCheck);
      const sample = store.sample(step(0));
      return sample?.ignored.map(([start, end]) => sample.text.slice(start, end));
    };
    expect(ignored(false, false)).toEqual(['0.5s']);
    expect(ignored(true, false)).toEqual(['12', '0.5s']);
    expect(ignored(true, true)).toEqual(['12', '-6', '6', '0.5s']);
    expect(ignored(false, true)).toEqual(['-6', '6', '0.5s']);
  });
});
