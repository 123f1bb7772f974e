import type { HookAnswer } from '../inbox/hook/hook-form';
import type { InboxMessage } from '../../core/model';
import { hookForm } from '../shared/connect/hook-frame';
import {
  answerOf,
  describedCall,
  filledText,
  fittingTexts,
  joinedMessages,
  refusing,
} from '../shared/connect/hook-messages';
import type { JsonRecord } from '../../base/util/json';

/**
 * The hook events of Qwen Code that carry messages (measured with 0.24.4). They are Claude Code's by name and form:
 *
 * Qwen Code puts a text bare behind a call's result. The tag tells it from the result, for the model and for the reader of the transcript.
 *
 * - `UserPromptSubmit`: text with the prompt
 * - `PreToolUse`: can refuse a call before it runs
 * - `PostToolUse`: text behind the result of a call that succeeded
 * - `PostToolUseFailure`: text behind the error of a call that failed
 * - `Stop`: the turn goes on with the text
 *
 * `continue: false` ends no turn of a run without a person, so a stop is not delivered.
 */
export const QWEN_HOOK_EVENTS = [
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
] as const;
type QwenHookEvent = (typeof QWEN_HOOK_EVENTS)[number];

export const qwenHookForm = hookForm<QwenHookEvent>({
  agent: 'qwen-code',
  events: QWEN_HOOK_EVENTS,

  request(_event, given, env) {
    const session = filledText(given['session_id']);
    if (session === null) return null;
    const folders = [filledText(given['cwd']), filledText(env['QWEN_PROJECT_DIR'])];
    return { sessions: [session], folders: folders.filter((folder) => folder !== null) };
  },

  choose,
  answer,
});

function choose(event: QwenHookEvent, payload: JsonRecord, waiting: readonly InboxMessage[]): readonly InboxMessage[] {
  switch (event) {
    case 'UserPromptSubmit':
    case 'PostToolUse':
    case 'Stop':
      return fittingTexts(waiting);
    case 'PreToolUse':
      return refusing(waiting, filledText(payload['tool_name']) ?? '', payload['tool_input'], (name, args) =>
        describedCall(name, args, name === 'run_shell_command'),
      );
    case 'PostToolUseFailure':
      // The person interrupted it: the move is theirs.
      return payload['is_interrupt'] === true ? [] : fittingTexts(waiting);
  }
}

function answer(event: QwenHookEvent, messages: readonly InboxMessage[]): HookAnswer {
  const words = joinedMessages(messages);
  switch (event) {
    case 'PreToolUse':
      return answerOf({
        hookSpecificOutput: { hookEventName: event, permissionDecision: 'deny', permissionDecisionReason: words },
      });
    case 'Stop':
      return answerOf({ decision: 'block', reason: words });
    case 'UserPromptSubmit':
      return context(event, words);
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return context(event, `<hook_context>${words}</hook_context>`);
  }
}

function context(event: QwenHookEvent, words: string): HookAnswer {
  return answerOf({ hookSpecificOutput: { hookEventName: event, additionalContext: words } });
}
