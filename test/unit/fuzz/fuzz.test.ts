import { describe, expect, it } from 'vitest';
import { Fuzzer } from '../../fuzz/fuzz';
import { mutateLines, mutateRecord, mutateText } from '../../fuzz/mutate';
import { Random } from '../../fuzz/random';
import type { FuzzTarget } from '../../fuzz/target';

const LINES = ['{"type":"a","list":[1,{"b":"c"}]}', 'no JSON', '{"__proto__":{"x":1}}'].join('\n');

/** A reader that fails on an exclamation mark. */
const fragile: FuzzTarget = {
  name: 'fragile',
  counts: 'inputs',
  seeds: ['fine', 'fine too'],
  mutate: (input, _other, random) => (random.once(4) ? `${input}!` : input),
  run(input, stopwatch) {
    stopwatch.step(() => {
      if (input.includes('!')) throw new Error('an exclamation mark');
    });
    return 1;
  },
};

describe('mutation', () => {
  it('yields the same for the same seed, and something else for another', () => {
    const made = (seed: number) => {
      const random = new Random(seed);
      return Array.from({ length: 50 }, () => mutateLines(LINES, LINES, random));
    };
    expect(made(1)).toEqual(made(1));
    expect(made(1)).not.toEqual(made(2));
    expect(new Set(made(1)).size).toBeGreaterThan(40);
  });

  it('usually keeps a record JSON, and changes no object of the program', () => {
    const random = new Random(3);
    const made = Array.from({ length: 500 }, () => mutateRecord('{"type":"a","list":[1,{"b":"c"}]}', random));
    const whole = made.filter((text) => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    });
    expect(whole.length).toBeGreaterThan(350);
    expect(made.some((text) => text.includes('"__proto__"'))).toBe(true);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('makes texts as long as the part of a file that is read, and not longer', () => {
    const random = new Random(5);
    const lengths = Array.from({ length: 2_000 }, () => mutateText('password: x', random).length);
    expect(Math.max(...lengths)).toBeGreaterThan(60_000);
    expect(Math.max(...lengths)).toBeLessThan(66_000);
  });
});

describe('a run', () => {
  it('continues after an exception, and keeps the input with it', async () => {
    const fuzzer = new Fuzzer(fragile, 1, 50);
    await fuzzer.run(400);
    const { runs, counted, thrown } = fuzzer.outcome;
    expect(runs).toBe(400);
    expect(thrown.length).toBeGreaterThan(50);
    expect(counted).toBe(400 - thrown.length);
    expect(thrown[0]).toMatchObject({ input: expect.stringContaining('!'), what: expect.stringContaining('mark') });
  });

  it('keeps inputs that reach something new as seeds', async () => {
    const reached = new Set<string>();
    let fresh: string[] = [];
    const seen: string[] = [];
    const target: FuzzTarget = {
      ...fragile,
      mutate: (input, _other, random) => `${input}${random.below(3)}`,
      run: (input) => seen.push(input),
    };
    const guide = {
      take() {
        fresh = [...new Set(seen.splice(0).map((input) => String(input.length)))].filter((one) => !reached.has(one));
        for (const one of fresh) reached.add(one);
        return fresh.length;
      },
      forget() {
        for (const one of fresh) reached.delete(one);
      },
    };
    const fuzzer = new Fuzzer(target, 1, 50);
    for (let times = 0; times < 20; times++) await fuzzer.runGuided(guide);
    // Longer and longer inputs: each length is new once, and is built upon.
    expect(fuzzer.outcome.kept).toBe(reached.size);
    expect(reached.size).toBeGreaterThan(15);
  });
});
