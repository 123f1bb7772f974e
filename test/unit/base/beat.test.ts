import { expect, it } from 'vitest';
import { Beat } from '../../../src/base/beat';
import { FakeClock } from '../history/support/fake-clock';

const SECOND = 1_000;

/** A beat whose timers are counted, at 3.7 s of its clock. */
function beating() {
  const clock = new FakeClock(3_700);
  const wakes: number[] = [];
  const beat = new Beat({
    now: () => clock.now(),
    after: (milliseconds, run) =>
      clock.after(milliseconds, () => {
        wakes.push(clock.now());
        run();
      }),
  });
  return { beat, clock, wakes };
}

it('wakes once for all that check at different intervals', () => {
  const { beat, clock, wakes } = beating();
  const looks: Record<number, number[]> = { 2: [], 5: [], 10: [], 60: [] };
  for (const [seconds, times] of Object.entries(looks)) {
    const again = (): unknown =>
      beat.after(Number(seconds) * SECOND, () => (times.push(clock.now() / SECOND), again()));
    again();
  }
  clock.pass(120 * SECOND);
  expect(looks[2]?.slice(0, 4)).toEqual([6, 8, 10, 12]);
  expect(looks[5]?.slice(0, 3)).toEqual([9, 14, 19]);
  expect(looks[10]?.slice(0, 3)).toEqual([10, 20, 30]);
  expect(looks[60]).toEqual([60, 120]);
  // The times of all, none of them twice.
  expect(wakes.map((at) => at / SECOND)).toEqual([...new Set(Object.values(looks).flat())].sort((a, b) => a - b));
});

it('keeps to its seconds however long the checks take, and however late its timer fires', () => {
  const { beat, clock, wakes } = beating();
  const again = (): unknown => beat.after(2 * SECOND, () => (clock.pass(30), again()));
  again();
  clock.pass(20 * SECOND);
  expect(wakes.map((at) => at / SECOND).slice(0, 5)).toEqual([6, 8, 10, 12, 14]);
});

it('never treats a wait as over at once', () => {
  const { beat, clock } = beating();
  let waited = -1;
  beat.after(0, () => (waited = clock.now()));
  expect(waited).toBe(-1);
  clock.pass(SECOND);
  expect(waited).toBe(4 * SECOND);
});

it('sets no timer while nothing waits', () => {
  const { beat, clock } = beating();
  const waits = [SECOND, 60 * SECOND].map((milliseconds) => beat.after(milliseconds, () => expect.fail('was ended')));
  expect(clock.waiting).toBe(1);
  for (const wait of waits) wait.dispose();
  expect(clock.waiting).toBe(0);
});

it('a check that ends another one in the same beat has ended it; one that fails does not prevent the others', () => {
  const { beat, clock } = beating();
  const done: string[] = [];
  const waits = ['first', 'second', 'third'].map((name) =>
    beat.after(SECOND, () => {
      done.push(name);
      waits[1]?.dispose();
      if (name === 'first') throw new Error('a look failed');
    }),
  );
  expect(() => clock.pass(2 * SECOND)).toThrow('a look failed');
  clock.pass(2 * SECOND);
  expect(done).toEqual(['first', 'third']);
});
