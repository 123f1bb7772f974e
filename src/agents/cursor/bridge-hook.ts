import { familyHookForm, type FamilyEvent } from '../shared/connect/hook-family';

/** Environment variable that names the project. */
export const CURSOR_PROJECT = 'CURSOR_PROJECT_DIR';

/** The hook events of Cursor that carry messages, according to its documentation. It runs the hooks of Claude Code's settings as well. */
export const CURSOR_HOOK_EVENTS: readonly FamilyEvent[] = ['PreToolUse', 'PostToolUse', 'Stop'];

export const cursorHookForm = familyHookForm({
  agent: 'cursor',
  events: CURSOR_HOOK_EVENTS,
  shellTool: 'Shell',
  projectVariable: CURSOR_PROJECT,
  session: 'conversation_id',
  stops: false,
  textsBefore: () => 'leave',
  answers(what, _event, words) {
    if (what === 'context') return { additional_context: words };
    if (what === 'continue') return { followup_message: words };
    return { permission: 'deny', user_message: words, agent_message: words };
  },
});
