import { join } from 'node:path';
import { familyAgent } from '../shared/connect/family-agent';
import { CRUSH_HOOK_EVENTS, CRUSH_PROJECT } from './bridge-hook';

/** Delivers messages to Crush through the user's own settings, according to its documentation. A project's settings are a file of the repository. */
export const crush = familyAgent({
  id: 'crush',
  name: 'Crush',
  kinds: ['nudge', 'gate', 'reassign', 'checkpoint', 'stop', 'block'],
  events: CRUSH_HOOK_EVENTS,
  // Seconds.
  entry: { timeout: 5 },
  layout: { grouped: false, commandKey: 'command', head: {}, strict: true },
  userSettings: ({ env, home }) => join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'crush', 'crush.json'),
  remarks: {
    sessions: ['Written by the documentation of Crush, and not tried with it.'],
    rest: ['A message arrives with the next tool call. It cannot wake Crush when its turn has ended.'],
  },
  sampleCall: { tool_name: 'bash', tool_input: { command: 'echo s0' } },
  projectVariable: CRUSH_PROJECT,
});
