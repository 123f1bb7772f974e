import { join } from 'node:path';
import { endTimeout } from '../shared/connect/gate-hold';
import type { HookAgent, SettingsPlaces } from '../shared/connect/hook-agent';
import { plainHookCommand } from '../shared/connect/hook-entries';
import { parseJsonTree, propertyOf } from '../shared/connect/json-edit';
import { readSettingsFile } from '../shared/connect/settings-file';
import { COPILOT_HOOK_EVENTS } from './bridge-hook';

/** Seconds after which Copilot CLI gives up on Unstuck's hook. */
const TIMEOUT = 5;

/**
 * Delivers messages to Copilot CLI through our own file among the user's hooks. A project's hooks are files of the repository. VS Code's chat agent
 * runs the same file.
 */
export const copilotCli: HookAgent = {
  id: 'copilot-cli',
  name: 'Copilot CLI',
  scopes: ['user'],
  abilities: {
    wakesIdle: false,
    joinsRunning: false,
    kinds: ['nudge', 'gate', 'reassign', 'checkpoint', 'stop', 'block'],
  },
  layout: { grouped: false, commandKey: 'bash', head: { version: 1 }, strict: true },
  settingsPath: (_scope, _folder, places) => hooksFile(places),
  entries: (hookFolder, gateWait) =>
    COPILOT_HOOK_EVENTS.map((event) => ({
      event,
      command: {
        type: 'command',
        bash: plainHookCommand(hookFolder, 'copilot-cli', event),
        timeoutSec: event === 'agentStop' ? endTimeout(gateWait, TIMEOUT) : TIMEOUT,
      },
    })),
  switchedOff,
  remarks: {
    sessions: ['Running sessions cannot take messages: end them and continue with copilot --resume.'],
    rest: ['A message cannot wake a Copilot agent after its turn has ended.'],
  },
  sample: {
    event: 'postToolUse',
    payload: (session, folder) => ({
      sessionId: session,
      timestamp: 1_795_301_314_513,
      cwd: folder,
      toolName: 'bash',
      toolArgs: { command: 'echo s0', description: 'Run echo s0' },
      toolResult: { resultType: 'success', textResultForLlm: 's0' },
    }),
    env: (_session, folder) => ({ COPILOT_PROJECT_DIR: folder }),
  },
};

function hooksFile({ env, home }: SettingsPlaces): string {
  return join(env['COPILOT_HOME'] || join(home, '.copilot'), 'hooks', 'unstuck.json');
}

/** Looks for the switch, which counts for the file that contains it. */
async function switchedOff(_folder: string, places: SettingsPlaces): Promise<string | null> {
  const path = hooksFile(places);
  const file = await readSettingsFile(path, 'user');
  const root = file.ok && file.value.text !== null ? parseJsonTree(file.value.text) : null;
  const value: unknown = root?.type === 'object' ? propertyOf(root, 'disableAllHooks')?.value : undefined;
  return value === true
    ? `"disableAllHooks" is set in ${path}: Copilot CLI runs no hook of it until it is removed.`
    : null;
}
