import * as fastCheck from 'fast-check';
import { it } from 'vitest';

export * as fc from 'fast-check';

/** `test.prop([arbitraries])(name, check)`: one test that must pass for all values, 200 of them with a fixed seed. */
export const test = {
  prop<T extends unknown[]>(arbitraries: { [K in keyof T]: fastCheck.Arbitrary<T[K]> }, runs = 200) {
    return (name: string, check: (...values: T) => void): void => {
      it(name, () => {
        fastCheck.assert(
          fastCheck.property(fastCheck.tuple(...arbitraries), (values) => {
            check(...(values as T));
          }),
          {
            numRuns: runs,
            seed: 4242,
          },
        );
      });
    };
  },
  /** The same for asynchronous checks. */
  asyncProp<T extends unknown[]>(arbitraries: { [K in keyof T]: fastCheck.Arbitrary<T[K]> }, runs = 200) {
    return (name: string, check: (...values: T) => Promise<void>): void => {
      it(name, async () => {
        await fastCheck.assert(
          fastCheck.asyncProperty(fastCheck.tuple(...arbitraries), (values) => check(...(values as T))),
          { numRuns: runs, seed: 4242 },
        );
      });
    };
  },
};
