import { mkdirSync, readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Owner, acquire } from '../../../../src/history/windows/exclusive';
import { MINUTE, T0, folder, processes } from '../support/make';

const owner = (pid: number, dead: ReadonlySet<number> = new Set(), now = T0): Owner => ({
  processes: processes(pid, dead),
  window: `w${pid}`,
  now: () => now,
});

describe('a thing that only one process may have', () => {
  it('goes to exactly one of many that request it at once, again and again', async () => {
    const path = join(folder(), 'lock');
    for (let round = 0; round < 20; round++) {
      const holds = await Promise.all(Array.from({ length: 12 }, (_, i) => acquire(path, owner(i + 1))));
      const winners = holds.filter((hold) => hold !== null);
      expect(winners).toHaveLength(1);
      await winners[0]?.release();
    }
    expect(readdirSync(path)).toHaveLength(1);
  });

  it('goes to exactly one of many that notice a death at once', async () => {
    const path = join(folder(), 'lock');
    const dead = new Set<number>();
    for (let round = 0; round < 20; round++) {
      const first = await acquire(path, owner(1_000 + round, dead));
      expect(first).not.toBeNull();
      dead.add(1_000 + round);
      const holds = await Promise.all(Array.from({ length: 12 }, (_, i) => acquire(path, owner(i + 1, dead))));
      const winners = holds.filter((hold) => hold !== null);
      expect(winners).toHaveLength(1);
      expect(await first?.isMine()).toBe(false);
      // The dead one wakes up and returns what is no longer its own.
      await first?.release();
      expect(await winners[0]?.isMine()).toBe(true);
      expect(await acquire(path, owner(50, dead))).toBeNull();
      await winners[0]?.release();
    }
  });

  it('is never given again once finished', async () => {
    const path = join(folder(), 'claim');
    await (await acquire(path, owner(1)))?.finish();
    expect(await acquire(path, owner(1))).toBeNull();
    expect(await acquire(path, owner(2, new Set([1])))).toBeNull();
  });

  it('is held by a process on another machine for ten minutes without a word', async () => {
    const path = join(folder(), 'lock');
    mkdirSync(path);
    writeFileSync(
      join(path, '3'),
      JSON.stringify({ state: 'held', process: { host: 'zz', boot: 'zz', pid: 1, start: '1' }, at: T0, window: 'far' }),
    );
    expect(await acquire(path, owner(1, new Set(), T0 + 9 * MINUTE))).toBeNull();
    expect(await acquire(path, owner(1, new Set(), T0 + 11 * MINUTE))).not.toBeNull();
    expect(readdirSync(path)).toEqual(['4']);
  });

  it('survives a crash between the creation of its file and the writing of it', async () => {
    const path = join(folder(), 'lock');
    mkdirSync(path);
    writeFileSync(join(path, '1'), '');
    const now = T0;
    utimesSync(join(path, '1'), now / 1000 - 1, now / 1000 - 1);
    expect(await acquire(path, owner(1, new Set(), now))).toBeNull();
    utimesSync(join(path, '1'), now / 1000 - 60, now / 1000 - 60);
    const hold = await acquire(path, owner(1, new Set(), now));
    expect(hold).not.toBeNull();
    expect(JSON.parse(readFileSync(join(path, '2'), 'utf8'))).toMatchObject({ state: 'held', window: 'w1' });
  });

  it('ignores other files', async () => {
    const path = join(folder(), 'lock');
    mkdirSync(path);
    for (const name of ['0', '01', '-1', '5.tmp', 'x', '1e3']) writeFileSync(join(path, name), 'x');
    expect(await acquire(path, owner(1))).not.toBeNull();
    expect(readdirSync(path)).toContain('1');
  });
});
