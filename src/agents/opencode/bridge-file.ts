import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { OPENCODE, type OpencodeProgram } from './program';

/** Identifies a file of Unstuck's, also one of another version, and shows a person what wrote it. */
const MARK = '// Written by Unstuck';

/** The program loads each file of this folder, in the user's own settings, when it starts. */
export function pluginFile(
  { program }: OpencodeProgram,
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), program, 'plugin', 'unstuck.js');
}

/** Name of the plugin itself in the extension's storage, where updates replace it. */
export const PLUGIN_NAME = 'opencode-plugin.mjs';

/** The whole file: it loads the plugin where that is there, and is nothing where the extension is gone. */
export function pluginText({ agent, name }: OpencodeProgram, hookFolder: string): string {
  const given = [hookFolder, ...(agent === OPENCODE.agent ? [] : [agent])].map((one) => JSON.stringify(one)).join(', ');
  const plugin = pathToFileURL(join(hookFolder, PLUGIN_NAME)).href;
  return [
    `${MARK} (command "Connect Agent"): hands its messages to ${name}'s sessions.`,
    '// "Disconnect Agent" removes this file. Where Unstuck is gone, it does nothing.',
    'let connect;',
    'try {',
    `  ({ connect } = await import(${JSON.stringify(plugin)}));`,
    '} catch {}',
    `export const Unstuck = async (context) => (connect ? connect(context, ${given}) : {});`,
    '',
  ].join('\n');
}

export function isOurs(text: string): boolean {
  return text.startsWith(MARK);
}
