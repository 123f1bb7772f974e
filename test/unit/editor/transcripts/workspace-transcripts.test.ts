import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { WorkspaceTranscripts } from '../../../../src/editor/transcripts/workspace-transcripts';
import { folder } from '../../support/folder';
import { PATIENCE } from '../../../support/patience';

const { editor } = vi.hoisted(() => ({ editor: { folder: '', files: [] as string[] } }));
vi.mock('vscode', () => {
  const never = () => ({ dispose: () => undefined });
  const uri = (fsPath: string) => ({ fsPath, scheme: 'file' });
  return {
    FileType: { File: 1 },
    RelativePattern: Object,
    workspace: {
      get workspaceFolders() {
        return [{ uri: uri(editor.folder) }];
      },
      createFileSystemWatcher: () => ({ onDidCreate: never, onDidChange: never, dispose: () => undefined }),
      findFiles: (_: unknown, __: unknown, most: number) => Promise.resolve(editor.files.slice(0, most).map(uri)),
      fs: { stat: () => Promise.resolve({ type: 1, size: 1, mtime: 1 }) },
    },
  };
});

/** Returns what is reported for a workspace with this many transcripts. */
async function reported(count: number) {
  editor.folder = folder();
  editor.files = Array.from({ length: count }, (_, number) => join(editor.folder, `runs/${number}.agent.jsonl`));
  const found: string[] = [];
  const leftOut: (readonly [string, number])[] = [];
  const transcripts = new WorkspaceTranscripts(
    ['.agent.jsonl'],
    ({ path }) => found.push(path),
    (path, many) => leftOut.push([path, many]),
  );
  transcripts.watch([]);
  await vi.waitFor(() => expect(found).toHaveLength(Math.min(count, 2_000)), PATIENCE);
  transcripts.dispose();
  return leftOut;
}

it('reports that some are left out if there are more transcripts than are read when a folder opens', async () => {
  expect(await reported(2_001)).toEqual([[editor.folder, 2_000]]);
});

it('reports nothing if all of them are read', async () => {
  expect(await reported(2_000)).toEqual([]);
});
