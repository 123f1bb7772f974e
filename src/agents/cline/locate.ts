import type { LocateEnvironment, TranscriptRoot } from '../adapter';

const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];

/** Tasks of an editor's extension: `<global storage>/<extension>/tasks/<task>/api_conversation_history.json`. */
export function taskRoots(environment: LocateEnvironment, extension: string): readonly TranscriptRoot[] {
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
    matches: (path) => /^[^/]+\/api_conversation_history\.json$/.test(path),
  }));
}
