import { afterAll, describe, expect, it } from 'vitest';
import { Fuzzer } from '../../fuzz/fuzz';
import type { Targets } from '../../fuzz/targets';

/** Time is no reason to fail here: the machine of a test may be busy. The long run (`npm run fuzz`) checks it. */
const ANY_TIME = Number.POSITIVE_INFINITY;

/** The same inputs each time, for each reader of untrusted input. */
export function describeShortRun({ all, dispose }: Targets, inputs: number): void {
  describe(`${inputs} mutated inputs`, () => {
    afterAll(dispose);

    it.each(all.map((target) => [target.name, target] as const))('throw nothing: %s', async (_, target) => {
      const fuzzer = new Fuzzer(target, 4242, ANY_TIME);
      await fuzzer.run(inputs);
      expect(fuzzer.outcome.thrown).toEqual([]);
      expect(fuzzer.outcome.runs).toBe(inputs);
      expect(fuzzer.outcome.counted).toBeGreaterThan(0);
      expect(Object.keys(Object.prototype)).toEqual([]);
    });
  });
}
