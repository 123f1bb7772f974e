import type { LocateEnvironment, TranscriptRoot } from '../transcripts';
import { baseName, folderOf, sessionOfFile } from '../shared/decode';
import { editorData } from '../../base/files';
import { clineFolder } from './folder';

/** Returns the tasks of the extension in each editor, and those of the command line: what it shows of them. */
export function taskRoots(environment: LocateEnvironment): readonly TranscriptRoot[] {
  const storages = editorData(environment).map((data) => `${data}/User/globalStorage/saoudrizwan.claude-dev`);
  return [...storages, `${clineFolder(environment.home, environment.env)}/data`].map((storage) => ({
    path: `${storage}/tasks`,
    depth: 1,
    matches: (path) => /^[^/]+\/ui_messages\.json$/.test(path),
  }));
}

const IN_TASK = new Set(['api_conversation_history.json', 'ui_messages.json', 'claude_messages.json']);

/** Returns the name of the task: that of its folder, or in the newer form of its file. */
export function taskOf(file: string): string {
  if (IN_TASK.has(baseName(file))) return baseName(folderOf(file)) || 'task';
  return sessionOfFile(file).replace(/\.messages$/, '');
}
