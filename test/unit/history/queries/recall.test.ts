import { describe, expect, it } from 'vitest';
import { helpedBefore, similarity } from '../../../../src/history/queries/recall';
import { searchWords } from '../../../../src/history/queries/words';
import { MINUTE, T0, attempt, folder, incident, open, recovered } from '../support/make';

describe('search words', () => {
  it.each([
    ['repeating_action', ['repeating_action', 'repeat', 'action']],
    ['stuck repeating repeats repeated', ['stuck', 'repeat', 'repeat', 'repeat']],
    ['readFile HTTPServer', ['readfile', 'read', 'file', 'httpserver']],
    ['Café naïve', ['cafe', 'naive']],
    ['tests/test_calc.py::test_add', ['test', 'test_calc', 'test', 'calc', 'py', 'test_add', 'test', 'add']],
    ['循环检测', ['循环', '环检', '检测']],
    ['', []],
  ])('of “%s”', (text, words) => {
    expect(searchWords(text)).toEqual(words);
  });
});

describe('recall', () => {
  it('ranks incidents and learnings for “stuck repeating”', async () => {
    const { store } = await open(folder());
    const repeating = recovered();
    const monologue = incident({
      detector: 'monologue',
      reason: 'no_action',
      subject: 'message',
      why: 'Four messages without a call.',
      evidence: [],
    });
    await store.save(monologue);
    await store.save(repeating);
    const hits = await store.recall('stuck repeating');
    expect(
      hits
        .map(({ kind, id }) => `${kind} ${id}`)
        .slice(0, 2)
        .sort(),
    ).toEqual([`incident ${repeating.id}`, `learning ${repeating.id}`]);
    expect(hits[0]?.score).toBeGreaterThan(0);
    expect((await store.recall('monologue')).map(({ id }) => id)).toEqual([monologue.id]);
    expect(await store.recall('stuck', { limit: 1 })).toHaveLength(1);
  });

  it('follows what is saved, changed and deleted', async () => {
    const { store } = await open(folder());
    const one = incident();
    await store.save(one);
    expect(await store.recall('zebra')).toEqual([]);
    await store.save({ ...one, state: 'escalated', title: 'Paint a zebra', updatedAt: one.updatedAt + 1 });
    expect(await store.recall('zebra')).toHaveLength(1);
    await store.remove(one.id);
    expect(await store.recall('zebra')).toEqual([]);
  });
});

describe('what helped before', () => {
  it('counts the attempts of incidents with the same rule, call and result', () => {
    const now = incident();
    const nudged = recovered({ openedAt: T0 - 5 });
    const restarted = recovered({
      outcome: 'restart',
      attempts: [
        attempt({ takenAt: T0 }),
        attempt({ kind: 'restart', message: 'm2', attempt: 2, takenAt: T0 + MINUTE }),
      ],
    });
    const ended = recovered({ state: 'ended', outcome: null, attempts: [attempt({ takenAt: T0 })] });
    const open = incident({ attempts: [attempt()] });
    const otherRule = recovered({ detector: 'monologue' });
    const otherCall = recovered({ subject: 'npm run build', evidence: [] });
    const helped = helpedBefore(now, [now, nudged, restarted, ended, open, otherRule, otherCall]);
    expect(new Set(helped.similar.map(({ id }) => id))).toEqual(new Set([nudged.id, restarted.id, ended.id]));
    expect(helped.tried).toEqual([
      { kind: 'restart', recovered: { n: 1, of: 1 } },
      { kind: 'nudge', recovered: { n: 1, of: 3 } },
    ]);
  });

  it('does not count what never reached the agent, nor what ended in an unknown way', () => {
    const expired = recovered({ outcome: 'by_itself', attempts: [attempt({ state: 'expired' })] });
    const unknown = recovered({ state: 'unknown', attempts: [attempt({ takenAt: T0 })] });
    expect(helpedBefore(incident(), [expired, unknown])).toMatchObject({ tried: [] });
  });

  it('distinguishes the same situation from a similar one and a different one', () => {
    const one = incident();
    expect(similarity(one, incident())).toBeCloseTo(1);
    const like = similarity(one, incident({ subject: 'pytest -q tests/test_calc.py' }));
    expect(like).toBeGreaterThan(0.45);
    expect(like).toBeLessThan(1);
    expect(similarity(one, incident({ subject: 'npm run build', evidence: [] }))).toBeLessThan(0.45);
    expect(similarity(one, incident({ detector: 'cycle' }))).toBe(0);
  });

  it('is answered by the store, even after a restart', async () => {
    const path = folder();
    const first = await open(path);
    await first.store.save(recovered());
    await first.store.compact();
    await first.store.close();
    const { store } = await open(path, { window: 'two' });
    expect(await store.helpedBefore(incident())).toMatchObject({
      similar: [{ state: 'recovered' }],
      tried: [{ kind: 'nudge', recovered: { n: 1, of: 1 } }],
    });
  });
});
