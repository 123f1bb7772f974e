import { familyHookForm, type FamilyEvent } from '../shared/connect/hook-family';

/** Environment variable that names the project. */
export const CRUSH_PROJECT = 'CRUSH_PROJECT_DIR';

/**
 * The hook event of Crush that carries messages, according to its documentation. Crush refuses a file with an event that its version does not have.
 */
export const CRUSH_HOOK_EVENTS: readonly FamilyEvent[] = ['PreToolUse'];

export const crushHookForm = familyHookForm({
  agent: 'crush',
  events: CRUSH_HOOK_EVENTS,
  shellTool: 'bash',
  projectVariable: CRUSH_PROJECT,
  stops: true,
  textsBefore: () => 'context',
  answers(what, _event, words) {
    if (what === 'context') return { context: words };
    return what === 'stop' ? { halt: true, reason: words } : { decision: 'deny', reason: words };
  },
});
