import { join } from 'node:path';
import { familyAgent } from '../shared/connect/family-agent';
import { QWEN_HOOK_EVENTS, QWEN_PROJECT } from './bridge-hook';

/** Delivers messages to Qwen Code through hooks. */
export const qwenCode = familyAgent({
  id: 'qwen-code',
  name: 'Qwen Code',
  kinds: ['nudge', 'gate', 'reassign', 'checkpoint', 'block'],
  events: QWEN_HOOK_EVENTS,
  // Qwen Code reads seconds, but takes a number from 1,000 on as milliseconds, as older versions did.
  entry: { type: 'command', name: 'unstuck', timeout: 5_000 },
  userSettings: ({ env, home }) => join(env['QWEN_HOME'] || join(home, '.qwen'), 'settings.json'),
  projectSettings: '.qwen/settings.json',
  remarks: {
    sessions: ['Sessions that run now take no messages: end them and resume them with qwen --resume.'],
    rest: ['A message cannot wake a Qwen Code agent when its turn has ended.'],
  },
  sampleCall: {
    timestamp: '2026-11-26T18:53:50.123Z',
    permission_mode: 'yolo',
    tool_name: 'run_shell_command',
    tool_input: { command: 'echo s0', description: 'Run echo s0' },
    tool_response: { llmContent: 'Output: s0', returnDisplay: 's0' },
    tool_use_id: 'call_test',
  },
  projectVariable: QWEN_PROJECT,
});
