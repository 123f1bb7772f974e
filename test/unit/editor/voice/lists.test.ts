import { beforeEach, describe, expect, it, vi } from 'vitest';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));

import { askText, pickOne, pickSome, searchBox, withProgress } from '../../../../src/editor/voice';
import { ProgressLocation, window } from '../support/vscode';

beforeEach(resetEditor);

describe('a list', () => {
  it('stays open when it loses the focus, and can be searched if requested', async () => {
    const rows = [{ label: 'a' }];
    await pickOne(rows, { placeHolder: 'Which?' });
    await pickOne(rows, { placeHolder: 'Which?', matchOnDescription: true, matchOnDetail: true });
    expect(editor.options).toEqual([
      { ignoreFocusOut: true, placeHolder: 'Which?' },
      { ignoreFocusOut: true, placeHolder: 'Which?', matchOnDescription: true, matchOnDetail: true },
    ]);
  });

  it('shows everything in a row: its icon, its words, its tick, and a heading as such', async () => {
    await pickSome(
      [
        { label: 'Agents', isHeading: true },
        { label: 'a', icon: 'pulse', description: 'working', detail: 'in calc', picked: true },
        { label: 'b', isHeading: false },
      ],
      { placeHolder: 'Which?' },
    );
    expect(editor.picks).toEqual([
      [
        { label: 'Agents', kind: -1 },
        { label: '$(pulse) a', description: 'working', detail: 'in calc', picked: true },
        { label: 'b' },
      ],
    ]);
  });

  it('returns nothing if it was closed, unlike a list in which nothing is ticked', async () => {
    expect(await pickSome([{ label: 'a' }], { placeHolder: 'Which?' })).toEqual([]);
    const closed = vi.spyOn(window, 'showQuickPick').mockResolvedValueOnce(undefined);
    expect(await pickSome([{ label: 'a' }], { placeHolder: 'Which?' })).toBeUndefined();
    closed.mockRestore();
  });
});

describe('a box for words', () => {
  it('hides no row, whatever is typed, and stays open when it loses the focus', () => {
    const heard: unknown[] = [];
    void searchBox([{ label: 'a', picked: true }, { label: 'b' }], {
      title: 'Search',
      placeHolder: 'Words',
      value: 'make',
      changed: (text, ticked) => heard.push([text, ticked.map(({ label }) => label)]),
    });
    const [box] = editor.boxes;
    expect(box).toMatchObject({ ignoreFocusOut: true, canSelectMany: true, value: 'make' });
    expect(box?.items).toMatchObject([
      { label: 'a', alwaysShow: true },
      { label: 'b', alwaysShow: true },
    ]);
    box?.type('npm');
    box?.tick('b');
    expect(heard).toEqual([
      ['npm', ['a']],
      ['npm', ['b']],
    ]);
  });
});

describe('a line of text', () => {
  it('shows what is wrong with it while the person types', async () => {
    const problem = (text: string) => (text === '' ? 'Write *something*.' : null);
    await askText({ title: 'T', prompt: 'P', placeHolder: 'glob', value: '**', problem });
    const { validateInput, ...options } = editor.options[0] as { validateInput: typeof problem };
    expect(options).toEqual({ ignoreFocusOut: true, title: 'T', prompt: 'P', placeHolder: 'glob', value: '**' });
    expect([validateInput(''), validateInput('a')]).toEqual(['Write *something*.', null]);
  });

  it('is taken as it is if nothing can be wrong with it', async () => {
    await askText({ title: 'T', prompt: 'P' });
    expect(editor.options).toEqual([{ ignoreFocusOut: true, title: 'T', prompt: 'P' }]);
  });
});

it('a task is shown where requested, and can be cancelled only if that has an effect', async () => {
  const shown = vi.spyOn(window, 'withProgress');
  await withProgress('Reading', { location: 'window' }, () => Promise.resolve());
  await withProgress('Saving', { location: 'notification', cancellable: true }, () => Promise.resolve());
  expect(shown.mock.calls.map(([options]) => options)).toEqual([
    { location: ProgressLocation.Window, title: 'Reading', cancellable: false },
    { location: ProgressLocation.Notification, title: 'Saving', cancellable: true },
  ]);
  shown.mockRestore();
});
