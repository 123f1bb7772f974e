import { mutateRecord, mutateText } from '../mutate';
import type { FuzzTarget } from '../target';

/** Seeds for a reader of JSON. */
export const json = (...values: readonly unknown[]): string[] => values.map((value) => JSON.stringify(value));

/** A reader of one JSON text; `run` throws on anything that must never happen. */
export function jsonReader(name: string, seeds: readonly string[], run: (input: string) => void): FuzzTarget {
  return {
    name,
    counts: 'inputs',
    seeds,
    mutate: (input, other, random) => mutateRecord(random.once(20) ? other : input, random),
    run(input, stopwatch) {
      stopwatch.step(() => run(input));
      return 1;
    },
  };
}

/** The same for plain text. */
export function textReader(name: string, seeds: readonly string[], run: (input: string) => void): FuzzTarget {
  const mutate: FuzzTarget['mutate'] = (input, other, random) => mutateText(random.once(20) ? other : input, random);
  return { ...jsonReader(name, seeds, run), mutate };
}
