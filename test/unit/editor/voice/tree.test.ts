import { beforeEach, expect, it, vi } from 'vitest';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));

import { Tree } from '../../../../src/editor/voice';

beforeEach(resetEditor);

/** A tree whose rows open what they are named after, and how often they were drawn. `run` stands without arguments. */
function stage() {
  let drawn = 0;
  const tree = new Tree<string>('unstuck.rows', {
    getChildren: () => ['first', 'second', 'run'],
    row: (node) => ({
      id: node,
      label: node,
      context: 'row',
      command: {
        command: node === 'run' ? 'unstuck.replay' : 'unstuck.show',
        title: 'Show',
        ...(node !== 'run' && { arguments: [node, ++drawn] }),
      },
    }),
  });
  const commandOf = (node: string) => editor.trees[0]!.provider.getTreeItem(node).command as { command: string };
  return { tree, commandOf };
}

it('opens a row that was drawn again since the window last saw it', async () => {
  const { commandOf } = stage();
  const clicked = commandOf('second');
  // VS Code keeps the arguments of a command with the row of one drawing: a click on an older one fails.
  expect(clicked).not.toHaveProperty('arguments');
  commandOf('first');
  expect(commandOf('second')).toEqual(clicked);
  await editor.registered.get(clicked.command)?.();
  expect(editor.commands).toEqual([['unstuck.show', 'second', 3]]);
});

it('runs a command without arguments as it is', () => {
  expect(stage().commandOf('run')).toEqual({ command: 'unstuck.replay', title: 'Show' });
});

it('knows the rows that were drawn last, however many there were', () => {
  const { commandOf } = stage();
  const { command } = commandOf('first');
  for (let row = 0; row < 3_000; row++) commandOf(`row ${row}`);
  expect(editor.registered.size).toBe(2_000);
  expect(editor.registered.has(command)).toBe(false);
  expect(editor.registered.has(commandOf('row 2999').command)).toBe(true);
});

it('leaves no command behind', () => {
  const { tree, commandOf } = stage();
  commandOf('first');
  tree.dispose();
  expect(editor.registered.size).toBe(0);
});
