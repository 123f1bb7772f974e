import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommandParts } from '../../../../src/editor/commands/parts';
import { deleteIncidents, exportIncidents, showIncident } from '../../../../src/editor/commands/incidents';
import { incident } from '../../history/support/incidents';
import { editor, resetEditor } from '../support/vscode';

/** The file that the person names, and what is written to it. */
const files = vi.hoisted(() => ({
  target: undefined as { path: string } | undefined,
  written: [] as string[][],
  /** Texts of the dialogs. */
  asked: [] as { readonly title: string }[],
}));
vi.mock('vscode', async () => {
  const vscode = await import('../support/vscode');
  return {
    ...vscode,
    window: {
      ...vscode.window,
      showSaveDialog: (asked: (typeof files.asked)[number]) => (files.asked.push(asked), Promise.resolve(files.target)),
    },
    workspace: {
      ...vscode.workspace,
      workspaceFolders: undefined,
      fs: {
        writeFile: ({ path }: { path: string }, content: Buffer) =>
          Promise.resolve(void files.written.push([path, content.toString()])),
      },
    },
  };
});
beforeEach(() => {
  resetEditor();
  files.target = undefined;
  files.written = [];
  files.asked = [];
});

const [a, b] = [incident({ id: 'A' }), incident({ id: 'B' })];
const rows = [a, b].map((one) => ({ kind: 'incident' as const, incident: one }));

function stage() {
  const did: unknown[] = [];
  const parts = {
    services: {
      store: {
        remove: (ids: readonly string[]) => Promise.resolve(void did.push(['removed', ids])),
        incidents: ({ ids }: { ids: readonly string[] }) => Promise.resolve(ids.includes('A') ? [a] : []),
        exportIncident: (id: string, form: string) => Promise.resolve(id === 'gone' ? undefined : `${form} of ${id}\n`),
      },
    },
    panels: { showIncident: ({ id }: { id: string }) => void did.push(['shown', id]) },
  } as unknown as CommandParts;
  return { did, parts };
}
const told = () => editor.shown.map(({ text }) => text);

describe('Delete Incident', () => {
  it('asks first, and deletes nothing if the person cancels', async () => {
    const { did, parts } = stage();
    await deleteIncidents(parts, a);
    expect([told(), did]).toEqual([['Delete this incident?'], []]);
    editor.answers.push('Delete');
    await deleteIncidents(parts, a);
    expect(did).toEqual([['removed', ['A']]]);
  });

  it('deletes all selected rows, or the one that was clicked', async () => {
    const { did, parts } = stage();
    editor.answers.push('Delete', 'Delete');
    await deleteIncidents(parts, a, rows);
    await deleteIncidents(parts, b, [rows[0]] as never);
    expect([told(), did]).toEqual([
      ['Delete 2 incidents?', 'Delete this incident?'],
      [
        ['removed', ['A', 'B']],
        ['removed', ['B']],
      ],
    ]);
  });

  it('asks nothing when there is nothing to delete', async () => {
    const { did, parts } = stage();
    await deleteIncidents(parts, undefined);
    expect([told(), did]).toEqual([[], []]);
  });
});

describe('an incident', () => {
  it('is opened, even from a learning, as long as the history has it', async () => {
    const { did, parts } = stage();
    const learned = (id: string) => ({ kind: 'learning', learning: { id } }) as never;
    await showIncident(parts, b);
    await showIncident(parts, learned('A'));
    expect([did, told()]).toEqual([
      [
        ['shown', 'B'],
        ['shown', 'A'],
      ],
      [],
    ]);
    await showIncident(parts, learned('gone'));
    expect([did.length, told()]).toEqual([2, ['The incident behind this learning is no longer in the history.']]);
    await showIncident(parts, undefined);
    expect(told()).toHaveLength(1);
  });
});

describe('Save Incident', () => {
  it('says how many are saved, and asks nothing if there are none', async () => {
    for (const incidents of [[a], [a, b], []]) await exportIncidents(stage().parts, incidents);
    expect(files.asked.map(({ title }) => title)).toEqual(['Save Incident', 'Save 2 Incidents']);
  });

  it('writes nothing if no file was named', async () => {
    await exportIncidents(stage().parts, [a]);
    expect(files.written).toEqual([]);
  });

  it.each([
    ['/x/one.md', [a], 'markdown of A\n'],
    ['/x/two.md', [a, b], 'markdown of A\n\nmarkdown of B\n'],
    ['/x/one.json', [a], 'json of A\n'],
    ['/x/two.json', [a, b], '[\njson of A,\njson of B\n]\n'],
  ])('writes %s', async (path, incidents, content) => {
    files.target = { path };
    await exportIncidents(stage().parts, incidents);
    expect(files.written).toEqual([[path, content]]);
  });

  it('says that the incidents are gone, and writes no empty file', async () => {
    files.target = { path: '/x/one.md' };
    await exportIncidents(stage().parts, [incident({ id: 'gone' })]);
    expect([files.written, told()]).toEqual([[], ['Your selection is no longer in the history.']]);
  });
});
