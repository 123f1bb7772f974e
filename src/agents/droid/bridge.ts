import { join } from 'node:path';
import { familyAgent } from '../shared/connect/family-agent';
import { DROID_HOOK_EVENTS, DROID_PROJECT } from './bridge-hook';

/** Delivers messages to Droid through hooks. */
export const droid = familyAgent({
  id: 'droid',
  name: 'Droid',
  kinds: ['nudge', 'gate', 'reassign', 'checkpoint', 'stop', 'block'],
  events: DROID_HOOK_EVENTS,
  // Seconds.
  entry: { type: 'command', timeout: 5 },
  userSettings: ({ home }) => join(home, '.factory', 'settings.json'),
  projectSettings: '.factory/settings.json',
  remarks: {
    sessions: ['Sessions that run now take no messages: end them and resume them with droid --resume.'],
    rest: ['A message cannot wake Droid when its turn has ended.'],
  },
  sampleCall: {
    permission_mode: 'auto-low',
    tool_name: 'Execute',
    tool_input: { command: 'echo s0', description: 'Run echo s0' },
    tool_response: 's0',
  },
  projectVariable: DROID_PROJECT,
});
