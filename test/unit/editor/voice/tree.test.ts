import { beforeEach, expect, it, vi } from 'vitest';
import { type EventEmitter, type FakeTree, editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));

import { Tree, type TreeRow, type TreeRows } from '../../../../src/editor/voice';

beforeEach(resetEditor);

/** A tree whose rows open what they are named after, and how often they were drawn. `run` has no arguments. */
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

it('a click opens a row that was redrawn since the window last saw it', async () => {
  const { commandOf } = stage();
  const clicked = commandOf('second');
  // VS Code keeps the arguments of a command with one drawing of a row: a click on an older drawing fails.
  expect(clicked).not.toHaveProperty('arguments');
  commandOf('first');
  expect(commandOf('second')).toEqual(clicked);
  await editor.registered.get(clicked.command)?.();
  expect(editor.commands).toEqual([['unstuck.show', 'second', 3]]);
});

it('a command without arguments runs as it is', () => {
  expect(stage().commandOf('run')).toEqual({ command: 'unstuck.replay', title: 'Show' });
});

it('the rows that were drawn last stay known, however many there were', () => {
  const { commandOf } = stage();
  const { command } = commandOf('first');
  for (let row = 0; row < 3_000; row++) commandOf(`row ${row}`);
  expect(editor.registered.size).toBe(2_000);
  expect(editor.registered.has(command)).toBe(false);
  expect(editor.registered.has(commandOf('row 2999').command)).toBe(true);
});

it('a row that was drawn first of all stays known if it was drawn again since', async () => {
  const { commandOf } = stage();
  const { command } = commandOf('first');
  for (let row = 0; row < 1_999; row++) commandOf(`row ${row}`);
  expect(commandOf('first').command).toBe(command);
  commandOf('one more');
  await editor.registered.get(command)?.();
  expect(editor.commands).toEqual([['unstuck.show', 'first', expect.any(Number)]]);
});

it('no command is left behind', () => {
  const { tree, commandOf } = stage();
  commandOf('first');
  tree.dispose();
  expect(editor.registered.size).toBe(0);
});

/** A tree of one row, as VS Code gets it. */
function drawn(row: Partial<TreeRow>, rows: Partial<TreeRows<string>> = {}) {
  const tree = new Tree<string>('unstuck.rows', {
    getChildren: (node) => (node === undefined ? ['a'] : []),
    row: (id) => ({ id, label: id, context: 'row', ...row }),
    ...rows,
  });
  const [{ provider } = {} as FakeTree] = editor.trees;
  return {
    tree,
    view: editor.trees[0]!,
    provider: provider as FakeTree['provider'] & TreeRows<string>,
    item: provider.getTreeItem('a'),
  };
}

it('a row has only the fields that were set', () => {
  expect(Object.entries(drawn({}).item)).toEqual([
    ['label', 'a'],
    ['collapsibleState', 0],
    ['id', 'a'],
    ['contextValue', 'row'],
  ]);
});

it('a row is open, closed or without an arrow, as it says', () => {
  const states = ([undefined, 'closed', 'open'] as const).map((children) => {
    resetEditor();
    return drawn(children ? { children } : {}).item.collapsibleState;
  });
  expect(states).toEqual([0, 1, 2]);
});

it('a row has its icon, its tooltip and its text for a screen reader', () => {
  const icon = { id: 'pulse' } as never;
  const { item } = drawn({ icon, description: 'd', tooltip: 'The *whole* text', spoken: 'a, working' });
  expect(item).toMatchObject({
    iconPath: icon,
    description: 'd',
    tooltip: 'The *whole* text',
    accessibilityInformation: { label: 'a, working' },
  });
  resetEditor();
  expect(drawn({ tooltip: [{ text: 'Task', isStrong: true }] }).item.tooltip).toMatchObject({ value: '**Task**' });
});

it('the tooltip of a row is made when the pointer rests on it, if the row has one', () => {
  const { provider, item } = drawn({}, { hover: (node) => (node === 'a' ? [{ text: 'Now' }] : undefined) });
  expect(item.tooltip).toBeUndefined();
  expect(provider.resolveTreeItem?.(item, 'b').tooltip).toBeUndefined();
  expect(provider.resolveTreeItem?.(item, 'a').tooltip).toMatchObject({ value: 'Now' });
  resetEditor();
  expect(drawn({}).provider).not.toHaveProperty('resolveTreeItem');
});

it('passes on which rows there are, and when they change', () => {
  const changes = (() => ({ dispose: () => {} })) as unknown as EventEmitter<string>['event'];
  const { provider } = drawn({}, { onDidChangeTreeData: changes });
  expect([provider.getChildren(), provider.getChildren('a')]).toEqual([['a'], []]);
  expect(provider.onDidChangeTreeData).toBe(changes);
  resetEditor();
  expect(drawn({}).provider.onDidChangeTreeData).toBeUndefined();
});

/** Records what is written to a property of the view. VS Code draws each time. */
function written(view: FakeTree, name: 'message' | 'badge'): unknown[] {
  const all: unknown[] = [];
  let value: unknown = view[name];
  const set = (next: unknown): void => {
    value = next;
    all.push(next);
  };
  Object.defineProperty(view, name, { get: () => value, set });
  return all;
}

it('a text above the rows is set once, until it changes or is removed', () => {
  const { tree, view } = drawn({});
  const said = written(view, 'message');
  for (const text of [undefined, 'Paused', 'Paused', 'Restricted', undefined, undefined]) tree.sayAbove(text);
  expect(said).toEqual(['Paused', 'Restricted', undefined]);
});

it('the number on the icon of the view is set only if it changed', () => {
  const { tree, view } = drawn({});
  const badges = written(view, 'badge');
  for (const count of [0, 2, 2, 1, 0, 0]) tree.setBadge(count, `${count} stuck`);
  expect(badges).toEqual([{ value: 2, tooltip: '2 stuck' }, { value: 1, tooltip: '1 stuck' }, undefined]);
});

it('several rows can be selected only if requested', () => {
  const { tree } = drawn({});
  const none: TreeRows<string> = { getChildren: () => [], row: () => ({ id: '', label: '', context: '' }) };
  const many = new Tree<string>('unstuck.many', none, { canSelectMany: true });
  expect([tree, many].map((_, at) => editor.trees[at]?.canSelectMany)).toEqual([false, true]);
});
