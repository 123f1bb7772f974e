import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { PATIENCE } from '../../support/patience';
import { DAY, MINUTE, T0, attempt, folder, incident, open, processes, recovered, stored } from './support/make';

const files = (path: string) => readdirSync(path).sort();
const journalText = (path: string) =>
  files(join(path, 'journal'))
    .map((file) => readFileSync(join(path, 'journal', file), 'utf8'))
    .join('');

describe('a store', () => {
  it('keeps an incident over a restart, before and after compaction', async () => {
    const path = folder();
    const one = incident();
    const first = await open(path);
    await first.store.save(one);
    await first.store.close();

    const second = await open(path, { window: 'two' });
    expect(second.store.current()).toEqual([one]);
    expect(await second.store.compact()).toMatchObject({ done: true });
    expect(files(join(path, 'journal'))).toEqual([]);
    expect(files(path)).toContain('incidents.sqlite');
    await second.store.close();

    const third = await open(path, { window: 'three' });
    expect(await third.store.incidents()).toEqual([one]);
    expect(await stored(third.store, one.id)).toEqual(one);
  });

  it('loads no database until the history is needed', async () => {
    const path = folder();
    const { store } = await open(path, { wasm: join(path, 'absent.wasm') });
    const one = incident();
    await store.save(one);
    expect(store.known(one.id)).toEqual(one);
    expect(store.status()).toEqual({ mode: 'ready' });
    // No snapshot yet: still nothing to load.
    expect(await store.incidents()).toEqual([one]);
    expect(await store.compact()).toEqual({ done: false, reason: 'engine_missing' });
    expect(await store.incidents()).toEqual([one]);
  });

  it('knows the incidents of the last days without the database, after compaction', async () => {
    const path = folder();
    const muted = incident({ state: 'muted', notified: true });
    const first = await open(path);
    await first.store.save(muted);
    await first.store.compact();
    await first.store.close();

    const second = await open(path, { window: 'two', wasm: join(path, 'absent.wasm') });
    expect(second.store.known(muted.id)).toEqual(muted);
  });

  it('is not empty if all incidents are older than the last days, which it knows without the database', async () => {
    const path = folder();
    const first = await open(path);
    expect(first.store.isEmpty()).toBe(true);
    const openedAt = T0 - 10 * DAY;
    await first.store.save(recovered({ openedAt, updatedAt: openedAt + MINUTE, resolvedAt: openedAt + MINUTE }));
    expect(first.store.isEmpty()).toBe(false);
    await first.store.compact();
    await first.store.close();

    const second = await open(path, { window: 'two', wasm: join(path, 'absent.wasm') });
    expect(second.store.current()).toEqual([]);
    expect(second.store.isEmpty()).toBe(false);
  });

  it('writes a new incident and a change of state at once, and mere counts with the next one', async () => {
    const path = folder();
    const { store, clock } = await open(path);
    const one = incident();
    await store.save(one);
    expect(journalText(path)).toContain(one.id);

    let isCounted = false;
    const counting = store.save({ ...one, count: 5, updatedAt: one.updatedAt + 1 }).then(() => (isCounted = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isCounted).toBe(false);
    expect(journalText(path)).not.toContain('"count":5');
    clock.pass(1_000);
    await counting;
    expect(journalText(path)).toContain('"count":5');

    const waiting = store.save({ ...one, count: 6, updatedAt: one.updatedAt + 2 });
    await store.save({ ...one, count: 7, state: 'escalated', updatedAt: one.updatedAt + 3 });
    await waiting;
    expect(journalText(path)).toContain('"state":"escalated"');
    expect(journalText(path)).not.toContain('"count":6');
  });

  it('writes nothing for an incident that has not changed', async () => {
    const path = folder();
    const { store } = await open(path);
    const one = incident();
    await store.save(one);
    const before = journalText(path);
    await store.save({ ...one });
    expect(journalText(path)).toBe(before);
  });

  it('redacts before it stores, including keys, samples and events', async () => {
    const path = folder();
    const secret = 'ghp_0123456789012345678901234567890123A6';
    const source = { file: '/x', line: 1, offset: 0 };
    const { store } = await open(path);
    const text = `took 3.1s with ${secret} at 17:09`;
    const one = incident({
      key: `few_distinct:curl -H "Authorization: Bearer ${secret}"`,
      title: `Use ${secret}`,
      subject: `GITHUB_TOKEN=${secret} gh pr list`,
      evidence: [{ source, at: T0, role: 'first', subject: secret, text: `denied for ${secret}` }],
      firstSample: {
        source,
        at: T0,
        text,
        ignored: [
          [5, 9],
          [text.indexOf('17:09'), text.length],
        ],
      },
    });
    await store.save(one);
    await store.appendEvent({
      t: T0,
      type: 'Observation',
      session: 's',
      agent: 'codex',
      data: { command: secret, env: { password: 'hunter2' } },
    });
    expect(journalText(path)).not.toContain(secret.slice(4, 20));
    expect(journalText(path)).not.toContain('hunter2');
    const sample = (await stored(store, one.id))?.firstSample;
    expect(sample?.ignored.map(([start, end]) => sample.text.slice(start, end))).toEqual(['3.1s', '17:09']);
    await store.compact();
    for (const file of files(path).filter((name) => name.includes('.')))
      expect(readFileSync(join(path, file), 'latin1')).not.toContain(secret.slice(4, 20));
    expect(await store.exportIncident(one.id, 'markdown')).not.toContain(secret);
    expect(await store.exportIncident(one.id, 'json')).not.toContain(secret);
  });

  it('caps what a hostile transcript could make of an incident', async () => {
    const { store } = await open(folder());
    const source = { file: '/x', line: 1, offset: 0 };
    const one = incident({
      title: 'x'.repeat(100_000),
      evidence: Array.from({ length: 500 }, (_, step) => ({
        source,
        at: T0,
        step,
        role: 'repeat' as const,
        subject: 'y'.repeat(9_000),
        text: 'z'.repeat(9_000),
      })),
      lastSample: {
        source,
        at: T0,
        text: 'w'.repeat(50_000),
        ignored: [
          [0, 5],
          [40_000, 40_005],
        ],
      },
    });
    await store.save(one);
    const kept = store.known(one.id);
    expect(JSON.stringify(kept).length).toBeLessThan(40_000);
    expect(kept?.evidence[0]?.step).toBe(0);
    expect(kept?.evidence.at(-1)?.step).toBe(499);
    expect(kept?.lastSample?.ignored).toEqual([[0, 5]]);
    await store.appendEvent({
      t: T0,
      type: 'Recovery',
      session: 's',
      agent: 'codex',
      data: { text: 'x'.repeat(100_000) },
    });
    const [event] = await store.events();
    expect(JSON.stringify(event).length).toBeLessThan(20_000);
  });

  it('filters and pages the incidents, newest first', async () => {
    const { store } = await open(folder());
    const a = incident({ openedAt: T0 + 1, agent: 'codex', agentName: 'Codex', subject: 'npm test' });
    const b = incident({ openedAt: T0 + 2, detector: 'monologue', reason: 'no_action' });
    const c = recovered({ openedAt: T0 + 3, session: 'other' });
    await Promise.all([store.save(a), store.save(b), store.save(c)]);
    const ids = async (...args: Parameters<typeof store.incidents>) =>
      (await store.incidents(...args)).map(({ id }) => id);
    expect(await ids()).toEqual([c.id, b.id, a.id]);
    expect(await ids({ active: true })).toEqual([b.id, a.id]);
    expect(await ids({ active: false })).toEqual([c.id]);
    expect(await ids({ agents: ['codex'] })).toEqual([a.id]);
    expect(await ids({ detectors: ['monologue'] })).toEqual([b.id]);
    expect(await ids({ session: 'other' })).toEqual([c.id]);
    expect(await ids({ since: T0 + 2, until: T0 + 3 })).toEqual([b.id]);
    expect(await ids({ ids: [a.id, 'absent'] })).toEqual([a.id]);
  });

  it('deletes an incident with its events and learning, and keeps it deleted while it only continues', async () => {
    const path = folder();
    const { store, clock } = await open(path);
    const one = recovered();
    const other = incident();
    await store.save(one);
    await store.save(other);
    await store.appendEvent({
      t: T0,
      type: 'Observation',
      session: one.session,
      agent: one.agent,
      incident: one.id,
      data: {},
    });
    expect(await store.learnings()).toHaveLength(1);
    expect(await store.remove([one.id, 'absent'])).toBe(1);
    expect(await store.incidents()).toEqual([other]);
    expect(await store.learnings()).toEqual([]);
    expect(await store.events()).toEqual([]);

    await store.save({ ...one, count: 9, updatedAt: clock.now() + 1 });
    expect(await store.incidents()).toEqual([other]);
    await store.compact();
    expect(readFileSync(join(path, 'incidents.sqlite'), 'latin1')).not.toContain(one.id + '","key');

    // Back once more: news.
    await store.save({ ...one, state: 'open', resolvedAt: null, reopened: 1, updatedAt: clock.now() + MINUTE });
    expect((await store.incidents()).map(({ id }) => id).sort()).toEqual([one.id, other.id].sort());
    await store.close();
    const again = await open(path, { window: 'two' });
    expect((await again.store.incidents()).length).toBe(2);
  });

  it('takes from the disk what was deleted while the deletion before was being taken from it', async () => {
    const path = folder();
    const { store, clock } = await open(path, { settleMs: 3_000 });
    const one = recovered({ subject: 'first secret plan' });
    const two = recovered({ subject: 'second secret plan' });
    await store.save(one);
    await store.save(two);
    const sealed = () => readdirSync(join(path, 'journal')).some((name) => name.includes('.sealed.'));
    await store.remove(one.id);
    clock.pass(1_000);
    await vi.waitFor(() => expect(sealed()).toBe(true), PATIENCE);
    // Its journal is sealed, and waits for the other windows to read it.
    await store.remove(two.id);
    clock.pass(1_000);
    const texts = () =>
      ['incidents.sqlite', ...readdirSync(join(path, 'journal')).map((name) => join('journal', name))]
        .map((name) => readFileSync(join(path, name), 'latin1'))
        .join();
    // Before the next check, ten minutes later.
    await vi.waitFor(
      () => {
        clock.pass(250);
        expect(texts()).not.toContain('secret plan');
      },
      { timeout: 30_000, interval: 20 },
    );
  });

  it('logs an event once, whichever window writes it, and returns events in order', async () => {
    const path = folder();
    const a = await open(path, { window: 'a', processes: processes(1) });
    const b = await open(path, { window: 'b', processes: processes(2) });
    const event = { t: T0 + 5, type: 'Observation', session: 's', agent: 'codex', data: { level: 'stuck' } } as const;
    const [fromA, fromB] = await Promise.all([a.store.appendEvent(event), b.store.appendEvent(event)]);
    expect(fromA).toEqual(fromB);
    await a.store.appendEvent({ ...event, t: T0 + 1, type: 'Recovery', data: { n: 1 } });
    await a.store.appendEvent({ ...event, t: T0 + 9, type: 'Recovery', data: { n: 2 }, session: 'other' });
    expect((await b.store.events()).map(({ t }) => t - T0)).toEqual([1, 5, 9]);
    expect((await b.store.events({ type: 'Recovery' })).map(({ data }) => data['n'])).toEqual([1, 2]);
    expect((await b.store.events({ session: 'other' })).length).toBe(1);
    expect((await b.store.events({ limit: 1 })).map(({ t }) => t - T0)).toEqual([9]);
  });

  it('stores a learning when a cycle of stuck and recovery ends, and logs that as an event', async () => {
    const path = folder();
    const { store } = await open(path);
    const one = incident();
    await store.save(one);
    expect(await store.learnings()).toEqual([]);
    await store.save({ ...recovered(), id: one.id, key: one.key });
    const [learning] = await store.learnings();
    expect(learning).toMatchObject({
      id: one.id,
      title: 'Agent stuck: repeating_action on testing',
      confidence: 'high',
      tried: 'nudge',
    });
    expect((await store.events({ type: 'Learning' })).map(({ incident: id }) => id)).toEqual([one.id]);
    await store.compact();
    await store.close();
    const again = await open(path, { window: 'two' });
    expect(await again.store.learnings()).toEqual([learning]);
  });

  it('tells listeners what changed, and one that throws does not affect the others', async () => {
    const { store } = await open(folder());
    const heard: string[][] = [];
    store.onDidChange(() => {
      throw new Error('a broken view');
    });
    const listening = store.onDidChange((change) => heard.push([change.source, ...change.incidents]));
    const one = incident();
    await store.save(one);
    listening.dispose();
    await store.save({ ...one, state: 'escalated', updatedAt: one.updatedAt + 1 });
    expect(heard).toEqual([['own', one.id]]);
  });

  it('exports an incident as Markdown that transcript text cannot break out of, and as JSON', async () => {
    const { store } = await open(folder());
    const source = { file: '/x', line: 7, offset: 0 };
    const one = recovered({
      title: '# <img src=x onerror=alert(1)> | [click](javascript:alert(1))',
      evidence: [{ source, at: T0, role: 'first', subject: 'echo `id` ``` ~~~', text: '```\n# heading' }],
      lastSample: { source, at: T0, text: '````\n</script><h1>', ignored: [] },
    });
    await store.save(one);
    await store.appendEvent({
      t: T0,
      type: 'Recovery',
      session: one.session,
      agent: one.agent,
      incident: one.id,
      data: { kind: 'nudge' },
    });
    const markdown = (await store.exportIncident(one.id, 'markdown')) ?? '';
    expect(markdown).toMatchSnapshot();
    const json = JSON.parse((await store.exportIncident(one.id, 'json')) ?? '') as Record<string, unknown>;
    expect(json).toMatchObject({ v: 1, kind: 'incident', incident: { id: one.id }, learning: { id: one.id } });
    expect((json['events'] as unknown[]).length).toBe(2);
    expect(await store.exportIncident('absent', 'json')).toBeUndefined();
  });

  it('counts the sessions that it was told about in the statistics, even after a restart', async () => {
    const path = folder();
    const { store, clock } = await open(path);
    for (let i = 0; i < 5; i++)
      store.sawSession({
        agent: 'claude-code',
        session: `session-${i}`,
        firstAt: T0,
        lastAt: T0 + i * MINUTE,
        model: 'sonnet',
      });
    store.sawSession({
      agent: 'claude-code',
      session: 'session-0',
      firstAt: T0 + 1,
      lastAt: T0 + 2 * MINUTE,
      model: 'sonnet',
    });
    await store.save(recovered());
    clock.pass(60_000);
    await store.close();
    const again = await open(path, { window: 'two' });
    const statistics = await again.store.statistics({ since: T0 - 1, until: T0 + 60 * MINUTE });
    expect(statistics.sessions).toEqual({ n: 1, of: 5 });
    expect(statistics.byModel).toMatchObject([
      { key: 'sonnet', sessions: { n: 1, of: 5 }, recovered: { n: 1, of: 1 } },
    ]);
  });

  it('rejects with a reason once it is closed', async () => {
    const { store } = await open(folder());
    await store.close();
    await expect(store.save(incident())).rejects.toMatchObject({ code: 'closed' });
    await expect(store.incidents()).rejects.toMatchObject({ code: 'closed' });
    await expect(store.claim(incident(), 'toast')).rejects.toMatchObject({ code: 'closed' });
    await expect(
      store.appendEvent({ t: 1, type: 'Recovery', session: 's', agent: 'codex', data: {} }),
    ).rejects.toMatchObject({ code: 'closed' });
  });

  it('leaves no timer behind', async () => {
    const { store, clock } = await open(folder());
    store.sawSession({ agent: 'codex', session: 's', firstAt: 1, lastAt: 2 });
    const counting = incident();
    await store.save(counting);
    void store.save({ ...counting, count: 5 });
    await store.close();
    expect(clock.waiting).toBe(0);
  });

  it('continues when its folder is deleted', async () => {
    const path = folder();
    const { store } = await open(path);
    await store.save(incident());
    rmSync(path, { recursive: true });
    const after = incident();
    await store.save(after);
    expect(journalText(path)).toContain(after.id);
    await store.compact();
    expect((await store.incidents()).length).toBe(2);
  });

  it('takes nothing from foreign files, and leaves them as they are', async () => {
    const path = folder();
    mkdirSync(join(path, 'journal'), { recursive: true });
    writeFileSync(join(path, 'journal', 'notes.txt'), 'mine');
    writeFileSync(join(path, 'journal', 'X.aa.bb.7.1.jsonl'), '0123456789abcdef {"k":"incident"}\n\u0000\u0001\n{}\n');
    const { store } = await open(path);
    expect(await store.incidents()).toEqual([]);
    expect(readFileSync(join(path, 'journal', 'notes.txt'), 'utf8')).toBe('mine');
    const nudged = incident({ state: 'nudged', attempts: [attempt()] });
    await store.save(nudged);
    expect(await store.incidents()).toEqual([nudged]);
  });
});
