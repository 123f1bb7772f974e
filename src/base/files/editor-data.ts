/** Facts that decide in which folders programs keep what belongs to a person. */
export interface DataPlace {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** Editors of the VS Code family, by the name of their folder for a person's data. */
const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];
/** Folders of their servers, below the home folder. */
const SERVERS = [
  '.vscode-server/data',
  '.vscode-server-insiders/data',
  '.vscodium-server/data',
  '.local/share/code-server',
];

/** Returns the platform's folder for what programs keep for a person. */
export function applicationData({ home, env, platform }: DataPlace): string {
  switch (platform) {
    case 'darwin':
      return `${home}/Library/Application Support`;
    case 'win32':
      return env['APPDATA'] || `${home}/AppData/Roaming`;
    default:
      return env['XDG_CONFIG_HOME'] || `${home}/.config`;
  }
}

/** Returns the folders, each with `User` in it, in which editors of the VS Code family, portable ones and their servers keep a person's data. */
export function editorData(place: DataPlace, editors: readonly string[] = EDITORS): readonly string[] {
  const portable = place.env['VSCODE_PORTABLE'];
  return [
    ...(portable ? [`${portable}/user-data`] : []),
    ...editors.map((editor) => `${applicationData(place)}/${editor}`),
    ...SERVERS.map((server) => `${place.home}/${server}`),
  ];
}
