import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { dealt } from '../../../src/engine/deal';

/** A worker that notes what it began, and is done when it is told. */
function worker(begun: number[]) {
  const done = new Map<number, (result: string) => void>();
  const work = (number: number) => {
    begun.push(number);
    return new Promise<string>((settle) => done.set(number, settle));
  };
  return { work, end: (number: number) => done.get(number)?.(`result ${number}`) };
}

describe('work that is dealt out', () => {
  it('gives the results in the order of the work, whoever is done first', async () => {
    const [first, second]: [number[], number[]] = [[], []];
    const [one, two] = [worker(first), worker(second)];
    const results = dealt([0, 1, 2, 3], [one.work, two.work]);
    const begun = results.next();
    await wait(0);
    expect([first, second]).toEqual([[0], [1]]);
    // The second does all that is left, while the first still has its own.
    for (const number of [1, 2, 3]) {
      two.end(number);
      await wait(0);
    }
    expect([first, second]).toEqual([[0], [1, 2, 3]]);
    one.end(0);
    expect((await begun).value).toBe('result 0');
    const others = [];
    for await (const result of results) others.push(result);
    expect(others).toEqual(['result 1', 'result 2', 'result 3']);
  });

  it('begins with a single worker when its result is asked for', async () => {
    const begun: number[] = [];
    const one = worker(begun);
    const results = dealt([0, 1], [one.work]);
    expect(begun).toEqual([]);
    const first = results.next();
    await wait(0);
    one.end(0);
    await first;
    await wait(0);
    expect(begun).toEqual([0]);
  });

  it('begins nothing more once nobody wants results', async () => {
    const begun: number[] = [];
    const [one, two] = [worker(begun), worker(begun)];
    const results = dealt([0, 1, 2, 3], [one.work, two.work]);
    const first = results.next();
    await wait(0);
    one.end(0);
    await first;
    await results.return(undefined);
    const before = begun.length;
    two.end(1);
    await wait(0);
    expect(begun.length).toBe(before);
  });

  it('fails in the order of the work', async () => {
    const fails = (number: number) =>
      number === 0 ? wait(20).then(() => 'result 0') : Promise.reject(new Error(`no ${number}`));
    const results = dealt([0, 1, 2], [fails, fails]);
    expect((await results.next()).value).toBe('result 0');
    await expect(results.next()).rejects.toThrow('no 1');
  });
});
