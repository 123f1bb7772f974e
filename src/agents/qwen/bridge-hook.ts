import { familyHookForm, type FamilyEvent } from '../shared/connect/hook-family';

/** Environment variable that names the project. */
export const QWEN_PROJECT = 'QWEN_PROJECT_DIR';

/** The hook events of Qwen Code that carry messages (measured with 0.24.4). A failed call has an event of its own. */
export const QWEN_HOOK_EVENTS: readonly FamilyEvent[] = [
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
];

export const qwenHookForm = familyHookForm({
  agent: 'qwen-code',
  events: QWEN_HOOK_EVENTS,
  shellTool: 'run_shell_command',
  projectVariable: QWEN_PROJECT,
  // `continue: false` does not end the turn of a run without a person.
  stops: false,
  textsBefore: () => 'leave',
  // Qwen Code puts a text bare after a call's result. The tag distinguishes it from the result, for the model and for a reader of the transcript.
  answers: (what, hookEventName, words) =>
    what === 'context' && hookEventName !== 'UserPromptSubmit'
      ? { hookSpecificOutput: { hookEventName, additionalContext: `<hook_context>${words}</hook_context>` } }
      : undefined,
});
