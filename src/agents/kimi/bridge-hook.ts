import { familyHookForm, type FamilyEvent } from '../shared/connect/hook-family';

/** The hook events of Kimi Code that carry messages (measured with 2.1.0). The answer of `PostToolUse` is not read. */
const KIMI_HOOK_EVENTS: readonly FamilyEvent[] = ['UserPromptSubmit', 'PreToolUse', 'Stop'];

export const kimiHookForm = familyHookForm({
  agent: 'kimi',
  events: KIMI_HOOK_EVENTS,
  shellTool: 'Bash',
  projectVariable: '',
  stops: false,
  // In the middle of a turn only a refusal reaches the model.
  textsBefore: () => 'refuse',
  answers(what, event, words) {
    if (event === 'UserPromptSubmit') return { message: words };
    if (what !== 'continue') return undefined;
    return { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: words } };
  },
});
