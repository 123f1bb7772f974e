import { join } from 'node:path';
import type { Bridge } from '../inbox';
import type { HookAgent, HookBridgeEnvironment, SettingsPlaces } from '../shared/connect/hook-agent';
import { createHookBridge } from '../shared/connect/hook-bridge';
import { plainHookCommand } from '../shared/connect/hook-entries';
import { GROUPED } from '../shared/connect/hook-settings';
import { switchedOffIn } from '../shared/connect/switched-off';
import { DROID_HOOK_EVENTS } from './bridge-hook';

/** Seconds after which Droid gives up on Unstuck's hook. */
const TIMEOUT = 5;

/** Delivers messages to Droid through hooks in the user's own settings. Those of a project are a file of the repository. */
export function createDroidBridge(environment: HookBridgeEnvironment): Bridge {
  return createHookBridge(droid, environment);
}

const droid: HookAgent = {
  id: 'droid',
  name: 'Droid',
  scopes: ['user'],
  abilities: {
    wakesIdle: false,
    joinsRunning: false,
    kinds: ['nudge', 'gate', 'reassign', 'checkpoint', 'stop', 'block'],
  },
  layout: GROUPED,
  settingsPath: (_scope, _folder, places) => userSettings(places),
  entries: (hookFolder) =>
    DROID_HOOK_EVENTS.map((event) => ({
      event,
      command: {
        type: 'command',
        command: plainHookCommand(hookFolder, 'droid', event),
        timeout: TIMEOUT,
      },
    })),
  switchedOff,
  remarks: {
    sessions: ['Sessions that run now take no messages: end them and resume them with droid --resume.'],
    rest: ['A message cannot wake Droid when its turn has ended.'],
  },
  sample: {
    event: 'PostToolUse',
    payload: (session, folder) => ({
      session_id: session,
      transcript_path: join(folder, `${session}.jsonl`),
      cwd: folder,
      hook_event_name: 'PostToolUse',
      permission_mode: 'auto-low',
      tool_name: 'Execute',
      tool_input: { command: 'echo s0', description: 'Run echo s0' },
      tool_response: 's0',
    }),
    env: (_session, folder) => ({ FACTORY_PROJECT_DIR: folder }),
  },
};

function userSettings({ home }: SettingsPlaces): string {
  return join(home, '.factory', 'settings.json');
}

function switchedOff(folder: string, places: SettingsPlaces): Promise<string | null> {
  return switchedOffIn(droid.name, [join(folder, '.factory', 'settings.json'), userSettings(places)]);
}
