import { join } from 'node:path';
import { familyAgent } from '../shared/connect/family-agent';
import { GROK_HOOK_EVENTS, GROK_PROJECT } from './bridge-hook';

/** Delivers messages to Grok Build through our own file among the user's hooks. A project's hooks are files of the repository. */
export const grokBuild = familyAgent({
  id: 'grok-build',
  name: 'Grok Build',
  kinds: ['nudge', 'gate', 'reassign', 'checkpoint', 'block'],
  events: GROK_HOOK_EVENTS,
  // Seconds.
  entry: { type: 'command', timeout: 5 },
  userSettings: ({ env, home }) => join(env['GROK_HOME'] || join(home, '.grok'), 'hooks', 'unstuck.json'),
  remarks: {
    sessions: ['Sessions that run now take no messages: end them and resume them with grok --resume.'],
    rest: ['A message cannot wake Grok Build when its turn has ended.'],
  },
  sampleCall: { tool_name: 'run_terminal_command', tool_input: { command: 'echo s0' } },
  projectVariable: GROK_PROJECT,
});
