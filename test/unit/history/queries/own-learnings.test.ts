import { describe, expect, it } from 'vitest';
import { learningLine } from '../../../../src/core/words';
import { DAY, folder, incident, open, recovered } from '../support/make';

const progressed = { at: 1, text: 'pytest -q passed' };

describe('a learning that a person changed', () => {
  it('stays as it was written, over compaction and a restart, and comes first when pinned', async () => {
    const path = folder();
    const first = await open(path);
    const one = recovered({ id: 'A' });
    await first.store.save(one);
    await first.store.save(recovered({ id: 'B', key: 'other', resolvedAt: (one.resolvedAt ?? 0) + DAY }));
    expect((await first.store.learnings()).map(({ id }) => id)).toEqual(['B', 'A']);
    expect(await first.store.changeLearning('A', { content: 'Install the package first.', pinned: true })).toBe(true);
    // The incident continues, and a newly derived learning does not replace it.
    void first.store.save({ ...one, count: 9, updatedAt: one.updatedAt + 5 });
    await first.store.compact();
    await first.store.close();
    const { store } = await open(path, { window: 'two' });
    expect(await store.learnings()).toMatchObject([
      { id: 'A', content: 'Install the package first.', pinned: true },
      { id: 'B' },
    ]);
    expect(await store.changeLearning('B', { forgotten: true })).toBe(true);
    expect((await store.learnings()).map(({ id }) => id)).toEqual(['A']);
    expect((await store.recall('stuck', {})).filter(({ kind }) => kind === 'learning')).toHaveLength(1);
    expect(await store.changeLearning('absent', { pinned: true })).toBe(false);
  });

  it('keeps its text when it is pinned in a later window that has derived it once more', async () => {
    const path = folder();
    const first = await open(path);
    const one = recovered({ id: 'A' });
    await first.store.save(one);
    await first.store.changeLearning('A', { content: 'Install the package first.' });
    await first.store.compact();
    await first.store.close();
    const { store, clock } = await open(path, { window: 'two' });
    clock.pass(DAY);
    // The session is read again and continues: this window knows of no edit before it looks into the history.
    await store.save({ ...one, count: 9, updatedAt: one.updatedAt + 5 });
    expect(await store.changeLearning('A', { pinned: true })).toBe(true);
    expect(await store.learnings()).toMatchObject([{ content: 'Install the package first.', pinned: true }]);
  });

  it('can be changed even if the history had no room for its incident', async () => {
    const path = folder();
    const first = await open(path, { days: () => 1 });
    // Dropped here because of its age.
    await first.store.save(recovered({ id: 'A', updatedAt: first.clock.now() - 2 * DAY }));
    await first.store.compact();
    await first.store.close();
    const { store } = await open(path, { window: 'two' });
    expect([await store.incidents(), (await store.learnings()).map(({ id }) => id)]).toEqual([[], ['A']]);
    expect(await store.changeLearning('A', { forgotten: true })).toBe(true);
    expect(await store.learnings()).toEqual([]);
  });

  it('takes each change, even in one millisecond and after the clock was set back', async () => {
    const path = folder();
    const first = await open(path);
    first.clock.pass(DAY);
    await first.store.save(recovered({ id: 'A' }));
    await first.store.changeLearning('A', { content: 'Install the package first.' });
    await first.store.changeLearning('A', { pinned: true });
    expect((await first.store.learnings())[0]).toMatchObject({ content: 'Install the package first.', pinned: true });
    await first.store.close();
    // The clock was a day fast, and is right again.
    const { store } = await open(path, { window: 'two' });
    await store.changeLearning('A', { forgotten: true });
    expect(await store.learnings()).toEqual([]);
  });

  it('is the note when the same is seen again', async () => {
    const { store } = await open(folder());
    await store.save(recovered({ id: 'A', key: 'a', session: 's1', progressed }));
    await store.save(recovered({ id: 'B', key: 'b', session: 's2' }));
    const again = incident({ session: 's3' });
    expect(await store.helpedBefore(again)).toMatchObject({
      noted: '“pytest -q” kept failing: 1 failed, 3 passed: test_add.\nIt continued with: pytest -q passed',
      tried: [{ kind: 'nudge', recovered: { n: 2, of: 2 } }],
    });
    await store.changeLearning('B', { content: 'Install the package first.' });
    expect((await store.helpedBefore(again)).noted).toBe('Install the package first.');
  });

  it('keeps no secret that was typed into it', async () => {
    const { store } = await open(folder());
    await store.save(recovered({ id: 'A' }));
    await store.changeLearning('A', { content: 'Use token ghp_abcdefghijklmnopqrstuvwxyz0123456789' });
    expect((await store.learnings())[0]?.content).not.toContain('ghp_');
  });
});

describe('a line for AGENTS.md', () => {
  const learning = { content: 'long', title: 'Agent stuck: cycle on testing', tried: 'nudge' };

  it('is what a person wrote, else cause and advice', () => {
    expect(learningLine({ ...learning, content: 'Install it\nfirst.', editedAt: 1 })).toMatch(/^- Install it.first\.$/);
    expect(learningLine({ ...learning, cause: '`make` kept failing: no rule.' })).toBe(
      '- An agent got stuck here: `make` kept failing: no rule. After the second identical result, stop and look for the cause.',
    );
    expect(learningLine({ ...learning, tried: 'by_itself' })).toContain('say what is missing');
  });
});
