import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));

import { Tree } from '../../../../src/editor/voice';

beforeEach(resetEditor);
afterEach(() => void vi.useRealTimers());

/** A tree whose rows open what they are named after. `run` stands without arguments. */
function stage() {
  const tree = new Tree<string>('unstuck.rows', {
    getChildren: () => ['first', 'second', 'run'],
    row: (node) => ({
      id: node,
      label: node,
      context: 'row',
      command: {
        command: node === 'run' ? 'unstuck.replay' : 'unstuck.show',
        title: 'Show',
        ...(node !== 'run' && { arguments: [node, 7] }),
      },
    }),
  });
  const [view] = editor.trees;
  return { tree, view: view!, commandOf: (node: string) => view!.provider.getTreeItem(node).command };
}

it('opens a row that was drawn again since the window last saw it', async () => {
  const { view, commandOf } = stage();
  const clicked = commandOf('second') as { command: string };
  // VS Code keeps the arguments of a command with the row of one drawing: a click on an older one fails.
  expect(clicked).not.toHaveProperty('arguments');
  commandOf('second');
  view.selection = ['second'];
  await editor.registered.get(clicked.command)?.();
  expect(editor.commands).toEqual([['unstuck.show', 'second', 7]]);
});

it('runs a command without arguments as it is', () => {
  expect(stage().commandOf('run')).toEqual({ command: 'unstuck.replay', title: 'Show' });
});

it('opens a row that was clicked while VS Code asked for all rows anew', async () => {
  vi.useFakeTimers();
  const { view } = stage();
  const opening = editor.registered.get('unstuck.rows.openRow')?.();
  await vi.advanceTimersByTimeAsync(120);
  expect(editor.commands).toEqual([]);
  view.selection = ['first'];
  await vi.advanceTimersByTimeAsync(60);
  await opening;
  expect(editor.commands).toEqual([['unstuck.show', 'first', 7]]);
});

it('opens nothing where nothing is selected, and no more once it is gone', async () => {
  vi.useFakeTimers();
  const { tree } = stage();
  const opening = editor.registered.get('unstuck.rows.openRow')?.();
  await vi.advanceTimersByTimeAsync(5_000);
  await opening;
  expect(editor.commands).toEqual([]);
  tree.dispose();
  expect(editor.registered.size).toBe(0);
});
