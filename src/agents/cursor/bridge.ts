import { join } from 'node:path';
import { familyAgent } from '../shared/connect/family-agent';
import { CURSOR_HOOK_EVENTS, CURSOR_PROJECT } from './bridge-hook';

/** Delivers messages to Cursor through the user's own hooks, according to its documentation. A project's hooks are a file of the repository. */
export const cursor = familyAgent({
  id: 'cursor',
  name: 'Cursor',
  kinds: ['nudge', 'gate', 'reassign', 'checkpoint', 'block'],
  events: CURSOR_HOOK_EVENTS,
  // Seconds.
  entry: { type: 'command', timeout: 5 },
  layout: { grouped: false, commandKey: 'command', head: { version: 1 }, strict: true },
  nameOf: (event) => event.charAt(0).toLowerCase() + event.slice(1),
  userSettings: ({ home }) => join(home, '.cursor', 'hooks.json'),
  remarks: {
    sessions: ['Written by the documentation of Cursor, and not tried with it.'],
    rest: ['A message cannot wake Cursor when its turn has ended.'],
  },
  sampleCall: { tool_name: 'Shell', tool_input: { command: 'echo s0' } },
  sampleSession: 'conversation_id',
  projectVariable: CURSOR_PROJECT,
});
