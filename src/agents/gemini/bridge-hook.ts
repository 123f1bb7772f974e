import { type HookAnswer, SILENT } from '../inbox/hook/hook-form';
import type { InboxMessage } from '../../core/model';
import { endsWithQuestion } from '../../base/util/question';
import { isPrintRun } from '../shared/connect/gate-hold';
import { hookForm } from '../shared/connect/hook-frame';
import {
  answerOf,
  atTurnEnd,
  contextAnswer,
  describedCall,
  fittingTexts,
  joinedMessages,
  refusing,
  stopsIn,
  filledText,
} from '../shared/connect/hook-messages';
import { fieldsOf, type JsonRecord } from '../../base/util/json';

/**
 * The hook events of Gemini CLI that carry messages (measured with 0.61.0):
 *
 * - `BeforeAgent`: text with the prompt
 * - `BeforeTool`: can refuse a call before it runs
 * - `AfterTool`: text after the call's result. For a failed call the text is dropped, so there the result is replaced by a copy of itself followed by
 *   the text. `continue: false` ends the turn
 * - `AfterAgent`: the turn continues with the text
 *
 * Calls of tools that do not exist, or with arguments that break the schema, run no hook at all.
 */
export const GEMINI_HOOK_EVENTS = ['BeforeAgent', 'BeforeTool', 'AfterTool', 'AfterAgent'] as const;
type GeminiHookEvent = (typeof GEMINI_HOOK_EVENTS)[number];

export const geminiHookForm = hookForm<GeminiHookEvent>({
  agent: 'gemini-cli',
  events: GEMINI_HOOK_EVENTS,

  request(event, given, env, caller) {
    const session = filledText(given['session_id']) ?? filledText(env['GEMINI_SESSION_ID']);
    if (session === null) return null;
    return {
      sessions: [session],
      folders: [filledText(given['cwd']), filledText(env['GEMINI_PROJECT_DIR'])].filter((folder) => folder !== null),
      // Only the command line shows that it ends with its turn, and the end of a turn is not written at all.
      ...(event === 'AfterAgent' && isPrintRun(caller(), ['-p', '--prompt'], ['-i', '--prompt-interactive'])
        ? { ends: !endsWithQuestion(filledText(given['prompt_response']) ?? ''), reportsEnd: true }
        : {}),
    };
  },

  choose,
  answer: (event, messages, _watch, payload) => answer(event, messages, payload),
});

function choose(
  event: GeminiHookEvent,
  payload: JsonRecord,
  waiting: readonly InboxMessage[],
): readonly InboxMessage[] {
  switch (event) {
    case 'BeforeAgent':
      return fittingTexts(waiting);
    case 'BeforeTool':
      return refusing(waiting, filledText(payload['tool_name']) ?? '', payload['tool_input'], canonicalCall);
    case 'AfterTool': {
      // This result is not read: the turn ends with it, and it is the person's move.
      if (isCancelled(payload['tool_response'])) return [];
      const stops = stopsIn(waiting);
      return stops.length > 0 ? stops : fittingTexts(waiting);
    }
    case 'AfterAgent':
      return atTurnEnd(waiting);
  }
}

const canonicalCall = (name: string, args: unknown): string => describedCall(name, args, name === 'run_shell_command');

function answer(event: GeminiHookEvent, messages: readonly InboxMessage[], payload: JsonRecord): HookAnswer {
  const words = joinedMessages(messages);
  const stops = messages[0]?.kind === 'stop';
  switch (event) {
    case 'BeforeAgent':
      return contextAnswer(event, words);
    case 'BeforeTool':
      return answerOf({ decision: 'deny', reason: words });
    case 'AfterTool': {
      if (stops) return answerOf({ continue: false, stopReason: words });
      const failure = failureIn(payload['tool_response']);
      if (failure === null) return contextAnswer(event, words);
      // Gemini CLI itself marks this way what hooks add to a result without an error.
      return answerOf({ decision: 'deny', reason: `${failure}\n\n<hook_context>${words}</hook_context>` });
    }
    case 'AfterAgent':
      return stops ? SILENT : answerOf({ decision: 'deny', reason: words });
  }
}

/** Result of a command that was interrupted with Escape, which has no error (0.61.0; older versions without the tag). */
const CANCELLED = /^(?:<untrusted_context>\s{0,4})?Command was cancelled by user/;

function isCancelled(response: unknown): boolean {
  return wordsIn(response).some((part) => CANCELLED.test(part));
}

function wordsIn(response: unknown): readonly string[] {
  const content = fieldsOf(response)['llmContent'];
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  return parts.map((part) => filledText(part) ?? filledText(fieldsOf(part)['text'])).filter((part) => part !== null);
}

/** Returns the text that the model reads about a failed call; null for a call that did not fail. */
function failureIn(response: unknown): string | null {
  const given = fieldsOf(response);
  if (given['error'] === undefined || given['error'] === null) return null;
  const words = wordsIn(response);
  return words.length > 0 ? words.join('\n') : (filledText(fieldsOf(given['error'])['message']) ?? '');
}
