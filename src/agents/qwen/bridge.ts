import { join } from 'node:path';
import type { Bridge } from '../inbox';
import type { HookAgent, HookBridgeEnvironment, SettingsPlaces } from '../shared/connect/hook-agent';
import { createHookBridge } from '../shared/connect/hook-bridge';
import { plainHookCommand } from '../shared/connect/hook-entries';
import { GROUPED } from '../shared/connect/hook-settings';
import { switchedOffIn } from '../shared/connect/switched-off';
import { QWEN_HOOK_EVENTS } from './bridge-hook';

/** Milliseconds after which Qwen Code gives up on Unstuck's hook. It reads seconds, but a number from 1,000 on as milliseconds, as older versions did. */
const TIMEOUT = 5_000;

/** Delivers messages to Qwen Code through hooks in the user's own settings. Those of a project are a file of the repository. */
export function createQwenBridge(environment: HookBridgeEnvironment): Bridge {
  return createHookBridge(qwenCode, environment);
}

const qwenCode: HookAgent = {
  id: 'qwen-code',
  name: 'Qwen Code',
  scopes: ['user'],
  abilities: {
    wakesIdle: false,
    joinsRunning: false,
    kinds: ['nudge', 'gate', 'reassign', 'checkpoint', 'block'],
  },
  layout: GROUPED,
  settingsPath: (_scope, _folder, places) => userSettings(places),
  entries: (hookFolder) =>
    QWEN_HOOK_EVENTS.map((event) => ({
      event,
      command: {
        type: 'command',
        name: 'unstuck',
        command: plainHookCommand(hookFolder, 'qwen-code', event),
        timeout: TIMEOUT,
      },
    })),
  switchedOff,
  remarks: {
    sessions: ['Sessions that run now take no messages: end them and resume them with qwen --resume.'],
    rest: ['A message cannot wake a Qwen Code agent when its turn has ended.'],
  },
  sample: {
    event: 'PostToolUse',
    payload: (session, folder) => ({
      session_id: session,
      transcript_path: join(folder, `${session}.jsonl`),
      cwd: folder,
      hook_event_name: 'PostToolUse',
      timestamp: '2026-11-26T18:53:50.123Z',
      permission_mode: 'yolo',
      tool_name: 'run_shell_command',
      tool_input: { command: 'echo s0', description: 'Run echo s0' },
      tool_response: { llmContent: 'Output: s0', returnDisplay: 's0' },
      tool_use_id: 'call_test',
    }),
    env: (_session, folder) => ({ QWEN_PROJECT_DIR: folder }),
  },
};

function userSettings({ env, home }: SettingsPlaces): string {
  return join(env['QWEN_HOME'] || join(home, '.qwen'), 'settings.json');
}

function switchedOff(folder: string, places: SettingsPlaces): Promise<string | null> {
  return switchedOffIn(qwenCode.name, [join(folder, '.qwen', 'settings.json'), userSettings(places)]);
}
