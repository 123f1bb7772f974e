import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { openDocumentation } from '../../../../src/editor/commands/documentation';
import { folder } from '../../support/folder';
import { editor, resetEditor } from '../support/vscode';

interface Place {
  readonly fsPath: string;
}
vi.mock('vscode', async () => {
  const vscode = await import('../support/vscode');
  const fs = {
    readDirectory: ({ fsPath }: Place) =>
      Promise.resolve(
        readdirSync(fsPath)
          .toSorted()
          .map((name) => [name]),
      ),
    readFile: ({ fsPath }: Place) => Promise.resolve(readFileSync(fsPath)),
  };
  const Uri = { joinPath: ({ fsPath }: Place, ...parts: readonly string[]) => ({ fsPath: join(fsPath, ...parts) }) };
  return { ...vscode, Uri, workspace: { ...vscode.workspace, fs } };
});
beforeEach(resetEditor);

function installed(): Place {
  const fsPath = folder();
  mkdirSync(join(fsPath, 'docs/images'), { recursive: true });
  writeFileSync(join(fsPath, 'docs/nudges.md'), '# Nudges\n\nWhat is sent.\n');
  writeFileSync(join(fsPath, 'docs/recovery.md'), '# How an agent is freed\n');
  writeFileSync(join(fsPath, 'docs/list.txt'), 'no page');
  return { fsPath };
}

it('the pages of the extension are listed by title, and the picked one is shown', async () => {
  const place = installed();
  editor.answers.push('How an agent is freed');
  await openDocumentation(place as never);
  expect(editor.picks).toEqual([
    [
      { label: 'Nudges', description: 'docs/nudges.md' },
      { label: 'How an agent is freed', description: 'docs/recovery.md' },
    ],
  ]);
  expect(editor.options).toMatchObject([{ matchOnDescription: true }]);
  expect(editor.commands).toEqual([['markdown.showPreview', { fsPath: join(place.fsPath, 'docs/recovery.md') }]]);
});

it('nothing opens when the list is closed', async () => {
  await openDocumentation(installed() as never);
  expect(editor.commands).toEqual([]);
});
