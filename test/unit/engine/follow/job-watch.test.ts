import { expect, it } from 'vitest';
import { silentLog } from '../../../../src/base/util/log';
import { JobWatch } from '../../../../src/engine/follow/job-watch';
import type { Session } from '../../../../src/engine/session/session';
import { FakeClock } from '../../history/support/fake-clock';

const START = Date.parse('2026-03-02T10:00:00Z');
const LOOK = 5_000;

function stage(open: Set<string>) {
  const clock = new FakeClock(START);
  const ends: object[] = [];
  const jobs = {
    running: () => (ends.length > 0 ? [] : [{ id: 'build', output: '/shop/build.log' }]),
    ended: (id: string, at: number, how: object) => ends.push({ id, at, ...how }),
  };
  const session = { facts: { jobs } } as unknown as Session;
  const changed: Session[] = [];
  const watch = new JobWatch(
    { clock, log: silentLog, readSmall: () => 'compiling\n2 errors\n\n', openFiles: async () => new Set(open) },
    { sessions: () => [session], changed: (one) => changed.push(one) },
  );
  watch.wrote(session);
  const look = async () => {
    clock.pass(LOOK);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { look, ends, changed, clock, session };
}

it('sees that nobody writes any more into a file that was open, and how it ended', async () => {
  const open = new Set(['/shop/build.log']);
  const { look, ends, changed, clock, session } = stage(open);
  await look();
  expect(ends).toEqual([]);
  open.clear();
  await look();
  expect(ends).toEqual([{ id: 'build', at: START + 2 * LOOK, lastLine: '2 errors' }]);
  expect(changed).toEqual([session]);
  await look();
  expect(clock.waiting).toBe(0);
});

it('says nothing of a file that it never saw open', async () => {
  const { look, ends } = stage(new Set());
  for (let looks = 0; looks < 10; looks++) await look();
  expect(ends).toEqual([]);
});
