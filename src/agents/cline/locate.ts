import type { LocateEnvironment, TranscriptRoot } from '../transcripts';
import { baseName, folderOf, sessionOfFile } from '../shared/decode';
import { clineFolder } from './folder';

const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];

/** Returns the tasks of the extension in each editor, and those of the command line: what it shows of them. */
export function taskRoots({ home, env, platform }: LocateEnvironment): readonly TranscriptRoot[] {
  const config =
    platform === 'win32'
      ? env['APPDATA'] || `${home}/AppData/Roaming`
      : platform === 'darwin'
        ? `${home}/Library/Application Support`
        : env['XDG_CONFIG_HOME'] || `${home}/.config`;
  const users = [...EDITORS.map((editor) => `${config}/${editor}/User`), `${home}/.vscode-server/data/User`];
  const storages = users.map((user) => `${user}/globalStorage/saoudrizwan.claude-dev`);
  return [...storages, `${clineFolder(home, env)}/data`].map((storage) => ({
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
