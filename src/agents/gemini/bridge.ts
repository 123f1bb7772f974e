import { join } from 'node:path';
import type { Node } from 'jsonc-parser';
import { endTimeout } from '../shared/connect/gate-hold';
import type { HookAgent, SettingsPlaces } from '../shared/connect/hook-agent';
import { isOurs, plainHookCommand } from '../shared/connect/hook-entries';
import { GROUPED } from '../shared/connect/hook-settings';
import { parseJsonTree, propertyOf } from '../shared/connect/json-edit';
import { readSettingsFile } from '../shared/connect/settings-file';
import { GEMINI_HOOK_EVENTS } from './bridge-hook';

/** Milliseconds after which Gemini CLI gives up on Unstuck's hook. */
const TIMEOUT = 5_000;
/** The name under which a person finds our hooks in `/hooks`. */
const NAME = 'unstuck';

/** Delivers messages to Gemini CLI through hooks in the user's own settings. A project's settings are a file of the repository. */
export const geminiCli: HookAgent = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  scopes: ['user'],
  abilities: {
    wakesIdle: false,
    joinsRunning: false,
    kinds: ['nudge', 'gate', 'reassign', 'checkpoint', 'stop', 'block'],
  },
  layout: GROUPED,
  settingsPath: (_scope, _folder, places) => userSettings(places),
  entries: (hookFolder, gateWait) =>
    GEMINI_HOOK_EVENTS.map((event) => ({
      event,
      command: {
        type: 'command',
        name: NAME,
        command: plainHookCommand(hookFolder, 'gemini-cli', event),
        timeout: event === 'AfterAgent' ? endTimeout(gateWait, TIMEOUT / 1000) * 1000 : TIMEOUT,
      },
    })),
  switchedOff,
  remarks: {
    sessions: ['Running sessions cannot take messages: end them and continue with gemini --resume.'],
    rest: ['A message cannot wake a Gemini agent after its turn has ended.'],
  },
  sample: {
    event: 'AfterTool',
    payload: (session, folder) => ({
      session_id: session,
      transcript_path: join(folder, `${session}.jsonl`),
      cwd: folder,
      hook_event_name: 'AfterTool',
      timestamp: '2026-11-20T18:53:50.123Z',
      tool_name: 'run_shell_command',
      tool_input: { command: 'echo s0', description: 'Run echo s0' },
      tool_response: { llmContent: 'Output: s0', returnDisplay: 's0' },
    }),
    env: (session, folder) => ({ GEMINI_SESSION_ID: session, GEMINI_PROJECT_DIR: folder }),
  },
};

function userSettings({ env, home }: SettingsPlaces): string {
  return join(env['GEMINI_CLI_HOME'] || home, '.gemini', 'settings.json');
}

/** Looks for switched-off hooks. Settings of the project override those of the user; the lists of switched-off hooks are combined. */
async function switchedOff(folder: string, places: SettingsPlaces): Promise<string | null> {
  let enabled: boolean | undefined;
  for (const path of [join(folder, '.gemini', 'settings.json'), userSettings(places)]) {
    const file = await readSettingsFile(path, 'user');
    const root = file.ok && file.value.text !== null ? parseJsonTree(file.value.text) : null;
    const config = root?.type === 'object' ? propertyOf(root, 'hooksConfig') : undefined;
    if (config?.type !== 'object') continue;
    const said: unknown = propertyOf(config, 'enabled')?.value;
    if (enabled === undefined && typeof said === 'boolean') {
      enabled = said;
      if (!said) return `"hooksConfig.enabled" is false in ${path}: Gemini CLI runs no hook until it is removed.`;
    }
    if (namesOurs(propertyOf(config, 'disabled'))) {
      return `"hooksConfig.disabled" in ${path} turns our hook off. To turn it on, run /hooks enable ${NAME} in Gemini CLI.`;
    }
  }
  return null;
}

function namesOurs(list: Node | undefined): boolean {
  return (list?.children ?? []).some(({ value }) => value === NAME || (typeof value === 'string' && isOurs(value)));
}
