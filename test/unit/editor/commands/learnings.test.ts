import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommandParts } from '../../../../src/editor/commands/parts';
import { copyLearning, deleteLearning, editLearning, pinLearning } from '../../../../src/editor/commands/learnings';
import { editor, env, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

const SECRET = `sk-ant-api03-${'aB3'.repeat(20)}`;
const learning = { id: 'A', content: 'Read the assertion.', cause: 'The test was old.', subject: 'pytest -q' };
const row = (more: object = {}) =>
  ({ kind: 'learning', learning: { ...learning, ...more }, same: ['B'] }) as unknown as Parameters<
    typeof copyLearning
  >[0];

function stage() {
  const did: unknown[] = [];
  const store = { changeLearning: (id: string, change: object) => Promise.resolve(void did.push([id, change])) };
  return { did, parts: { services: { store } } as unknown as CommandParts };
}
const asked = () => editor.shown.map(({ text }) => text);

it('Delete asks first, deletes nothing on Cancel, and on Yes deletes all learnings that say the same', async () => {
  const { did, parts } = stage();
  await deleteLearning(parts, row());
  expect([asked(), did]).toEqual([['Delete this learning?'], []]);
  editor.answers.push('Delete');
  await deleteLearning(parts, row());
  expect(did).toEqual([
    ['A', { forgotten: true }],
    ['B', { forgotten: true }],
  ]);
});

describe('Write What Helped', () => {
  it('changes nothing if the box is closed', async () => {
    const { did, parts } = stage();
    await editLearning(parts, row());
    expect([editor.questions.length, did]).toEqual([1, []]);
  });

  it('keeps what was written, without secrets', async () => {
    const { did, parts } = stage();
    editor.answers.push(` Use the key ${SECRET} `);
    await editLearning(parts, row());
    expect(did).toEqual([['A', { content: expect.stringMatching(/^Use the key .*[^ ]$/) }]]);
    expect(JSON.stringify(did)).not.toContain(SECRET);
  });

  it('starts with the cause, and later with what was written', async () => {
    const { parts } = stage();
    await editLearning(parts, row());
    await editLearning(parts, row({ editedAt: 1 }));
    expect(editor.options).toMatchObject([{ value: 'The test was old.' }, { value: 'Read the assertion.' }]);
  });
});

describe('Copy as a Line', () => {
  it('shows the line first and copies it on a click, both without secrets', async () => {
    const secret = row({ content: `Use ${SECRET}`, cause: `Use ${SECRET}`, subject: SECRET });
    await copyLearning(secret);
    expect([asked().length, env.copied]).toEqual([1, []]);
    editor.answers.push('Copy');
    await copyLearning(secret);
    expect(env.copied).toHaveLength(1);
    expect(JSON.stringify([editor.shown, env.copied])).not.toContain(SECRET);
  });
});

it('a pin is set and removed', async () => {
  const { did, parts } = stage();
  await pinLearning(parts, row(), true);
  await pinLearning(parts, row(), false);
  expect(did).toEqual([
    ['A', { pinned: true }],
    ['A', { pinned: false }],
  ]);
});

it('nothing happens for a row that is not a learning', async () => {
  const { did, parts } = stage();
  await deleteLearning(parts, undefined);
  await editLearning(parts, undefined);
  await pinLearning(parts, undefined, true);
  await copyLearning(undefined);
  expect([did, asked(), editor.questions]).toEqual([[], [], []]);
});
