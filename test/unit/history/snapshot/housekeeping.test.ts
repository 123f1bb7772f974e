import { spawn } from 'node:child_process';
import { readdirSync, renameSync, truncateSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { startHousekeeping } from '../../../../src/history/snapshot/housekeeping';
import { encodeRecord } from '../../../../src/history/journal/journal-format';
import { storePaths } from '../../../../src/history/store-paths';
import { systemProcessTable } from '../../../../src/history/windows/process-id';
import { PATIENCE } from '../../../support/patience';
import { FakeClock } from '../support/fake-clock';
import { DAY, MINUTE, T0, folder, incident, open, processes, recovered } from '../support/make';

const sealed = (path: string) => readdirSync(join(path, 'journal')).filter((name) => name.includes('.sealed.')).length;
/** Waits until the turn that the clock started has ended: then the next one is planned. */
async function settled(clock: FakeClock): Promise<void> {
  await vi.waitFor(() => expect(clock.waiting).toBeGreaterThan(0), { ...PATIENCE, interval: 1 });
}

describe('housekeeping', () => {
  async function leave(path: string, windows: number, at = T0): Promise<void> {
    for (let i = 0; i < windows; i++) {
      const { store } = await open(path, { window: `w${i}` });
      await store.save(incident());
      await store.close();
    }
    for (const journal of readdirSync(join(path, 'journal')))
      utimesSync(join(path, 'journal', journal), at / 1000, at / 1000);
  }
  const house = (path: string, ownBytes = 0) => {
    const clock = new FakeClock(T0);
    let compactions = 0;
    /** What the compactions that are under way wait for, and their result. */
    const state = { held: Promise.resolve(), reason: undefined as 'locked' | undefined };
    const keeper = startHousekeeping({
      places: storePaths(path),
      processes: processes(1),
      ownBytes: () => ownBytes,
      now: () => clock.now(),
      after: (ms, run) => clock.after(ms, run),
      compact: async () => {
        compactions++;
        await state.held;
        return state.reason ? { reason: state.reason } : {};
      },
    });
    return { clock, keeper, state, count: () => compactions };
  };

  it('leaves a few small journals as they are', async () => {
    const path = folder();
    await leave(path, 15);
    expect(sealed(path)).toBe(15);
    const { clock, count } = house(path);
    clock.pass(MINUTE);
    await settled(clock);
    expect(count()).toBe(0);
  });

  it('compacts a minute after opening if enough journals were left behind, and checks again every ten minutes', async () => {
    const path = folder();
    await leave(path, 16);
    const { clock, count } = house(path);
    clock.pass(MINUTE - 1);
    expect(count()).toBe(0);
    clock.pass(1);
    await settled(clock);
    expect(count()).toBe(1);
    clock.pass(10 * MINUTE);
    await settled(clock);
    expect(count()).toBe(2);
  });

  it('compacts if one that was left behind is large', async () => {
    const path = folder();
    await leave(path, 1);
    const [journal = ''] = readdirSync(join(path, 'journal'));
    const ofSize = async (bytes: number) => {
      truncateSync(join(path, 'journal', journal), bytes);
      utimesSync(join(path, 'journal', journal), T0 / 1000, T0 / 1000);
      const { clock, count } = house(path);
      clock.pass(MINUTE);
      await settled(clock);
      return count();
    };
    expect([await ofSize(512 * 1024 - 1), await ofSize(512 * 1024)]).toEqual([0, 1]);
  });

  it('takes in small ones once a day, so that what was deleted does not stay in them', async () => {
    const path = folder();
    await leave(path, 1, T0 - DAY + 2 * MINUTE);
    const { clock, count } = house(path);
    clock.pass(MINUTE);
    await settled(clock);
    expect(count()).toBe(0);
    clock.pass(10 * MINUTE);
    await settled(clock);
    expect(count()).toBe(1);

    const again = folder();
    const { store } = await open(again, { window: 'w' });
    await store.save(incident());
    await store.compact();
    await store.close();
    utimesSync(join(again, 'incidents.sqlite'), T0 / 1000, T0 / 1000);
    await leave(again, 1, T0 - 2 * DAY);
    const young = house(again);
    young.clock.pass(MINUTE);
    await settled(young.clock);
    expect(young.count()).toBe(0);
    young.clock.pass(DAY);
    await settled(young.clock);
    expect(young.count()).toBe(1);
  });

  it('does not touch what another machine may still write', async () => {
    const path = folder();
    await leave(path, 16);
    const journals = join(path, 'journal');
    const elsewhere = (name: string) => name.replace('.sealed', '').replace(/\.aa\./, '.cc.');
    for (const name of readdirSync(journals)) renameSync(join(journals, name), join(journals, elsewhere(name)));
    const { clock, count } = house(path);
    clock.pass(MINUTE);
    await settled(clock);
    expect(count()).toBe(0);
    clock.pass(DAY);
    await settled(clock);
    expect(count()).toBe(1);
  });

  it('compacts when its own journal is large and on request, but not after its end', async () => {
    const large = house(folder(), 600_000);
    large.clock.pass(MINUTE);
    await settled(large.clock);
    expect(large.count()).toBe(1);

    const asked = house(folder());
    asked.keeper.soon(1_000);
    asked.clock.pass(1_000);
    await settled(asked.clock);
    expect(asked.count()).toBe(1);
    asked.keeper.dispose();
    asked.clock.pass(60 * MINUTE);
    expect(asked.count()).toBe(1);
    expect(asked.clock.waiting).toBe(0);
  });

  it('compacts again for a request that came while it compacted', async () => {
    const { clock, keeper, state, count } = house(folder());
    let release = () => {};
    state.held = new Promise((resolve) => (release = resolve));
    keeper.soon(1_000);
    clock.pass(1_000);
    expect(count()).toBe(1);
    keeper.soon(1_000);
    release();
    await new Promise((done) => setImmediate(done));
    clock.pass(1_000);
    expect(count()).toBe(2);
    await settled(clock);
    clock.pass(9 * MINUTE);
    expect(count()).toBe(2);
  });

  it('tries again soon what was requested while another window compacted', async () => {
    const { clock, keeper, state, count } = house(folder());
    state.reason = 'locked';
    keeper.soon(1_000);
    clock.pass(1_000);
    await settled(clock);
    state.reason = undefined;
    clock.pass(5_000);
    expect(count()).toBe(2);
    await settled(clock);
    clock.pass(9 * MINUTE);
    expect(count()).toBe(2);
  });

  it('does not write again what an old transcript reported before', async () => {
    const path = folder();
    const one = recovered();
    await (await open(path, { window: 'a' })).store.save(one);
    const second = await open(path, { window: 'b', processes: processes(2) });
    await second.store.save(one);
    expect(readdirSync(join(path, 'journal'))).toHaveLength(1);
    await second.store.save({ ...one, count: 99, updatedAt: one.updatedAt + 1, notified: true });
    expect(readdirSync(join(path, 'journal'))).toHaveLength(2);
  });

  it('writes lines that anyone can read', () => {
    const line = encodeRecord({ k: 'remove', id: 'x', at: 1, reopened: 0 });
    expect(line).toMatch(/^[0-9a-f]{16} \{"k":"remove","id":"x","at":1,"reopened":0\}\n$/);
  });
});

describe('the processes of this machine', () => {
  it('distinguishes the living from the dead, from those with the same number, and from those of another machine', async () => {
    const all = systemProcessTable();
    const { self } = all;
    const liveness = (one: typeof self) => all.liveness(one);
    expect(liveness(self)).toBe('alive');
    expect(liveness({ ...self, pid: process.ppid, start: '0' })).toBe('alive');
    expect(liveness({ ...self, boot: 'ffffffff' })).toBe('dead');
    expect(liveness({ ...self, host: 'ffffffff' })).toBe('unknown');
    expect(liveness({ ...self, pid: 0 })).toBe('dead');
    expect(liveness({ ...self, pid: -1 })).toBe('dead');
    if (self.start !== '0') expect(liveness({ ...self, start: String(Number(self.start) + 1) })).toBe('dead');

    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const pid = child.pid ?? 0;
    expect(liveness({ ...self, pid, start: '0' })).toBe('alive');
    const ended = new Promise((resolve) => child.on('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    expect(liveness({ ...self, pid, start: '0' })).toBe('dead');
  });

  it('reveals nothing about the machine in clear text', () => {
    const { self } = systemProcessTable();
    expect(self.host).toMatch(/^[0-9a-f]{8}$/);
    expect(self.boot).toMatch(/^([0-9a-f]{8}|0)$/);
  });
});
