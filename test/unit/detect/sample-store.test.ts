import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LONGEST, SampleStore } from '../../../src/detect/sample-store';

const source = { file: 'f', line: 1, offset: 0 };

describe('results that are remembered', () => {
  test('come back as they were, with what the comparison ignored', () => {
    const store = new SampleStore();
    store.add(3, 10, source, '1 failed in 0.12s — ärger', true);
    const sample = store.sample(3);
    expect(sample).toMatchObject({ at: 10, source, text: '1 failed in 0.12s — ärger' });
    expect(sample?.ignored.map(([start, end]) => sample.text.slice(start, end))).toEqual(['0.12s']);
    expect(store.sample(4)).toBeUndefined();
  });

  test('a long one keeps head and tail', () => {
    const store = new SampleStore();
    store.add(0, 0, source, `${'a'.repeat(5000)}${'b'.repeat(5000)}`, false);
    const text = store.sample(0)?.text ?? '';
    expect(text).toMatch(/^a+\n… 5904 characters left out …\nb+$/);
    expect(text.length).toBeLessThan(LONGEST + 100);
    expect(store.masked(0)).toBe(0);
  });

  test('old ones are written over; what is still there is whole', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(6000), { minLength: 1, maxLength: 120 }), (lengths) => {
        const store = new SampleStore();
        const texts = lengths.map(
          (length, step) => `${step}:${'é'.repeat(length % 3)}${'x'.repeat(Math.min(length, LONGEST - 20))}`,
        );
        texts.forEach((text, step) => store.add(step, step, source, text, false));
        expect(store.sample(texts.length - 1)?.text).toBe(texts.at(-1));
        texts.forEach((text, step) => {
          const kept = store.sample(step);
          if (kept) expect(kept.text).toBe(text);
        });
      }),
      { numRuns: 60 },
    );
  });
});
