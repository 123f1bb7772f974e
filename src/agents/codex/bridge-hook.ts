import { type HookAnswer, SILENT } from '../inbox/hook/hook-form';
import type { InboxMessage } from '../../core/model';
import { endsWithQuestion } from '../../base/util/question';
import { hookForm } from '../shared/connect/hook-frame';
import {
  answerOf,
  atTurnEnd,
  canonicalJson,
  contextAnswer,
  fittingTexts,
  joinedMessages,
  refusing,
  filledText,
} from '../shared/connect/hook-messages';
import { fieldsOf, type JsonRecord } from '../../base/util/json';

/**
 * The hook events of Codex that carry messages (measured with 0.169.0):
 *
 * - `UserPromptSubmit`: text with the prompt
 * - `PreToolUse`: can refuse a call before it runs. Carries text, too: a patch that cannot be applied is not followed by `PostToolUse`
 * - `PostToolUse`: text in the next request, even after a command that failed. `continue: false` does not end the turn there: it only replaces the
 *   result, so a `stop` is not taken
 * - `Stop`: the turn continues with the text
 *
 * Calls of tools that do not exist, and arguments that are not JSON, run no hook at all.
 */
export const CODEX_HOOK_EVENTS = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'] as const;
type CodexHookEvent = (typeof CODEX_HOOK_EVENTS)[number];

export const codexHookForm = hookForm<CodexHookEvent>({
  agent: 'codex',
  events: CODEX_HOOK_EVENTS,

  request(event, given) {
    const session = filledText(given['session_id']);
    if (session === null) return null;
    return {
      // A sub-agent is a thread of its own, named here.
      sessions: [filledText(given['agent_id']) ?? session],
      folders: [filledText(given['cwd'])].filter((folder) => folder !== null),
      // The transcript shows whether this is `codex exec`: in other sessions no window gives a verdict to wait for. The end of the turn is written
      // after this hook.
      ...(event === 'Stop' && filledText(given['agent_id']) === null
        ? { ends: !endsWithQuestion(filledText(given['last_assistant_message']) ?? ''), reportsEnd: true }
        : {}),
    };
  },

  choose,
  answer,
});

function choose(event: CodexHookEvent, payload: JsonRecord, waiting: readonly InboxMessage[]): readonly InboxMessage[] {
  switch (event) {
    case 'UserPromptSubmit':
    case 'PostToolUse':
      return fittingTexts(waiting);
    case 'PreToolUse': {
      const name = filledText(payload['tool_name']) ?? '';
      const refused = refusing(waiting, name, payload['tool_input'], canonicalCall);
      // A command may run for a long time: a text taken before it would arrive no sooner, and could not be withdrawn.
      return refused.length > 0 || name !== 'apply_patch' ? refused : fittingTexts(waiting);
    }
    case 'Stop':
      return atTurnEnd(waiting);
  }
}

const SHELLS = /^(?:Bash|exec_command|shell|shell_command|local_shell)$/;

/**
 * Returns the call as one text that is equal for equal calls. The hook names every command `Bash` with its `command`, while the transcript names it
 * by its tool with `cmd`; a patch is the `command` or the `input`.
 */
function canonicalCall(name: string, args: unknown): string {
  const given = fieldsOf(args);
  if (SHELLS.test(name)) return `Bash ${commandOf(given['command'] ?? given['cmd'])}`;
  const patch = name === 'apply_patch' ? (given['command'] ?? given['input'] ?? given['patch']) : undefined;
  return `${name} ${patch === undefined ? canonicalJson(args) : canonicalJson(patch)}`;
}

/** Returns the command: `["bash", "-lc", "npm test"]` is `npm test`. */
function commandOf(value: unknown): string {
  if (!Array.isArray(value)) return canonicalJson(value);
  const words: readonly unknown[] = value;
  const wrapped = words.length === 3 && typeof words[1] === 'string' && /^-\w*c$/.test(words[1]);
  if (wrapped) return canonicalJson(words[2]);
  return canonicalJson(words.every((word) => typeof word === 'string') ? words.join(' ') : words);
}

function answer(event: CodexHookEvent, messages: readonly InboxMessage[]): HookAnswer {
  const words = joinedMessages(messages);
  switch (event) {
    case 'UserPromptSubmit':
    case 'PostToolUse':
      return contextAnswer(event, words);
    case 'PreToolUse':
      if (messages[0]?.kind !== 'block') return contextAnswer(event, words);
      return answerOf({
        hookSpecificOutput: { hookEventName: event, permissionDecision: 'deny', permissionDecisionReason: words },
      });
    case 'Stop':
      return messages[0]?.kind === 'stop' ? SILENT : answerOf({ decision: 'block', reason: words });
  }
}
