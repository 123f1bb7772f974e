import { join } from 'node:path';
import { copilotCli } from '../copilot/bridge';
import type { HookAgent } from '../shared/connect/hook-agent';

/** Delivers messages to VS Code's chat agent through the file of Copilot CLI's hooks, which VS Code runs with its own input. */
export const vscodeChat: HookAgent = {
  ...copilotCli,
  id: 'vscode-chat',
  name: 'VS Code Chat',
  abilities: {
    wakesIdle: false,
    joinsRunning: true,
    kinds: ['nudge', 'gate', 'reassign', 'checkpoint', 'block'],
  },
  settingsPath: (_scope, _folder, { home }) => join(home, '.copilot', 'hooks', 'unstuck.json'),
  remarks: {
    sessions: ['A chat takes messages from its next prompt. A turn that is already running started without the hook.'],
    rest: [
      'Tool output is saved beside the messages, because VS Code itself saves it up to a minute later.',
      'Copilot CLI uses the same file, so both are connected and disconnected together.',
      'Hooks are a preview in VS Code: they need chat.useHooks, a trusted workspace and no policy against them. On Windows VS Code does not run this one.',
    ],
  },
  sample: {
    event: 'preToolUse',
    payload: (session, folder) => ({
      timestamp: '2026-11-22T10:07:42.690Z',
      hook_event_name: 'PreToolUse',
      session_id: session,
      tool_name: 'run_in_terminal',
      tool_input: { command: 'echo s0' },
      tool_use_id: 'call_6aee6b14f084__vscode-1795341859270',
      cwd: folder,
    }),
    env: () => ({}),
  },
};
