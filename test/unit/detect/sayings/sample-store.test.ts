import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LONGEST, SampleStore } from '../../../../src/detect/sayings/sample-store';

const source = { file: 'f', line: 1, offset: 0 };
const step = (index: number) => ({ index, at: index * 10, end: source });

describe('results that are remembered', () => {
  test('come back as they were, with what the comparison ignored', () => {
    const store = new SampleStore();
    store.add(3, '1 failed in 0.12s — ärger', true);
    const sample = store.sample(step(3));
    expect(sample).toMatchObject({ at: 30, source, text: '1 failed in 0.12s — ärger' });
    expect(sample?.ignored.map(([start, end]) => sample.text.slice(start, end))).toEqual(['0.12s']);
    expect(store.sample(step(4))).toBeUndefined();
  });

  test('a long one keeps head and tail', () => {
    const store = new SampleStore();
    store.add(0, `${'a'.repeat(5000)}${'b'.repeat(5000)}`, false);
    const text = store.sample(step(0))?.text ?? '';
    expect(text).toMatch(/^a+\n… 6928 characters left out …\nb+$/);
    expect(text.length).toBeLessThan(LONGEST + 100);
    expect(store.masked(0)).toBe(0);
  });

  test('old ones are written over; what is still there is whole', () => {
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
});
