import { describe, expect, it } from 'vitest';
import { MINUTE, T0, attempt, folder, incident, open, processes, recovered, stored } from './support/make';

/** Waits for real file system notices; the fake clock is moved on so that they settle. */
async function until(clocks: readonly { pass(milliseconds: number): void }[], isTrue: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2_000; turn++) {
    if (isTrue()) return;
    for (const clock of clocks) clock.pass(100);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('It did not come true');
}

describe('two windows on one folder', () => {
  const two = async () => {
    const path = folder();
    const a = await open(path, { window: 'a', processes: processes(1) });
    const b = await open(path, { window: 'b', processes: processes(2) });
    return { path, a, b };
  };

  it('both see the incidents of both, and are notified about them', async () => {
    const { a, b } = await two();
    const heard: string[] = [];
    b.store.onDidChange((change) => heard.push(...change.incidents.map((id) => `${change.source} ${id}`)));
    const fromA = incident({ openedAt: T0 + 2 });
    const fromB = incident({ openedAt: T0 + 1 });
    await a.store.save(fromA);
    await b.store.save(fromB);
    await until([a.clock, b.clock], () => a.store.current().length === 2 && heard.length === 2);
    expect(a.store.current()).toEqual([fromA, fromB]);
    expect(b.store.current()).toEqual([fromA, fromB]);
    expect(heard.sort()).toEqual([`other ${fromA.id}`, `own ${fromB.id}`].sort());
  });

  it('see what the other one compacted away, including its last words', async () => {
    const { a, b } = await two();
    const one = incident();
    await a.store.save(one);
    await a.store.compact();
    expect(await b.store.incidents()).toEqual([one]);
    const later = incident({ openedAt: T0 + 20 * MINUTE });
    await a.store.save(later);
    await a.store.compact();
    expect((await b.store.incidents()).map(({ id }) => id)).toEqual([later.id, one.id]);
  });

  it('do not touch the journal of the other while it lives, and take it in when it is dead', async () => {
    const path = folder();
    const dead = new Set<number>();
    const a = await open(path, { window: 'a', processes: processes(1, dead) });
    const b = await open(path, { window: 'b', processes: processes(2, dead) });
    await a.store.save(incident());
    expect(await b.store.compact()).toEqual({ done: false, reason: 'nothing_to_do' });
    dead.add(1);
    expect(await b.store.compact()).toMatchObject({ done: true });
    // It was not dead after all: what it writes from now on goes to a new journal, acknowledged as before.
    const after = incident();
    await a.store.save(after);
    expect((await b.store.incidents()).map(({ id }) => id)).toContain(after.id);
    expect((await a.store.incidents()).length).toBe(2);
  });

  it('keep one incident if both saw the same streak, with what either did about it', async () => {
    const { a, b } = await two();
    const seen = incident({ id: '01JDA0000000000000000000AA' });
    await a.store.save(seen);
    await b.store.save(seen);
    await a.store.save({ ...seen, state: 'nudged', attempts: [attempt()], updatedAt: T0 + 11 * MINUTE });
    await b.store.save({ ...seen, state: 'escalated', notified: true, updatedAt: T0 + 12 * MINUTE });
    for (const { store } of [a, b]) {
      expect(await store.incidents()).toMatchObject([
        { id: seen.id, state: 'escalated', notified: true, attempts: [attempt()] },
      ]);
    }
  });

  it('keep one incident if they opened the same streak at different moments, under the id of the first', async () => {
    const { a, b } = await two();
    const early = incident({ key: 'streak', openedAt: T0 + 5 * MINUTE });
    const late = incident({ key: 'streak', openedAt: T0 + 9 * MINUTE, count: 7, updatedAt: T0 + 13 * MINUTE });
    await a.store.save(early);
    await b.store.save(late);
    for (const { store } of [a, b]) {
      expect(await store.incidents()).toMatchObject([{ id: early.id, openedAt: early.openedAt, count: 7 }]);
      expect((await stored(store, late.id))?.id).toBe(early.id);
      expect((await store.recall('pytest')).map(({ id }) => id)).toEqual([early.id]);
    }
    await a.store.compact();
    expect(await b.store.remove(late.id)).toBe(1);
    expect(await a.store.incidents()).toEqual([]);
  });

  it('keep two incidents if the streak came back long after it was over', async () => {
    const { a } = await two();
    const first = recovered({ key: 'streak' });
    const second = incident({ key: 'streak', openedAt: T0 + 60 * MINUTE, updatedAt: T0 + 61 * MINUTE });
    await a.store.save(first);
    await a.store.save(second);
    expect((await a.store.incidents()).map(({ id }) => id)).toEqual([second.id, first.id]);
  });

  it('do not undo a muting that they did not know about, but can undo one that they took over', async () => {
    const { a, b } = await two();
    const one = incident();
    await a.store.save(one);
    await a.store.save({ ...one, state: 'muted', updatedAt: T0 + 15 * MINUTE });
    await b.store.save({ ...one, count: 6, updatedAt: T0 + 16 * MINUTE });
    expect((await stored(b.store, one.id))?.state).toBe('muted');
    await a.store.compact();
    await a.store.close();
    await b.store.close();

    const c = await open(b.store.folder, { window: 'c' });
    expect(c.store.adopt(one.id)?.state).toBe('muted');
    await c.store.save({ ...one, state: 'open', updatedAt: T0 + 17 * MINUTE });
    expect((await stored(c.store, one.id))?.state).toBe('open');
  });

  it('give one of them the right to do a thing, and the other only if the first did not do it', async () => {
    const { a, b } = await two();
    const one = incident();
    const got = await Promise.all([a.store.claim(one, 'toast'), b.store.claim(one, 'toast')]);
    expect(got.filter(Boolean)).toHaveLength(1);
    expect(await b.store.claim(one, 'send:1')).not.toBeNull();
    expect(await a.store.claim(one, 'send:1')).toBeNull();

    await got.find(Boolean)?.release();
    const again = await b.store.claim(one, 'toast');
    expect(again).not.toBeNull();
    await again?.done();
    expect(await a.store.claim(one, 'toast')).toBeNull();
    expect(await b.store.claim(one, 'toast')).toBeNull();
  });

  it('return what they claimed and did not do when they close', async () => {
    const { a, b } = await two();
    const one = incident();
    expect(await a.store.claim(one, 'toast')).not.toBeNull();
    expect(await b.store.claim(one, 'toast')).toBeNull();
    await a.store.close();
    expect(await b.store.claim(one, 'toast')).not.toBeNull();
  });

  it('claim by the streak, not by the id that each gave it, and separately from other streaks', async () => {
    const { a, b } = await two();
    const mine = incident({ key: 'streak' });
    expect(await a.store.claim(mine, 'toast')).not.toBeNull();
    expect(await b.store.claim(incident({ key: 'streak' }), 'toast')).toBeNull();
    expect(await b.store.claim(incident({ key: 'other' }), 'toast')).not.toBeNull();
    expect(await b.store.claim({ ...mine, session: 'other' }, 'toast')).not.toBeNull();
  });
});
