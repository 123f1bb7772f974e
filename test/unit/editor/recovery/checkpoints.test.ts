import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CheckpointWatch } from '../../../../src/recover/act/ports';
import { Checkpoints, watched } from '../../../../src/editor/recovery/checkpoints';
import { fail, ok } from '../../../../src/base/util/result';
import { agentView } from '../support/views';
import { editor, env, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

const SAVED = { ref: 'refs/unstuck/7', changed: 2, leftOut: [] };
const FOUND = [
  { ref: 'refs/unstuck/7', subject: 'Before the restart', at: 0, summary: '\n2 files' },
  { ref: 'refs/unstuck/6', subject: 'Before lunch', at: 0, summary: '' },
];
const trouble = fail({ message: 'This is no repository.' });

/** The recovery of a window with a repository, and what was restored from it. */
function stage({
  saved = ok(SAVED),
  found = ok(FOUND),
  restored = ok({ files: 3 }),
}: {
  saved?: unknown;
  found?: unknown;
  restored?: unknown;
} = {}) {
  const brought: unknown[] = [];
  const checkpoints = new Checkpoints({
    saveCheckpoint: () => Promise.resolve(saved),
    checkpoints: () => Promise.resolve(found),
    restoreCheckpoint: (cwd: string, ref: string) => Promise.resolve((brought.push([cwd, ref]), restored)),
  } as never);
  return { checkpoints, brought };
}
const told = () => editor.shown.map(({ text }) => text);

describe('a checkpoint', () => {
  it('is named, and its name is copied only on a click', async () => {
    const { checkpoints } = stage();
    await checkpoints.save(agentView('s'));
    expect(told()).toEqual(['Checkpoint saved with 2 changed files. Use Restore Checkpoint to bring it back.']);
    expect(env.copied).toEqual([]);
    editor.answers.push('Copy Name');
    await checkpoints.save(agentView('s'));
    await vi.waitFor(() => expect(env.copied).toEqual(['refs/unstuck/7']));
  });

  it('says what it left out', () => {
    stage().checkpoints.notifySaved({ ...SAVED, changed: 1, leftOut: ['a', 'b'] } as never);
    expect(told()).toEqual([
      expect.stringMatching(/^Checkpoint saved with 1 changed file; 2 left out because they are too large/),
    ]);
  });

  it('says of one file that was left out what it may be', () => {
    stage().checkpoints.notifySaved({ ...SAVED, leftOut: ['a'] } as never);
    expect(told()[0]).toContain('; 1 left out because it is too large, a repository or no regular file. ');
  });

  it('says why it was not saved', async () => {
    await stage({ saved: trouble }).checkpoints.save(agentView('s'));
    expect(told()).toEqual(['This is no repository.']);
  });
});

describe('restoring a checkpoint', () => {
  it('restores the one that was picked', async () => {
    const { checkpoints, brought } = stage();
    editor.answers.push('Before lunch');
    await checkpoints.restore('/calc');
    expect(brought).toEqual([['/calc', 'refs/unstuck/6']]);
    expect(told()).toEqual(['3 files were restored.']);
  });

  it('lists each with its age and the first line of what it holds', async () => {
    const at = Date.now() - 3_600_000;
    const found = ok(FOUND.map((one) => ({ ...one, at })));
    await stage({ found }).checkpoints.restore('/calc');
    expect(editor.picks).toEqual([
      [
        { label: 'Before the restart', description: '1 h ago', detail: '2 files' },
        { label: 'Before lunch', description: '1 h ago', detail: '' },
      ],
    ]);
    expect(editor.options).toMatchObject([{ matchOnDetail: true }]);
  });

  it('changes no file if the list is closed', async () => {
    const { checkpoints, brought } = stage();
    await checkpoints.restore('/calc');
    expect([editor.picked, brought, told()]).toEqual([[['Before the restart', 'Before lunch']], [], []]);
  });

  it.each([
    ['there is none', { found: ok([]) }, 'This repository has no checkpoint.'],
    ['none can be read', { found: trouble }, 'This is no repository.'],
    ['it fails', { restored: trouble }, 'This is no repository.'],
  ])('says so if %s', async (_, parts, said) => {
    editor.answers.push('Before lunch');
    await stage(parts).checkpoints.restore('/calc');
    expect(told()).toEqual([said]);
  });
});

describe('comparing files', () => {
  it('reports each percent once, and ends when the person cancels', async () => {
    let watch: CheckpointWatch = {};
    await watched('Saving', (given) => Promise.resolve(void (watch = given)));
    for (const done of [1, 1, 5, 2, 200]) watch.onProgress?.(done, 200);
    expect(editor.passing).toEqual(['Saving', '2 %', '100 %']);
    expect(watch.signal?.aborted).toBe(false);
    for (const cancel of editor.cancels) cancel();
    expect(watch.signal?.aborted).toBe(true);
  });
});
