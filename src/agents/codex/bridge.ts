import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LONGEST_END_TIMEOUT } from '../shared/connect/gate-hold';
import type { HookAgent, SettingsPlaces } from '../shared/connect/hook-agent';
import { plainHookCommand } from '../shared/connect/hook-entries';
import { type FoundHook, GROUPED } from '../shared/connect/hook-settings';
import { readSettingsFile } from '../shared/connect/settings-file';
import { CODEX_HOOK_EVENTS } from './bridge-hook';
import { type CodexConfig, readCodexConfig, trustOf } from './bridge-trust';
import { codexHome } from './locate';

/** Seconds after which Codex gives up on Unstuck's hook. The user trusts it together with the command, so no setting changes it. */
const TIMEOUT = 5;
/** The dialog that Codex opens when it starts and finds hooks that it does not know (measured with 0.169.0). */
const TRUST_STEP =
  'One step left: start codex in a terminal and choose “Trust all and continue” where it says that hooks need review. Until then Codex silently ignores them.';
const ENABLE_STEP = 'Unstuck’s hook is turned off in Codex. Open /hooks in Codex and turn it on.';

/** Delivers messages to Codex through hooks in the user's own `hooks.json`. A project's `hooks.json` is a file of the repository. */
export const codex: HookAgent = {
  id: 'codex',
  name: 'Codex CLI',
  scopes: ['user'],
  abilities: { wakesIdle: false, joinsRunning: false, kinds: ['nudge', 'gate', 'reassign', 'checkpoint', 'block'] },
  layout: { ...GROUPED, strict: true },
  settingsPath: (_scope, _folder, places) => join(codexHome(places), 'hooks.json'),
  entries: (hookFolder) =>
    CODEX_HOOK_EVENTS.map((event) => ({
      event,
      command: {
        type: 'command',
        command: plainHookCommand(hookFolder, 'codex', event),
        timeout: event === 'Stop' ? LONGEST_END_TIMEOUT : TIMEOUT,
      },
    })),
  async switchedOff(_folder, places) {
    const { hooksOff } = await configOf(places);
    return hooksOff
      ? `"features.hooks" is false in ${configPath(places)}: Codex runs no hook until it is removed.`
      : null;
  },
  untrusted,
  remarks: {
    sessions: [
      'Codex asks you about new hooks when it next starts. Choose “Trust all and continue” there. Until then Codex silently ignores them.',
      'Running sessions cannot take messages: end them and continue with codex resume.',
    ],
    rest: ['A message cannot end the turn of a Codex agent, or wake it after its turn has ended.'],
  },
  sample: {
    event: 'PostToolUse',
    payload: (session, folder) => ({
      session_id: session,
      turn_id: '01a2004b-a957-7273-a630-a30c90c99277',
      transcript_path: join(folder, `${session}.jsonl`),
      cwd: folder,
      hook_event_name: 'PostToolUse',
      model: 'gpt-5.5',
      permission_mode: 'default',
      tool_name: 'Bash',
      tool_input: { command: 'echo s0' },
      tool_response: 's0\n',
      tool_use_id: 'call_f71f723f7678',
    }),
    env: () => ({}),
  },
};

function configPath(places: SettingsPlaces): string {
  return join(codexHome(places), 'config.toml');
}

async function configOf(places: SettingsPlaces): Promise<CodexConfig> {
  const file = await readSettingsFile(configPath(places), 'user');
  return readCodexConfig(file.ok ? (file.value.text ?? '') : '');
}

async function untrusted(file: string, ours: readonly FoundHook[], places: SettingsPlaces): Promise<string | null> {
  // Codex resolves the links of CODEX_HOME, but not those of the file itself.
  const folder = await realpath(dirname(file)).catch(() => dirname(file));
  switch (trustOf(await configOf(places), [file, join(folder, 'hooks.json')], ours)) {
    case 'trusted':
      return null;
    case 'not_trusted':
      return TRUST_STEP;
    case 'disabled':
      return ENABLE_STEP;
  }
}
