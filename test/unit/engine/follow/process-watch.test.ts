import { expect, it } from 'vitest';
import type { Liveness } from '../../../../src/agents/transcripts';
import { silentLog } from '../../../../src/base/util/log';
import { ProcessWatch } from '../../../../src/engine/follow/process-watch';
import type { Session } from '../../../../src/engine/session/session';
import { FakeClock } from '../../history/support/fake-clock';

const START = Date.parse('2026-03-02T10:00:00Z');
/** Looks of the watch are 1 s apart. */
const LOOK = 1_000;

/** A session that works in `/work`, and the process that the machine shows for it. */
function stage({ parent }: { readonly parent?: string } = {}) {
  const clock = new FakeClock(START);
  const facts = {
    cwd: '/work',
    parent,
    turnOpen: true,
    answered: null as object | null,
    ended: null,
    lastEventAt: START,
  };
  const session = { options: { session: 's', agent: 'opencode', file: '/db' }, facts } as unknown as Session;
  const machine = { pid: 7 as number | null, running: new Map([[7, '100']]), searches: 0, looks: 0 };
  const told: Liveness[] = [];
  const watch = new ProcessWatch(
    {
      clock,
      log: silentLog,
      probe: {
        list: () => [],
        read: () => undefined,
        processStart: (pid) => (machine.looks++, machine.running.get(pid) ?? null),
      },
      processOf: async () => {
        machine.searches++;
        return machine.pid;
      },
    },
    { sessions: () => [session], changed: (_, liveness) => told.push(liveness) },
  );
  watch.soon();
  const pass = async (looks = 1) => {
    for (let look = 0; look < looks; look++) {
      clock.pass(LOOK);
      await Promise.resolve();
      await Promise.resolve();
    }
  };
  return { watch, facts, machine, told, pass, now: () => clock.now() };
}

it('sees at the second look that the process of a session at work is gone: its last words may still be read', async () => {
  const { machine, told, pass, watch } = stage();
  await pass(2);
  machine.running.clear();
  await pass();
  expect(told).toEqual([{ alive: true, pid: 7 }]);
  await pass();
  expect(told).toEqual([
    { alive: true, pid: 7 },
    { alive: false, pid: 7 },
  ]);
  expect(watch.of('s')).toEqual({ alive: false, pid: 7 });
});

it('does not take another process with the same id as a sign of life', async () => {
  const { machine, told, pass } = stage();
  await pass();
  machine.running.set(7, '200');
  await pass(2);
  expect(told.at(-1)).toEqual({ alive: false, pid: 7 });
});

it('reports nothing if it is not certain which process it is, and searches only every ten seconds', async () => {
  const { machine, told, pass } = stage();
  machine.pid = null;
  await pass(20);
  expect(told).toEqual([]);
  expect(machine.searches).toBe(2);
});

it('does not search for a session whose answer is complete, or that has been quiet for a minute', async () => {
  const { facts, machine, pass } = stage();
  facts.answered = {};
  await pass();
  facts.answered = null;
  facts.lastEventAt = START - 60_000;
  await pass(5);
  expect(machine.searches).toBe(0);
});

it('finds the new process of a session that was resumed', async () => {
  const { watch, facts, machine, told, pass, now } = stage();
  await pass();
  machine.running.clear();
  await pass(2);
  expect(told.at(-1)).toEqual({ alive: false, pid: 7 });
  machine.pid = 8;
  machine.running.set(8, '300');
  facts.lastEventAt = now() + 1;
  watch.soon();
  await pass();
  expect(told.at(-1)).toEqual({ alive: true, pid: 8 });
});

it('looks only every ten seconds while the agent rests, and not at all if no process is known', async () => {
  const { watch, facts, machine, pass } = stage();
  await pass();
  facts.turnOpen = false;
  machine.looks = 0;
  await pass(30);
  expect(machine.looks).toBeLessThanOrEqual(4);

  machine.running.clear();
  await pass(30);
  expect(watch.of('s')).toEqual({ alive: false, pid: 7 });
  machine.looks = 0;
  await pass(30);
  expect(machine.looks).toBe(0);
});

it('leaves a sub-agent to its parent', async () => {
  const { machine, pass } = stage({ parent: 'p' });
  await pass(3);
  expect(machine.searches).toBe(0);
});

it('knows about other sessions of the same agent in the same folder, which may be what a process works on', async () => {
  const clock = new FakeClock(START);
  const session = (name: string, more: object = {}, agent = 'opencode') =>
    ({
      options: { session: name, agent, file: `/${name}` },
      facts: { cwd: '/work', turnOpen: true, answered: null, ended: null, lastEventAt: START, ...more },
    }) as unknown as Session;
  const rests = { turnOpen: false };
  const all = [
    session('s'),
    session('beside', { ...rests, lastEventAt: START - 1 }),
    session('child', { ...rests, parent: 's', lastEventAt: START - 2 }),
    session('elsewhere', { ...rests, cwd: '/other', lastEventAt: START - 3 }),
    session('another', { ...rests, lastEventAt: START - 4 }, 'codex'),
  ];
  const sought: unknown[] = [];
  const told: unknown[] = [];
  const watch = new ProcessWatch(
    {
      clock,
      log: silentLog,
      probe: { list: () => [], read: () => undefined, processStart: () => '100' },
      processOf: async (asked) => {
        sought.push(asked);
        return null;
      },
    },
    { sessions: () => all, changed: (...change) => told.push(change) },
  );
  watch.soon();
  clock.pass(LOOK);
  await Promise.resolve();
  await Promise.resolve();
  expect(sought).toEqual([{ agent: 'opencode', file: '/s', cwd: '/work', others: [START - 1] }]);
  expect(told).toEqual([]);
  expect(watch.of('s')).toBeNull();
  watch.dispose();
  expect(clock.waiting).toBe(0);
});
