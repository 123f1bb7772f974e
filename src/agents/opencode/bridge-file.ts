import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Identifies a file of Unstuck's, also one of another version, and shows a person what wrote it. */
const MARK = '// Written by Unstuck';

/** OpenCode loads each file of this folder, in the user's own settings, when it starts. */
export function pluginFile(home: string, env: Readonly<Record<string, string | undefined>>): string {
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'opencode', 'plugin', 'unstuck.js');
}

/** Name of the plugin itself in the extension's storage, where updates replace it. */
export const PLUGIN_NAME = 'opencode-plugin.mjs';

/** The whole file: it loads the plugin where that is there, and is nothing where the extension is gone. */
export function pluginText(hookFolder: string): string {
  const plugin = pathToFileURL(join(hookFolder, PLUGIN_NAME)).href;
  return [
    `${MARK} (command "Connect Agent"): hands its messages to OpenCode's sessions.`,
    '// "Disconnect Agent" removes this file. Where Unstuck is gone, it does nothing.',
    'let connect;',
    'try {',
    `  ({ connect } = await import(${JSON.stringify(plugin)}));`,
    '} catch {}',
    `export const Unstuck = async (context) => (connect ? connect(context, ${JSON.stringify(hookFolder)}) : {});`,
    '',
  ].join('\n');
}

export function isOurs(text: string): boolean {
  return text.startsWith(MARK);
}
