import { type HookAnswer, SILENT } from '../inbox/hook/hook-form';
import type { InboxMessage } from '../../core/model';
import { isPrintRun } from '../shared/connect/gate-hold';
import { hookForm } from '../shared/connect/hook-frame';
import {
  answerOf,
  atTurnEnd,
  describedCall,
  fittingTexts,
  joinedMessages,
  refusing,
  stopsIn,
  filledText,
} from '../shared/connect/hook-messages';
import type { JsonRecord } from '../../base/util/json';

/**
 * The hook events of Copilot CLI that carry messages (measured with 1.0.102):
 *
 * - `userPromptSubmitted`: text with the prompt
 * - `preToolUse`: can refuse a call before it runs
 * - `postToolUse`: text after the call's result; `postToolUseFailure`: the same for failed calls, even of tools that do not exist
 * - `permissionRequest`: can end the turn. It comes before commands and edits, even if all tools are allowed, but not before reading
 * - `agentStop`: the turn continues with the text
 */
export const COPILOT_HOOK_EVENTS = [
  'userPromptSubmitted',
  'preToolUse',
  'permissionRequest',
  'postToolUse',
  'postToolUseFailure',
  'agentStop',
] as const;
type CopilotHookEvent = (typeof COPILOT_HOOK_EVENTS)[number];

export const copilotHookForm = hookForm<CopilotHookEvent>({
  agent: 'copilot-cli',
  events: COPILOT_HOOK_EVENTS,

  request(event, given, env, caller) {
    // A sub-agent's calls name it as their session; only permission requests name its parent.
    const session = filledText(given['agentId']) ?? filledText(given['sessionId']);
    if (session === null) return null;
    return {
      sessions: [session],
      folders: [filledText(given['cwd']), filledText(env['COPILOT_PROJECT_DIR'])].filter((folder) => folder !== null),
      // Only the command line shows that it ends with its turn. A sub-agent is judged together with its parent.
      ends:
        event === 'agentStop' &&
        filledText(given['agentId']) === null &&
        isPrintRun(caller(), ['-p', '--prompt'], ['-i', '--interactive']),
    };
  },

  choose,
  answer,
});

function choose(
  event: CopilotHookEvent,
  payload: JsonRecord,
  waiting: readonly InboxMessage[],
): readonly InboxMessage[] {
  switch (event) {
    case 'userPromptSubmitted':
    case 'postToolUse':
    case 'postToolUseFailure':
      return fittingTexts(waiting);
    case 'preToolUse':
      return refusing(waiting, filledText(payload['toolName']) ?? '', payload['toolArgs'], canonicalCall);
    case 'permissionRequest':
      return stopsIn(waiting);
    case 'agentStop':
      return atTurnEnd(waiting);
  }
}

const canonicalCall = (name: string, args: unknown): string =>
  describedCall(name, args, name === 'bash' || name === 'powershell');

function answer(event: CopilotHookEvent, messages: readonly InboxMessage[]): HookAnswer {
  const words = joinedMessages(messages);
  switch (event) {
    case 'userPromptSubmitted':
    case 'postToolUse':
    case 'postToolUseFailure':
      return answerOf({ additionalContext: words });
    case 'preToolUse':
      return answerOf({ permissionDecision: 'deny', permissionDecisionReason: words });
    case 'permissionRequest':
      return answerOf({ behavior: 'deny', message: words, interrupt: true });
    case 'agentStop':
      return messages[0]?.kind === 'stop' ? SILENT : answerOf({ decision: 'block', reason: words });
  }
}
