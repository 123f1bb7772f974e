import { join } from 'node:path';
import type { ConnectScope } from '../inbox';
import type { HookAgent, SettingsPlaces } from '../shared/connect/hook-agent';
import { endTimeout } from '../shared/connect/gate-hold';
import { hookCommand } from '../shared/connect/hook-entries';
import { GROUPED, type HookEntry } from '../shared/connect/hook-settings';
import { switchedOffIn } from '../shared/connect/switched-off';
import { CLAUDE_HOOK_EVENTS } from './bridge-hook';
import { configFolder } from './locate';
import { managedFolder, switchedOffByOrganisation } from './managed';

/** Seconds after which Claude Code gives up on Unstuck's hook. */
const TIMEOUT = 5;

/** Delivers messages to Claude Code through hooks in the person's own settings. */
export const claudeCode: HookAgent = {
  id: 'claude-code',
  name: 'Claude Code',
  scopes: ['project', 'user'],
  abilities: {
    wakesIdle: true,
    joinsRunning: true,
    kinds: ['nudge', 'gate', 'reassign', 'checkpoint', 'stop', 'block'],
  },
  // Claude Code loads nothing from a file with a comment or a trailing comma: tried with 2.1.329.
  layout: { ...GROUPED, strict: true },
  settingsPath,
  entries: hookEntries,
  switchedOff,
  remarks: {
    sessions: [
      'Running sessions take messages at their next tool call and when their turn ends. Nothing needs a restart.',
      'Sessions that start from now on can also be woken while they are idle.',
    ],
    rest: ['Claude Code only runs hooks in folders that you have trusted.'],
  },
  sample: {
    event: 'PostToolBatch',
    payload: (session, folder) => ({
      session_id: session,
      transcript_path: join(folder, `${session}.jsonl`),
      cwd: folder,
      prompt_id: '24ae10b1-2be9-4749-b07c-d37a73cbce2e',
      permission_mode: 'default',
      effort: { level: 'medium' },
      hook_event_name: 'PostToolBatch',
      tool_calls: [
        {
          tool_name: 'Bash',
          tool_input: { command: 'echo s0', description: 'run' },
          tool_use_id: 'toolu_01Test000000000000000001',
          tool_response: 's0',
        },
      ],
    }),
    env: (session, folder) => ({
      CLAUDE_PROJECT_DIR: folder,
      CLAUDE_CODE_SESSION_ID: session,
      CLAUDE_CODE_ENTRYPOINT: 'sdk-cli',
    }),
  },
};

/** Returns the path of a project's personal settings, or of the user's settings for all projects. */
function settingsPath(scope: ConnectScope, folder: string, places: SettingsPlaces): string {
  switch (scope) {
    case 'project':
      return join(folder, '.claude', 'settings.local.json');
    case 'user':
      return join(configFolder(places), 'settings.json');
  }
}

/**
 * `gateWait`: seconds that the hook may wait for the quality gates when a print mode run ends. Without gates it still returns at once.
 *
 * Only FileChanged has `asyncRewake`: in print mode, hooks of other events that carry it run synchronously, and a waiting one would freeze the agent.
 */
function hookEntries(hookFolder: string, gateWait?: number): readonly HookEntry[] {
  return CLAUDE_HOOK_EVENTS.map((event) => ({
    event,
    command: {
      type: 'command',
      command: hookCommand(hookFolder, 'claude-code', event),
      timeout: event === 'Stop' ? endTimeout(gateWait, TIMEOUT) : TIMEOUT,
      ...(event === 'FileChanged' ? { asyncRewake: true } : {}),
    },
  }));
}

/** Looks at the organisation's settings first, then at the most personal file that says anything. */
async function switchedOff(folder: string, places: SettingsPlaces): Promise<string | null> {
  const managed = await switchedOffByOrganisation(places.managedSettings ?? managedFolder(process.platform));
  if (managed !== null) return managed;
  return switchedOffIn(claudeCode.name, [
    settingsPath('project', folder, places),
    join(folder, '.claude', 'settings.json'),
    settingsPath('user', folder, places),
  ]);
}
