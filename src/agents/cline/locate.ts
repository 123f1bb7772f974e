import type { LocateEnvironment, TranscriptRoot } from '../transcripts';
import { baseName, folderOf, sessionOfFile } from '../shared/decode';

const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];

/** File of a task: the extension's view, or the messages to the model. */
export type TaskFile = 'ui_messages.json' | 'api_conversation_history.json';

/** Returns the tasks of an editor's extension: `<global storage>/<extension>/tasks/<task>/<file>`. */
export function taskRoots(
  environment: LocateEnvironment,
  extension: string,
  file: TaskFile,
): readonly TranscriptRoot[] {
  const { home, env, platform } = environment;
  const config =
    platform === 'win32'
      ? env['APPDATA'] || `${home}/AppData/Roaming`
      : platform === 'darwin'
        ? `${home}/Library/Application Support`
        : env['XDG_CONFIG_HOME'] || `${home}/.config`;
  const users = [...EDITORS.map((editor) => `${config}/${editor}/User`), `${home}/.vscode-server/data/User`];
  return users.map((user) => ({
    path: `${user}/globalStorage/${extension}/tasks`,
    depth: 1,
    matches: (path) => isTaskFile(path, file),
  }));
}

/** True for `<task>/<file>`. */
export function isTaskFile(path: string, file: TaskFile): boolean {
  return path.endsWith(`/${file}`) && path.indexOf('/') === path.length - file.length - 1;
}

const IN_TASK = new Set(['api_conversation_history.json', 'ui_messages.json', 'claude_messages.json']);

/** Returns the name of the task: that of its folder, or in the newer form of its file. */
export function taskOf(file: string): string {
  if (IN_TASK.has(baseName(file))) return baseName(folderOf(file)) || 'task';
  return sessionOfFile(file).replace(/\.messages$/, '');
}
