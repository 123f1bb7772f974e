import type { HookForm } from '../../inbox/hook/hook-form';
import type { AgentId, InboxMessage } from '../../../core/model';
import type { JsonRecord } from '../../../base/util/json';
import { hookForm } from './hook-frame';
import { answerOf, describedCall, filledText, fittingTexts, joinedMessages, refusing, stopsIn } from './hook-messages';

/** The events of Claude Code's hooks that its relatives call, too. */
export type FamilyEvent = 'UserPromptSubmit' | 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure' | 'Stop';

/** A relative of Claude Code: hooks of the same names, with the same input and answers but for this. */
export interface FamilyHook {
  readonly agent: AgentId;
  /** Those that carry messages. */
  readonly events: readonly FamilyEvent[];
  /** The tool that runs commands: the free description of its calls does not count. */
  readonly shellTool: string;
  /** Variable of the environment that names the project. */
  readonly projectVariable: string;
  /** `continue: false` before a call ends the turn; else a stop is not delivered. */
  readonly stops: boolean;
  /** The context of a call, as it reaches the model. */
  readonly context: (words: string) => string;
  /** Whether texts refuse this call, since what came before it runs no hook behind a call. */
  readonly textsRefuse: (payload: JsonRecord) => boolean;
}

export function familyHookForm(row: FamilyHook): HookForm {
  const choose = (event: FamilyEvent, payload: JsonRecord, waiting: readonly InboxMessage[]) => {
    switch (event) {
      case 'UserPromptSubmit':
      case 'PostToolUse':
      case 'Stop':
        return fittingTexts(waiting);
      case 'PostToolUseFailure':
        // The person interrupted it: the move is theirs.
        return payload['is_interrupt'] === true ? [] : fittingTexts(waiting);
      case 'PreToolUse': {
        const stops = row.stops ? stopsIn(waiting) : [];
        if (stops.length > 0) return stops;
        const refused = refusing(waiting, filledText(payload['tool_name']) ?? '', payload['tool_input'], (name, args) =>
          describedCall(name, args, name === row.shellTool),
        );
        return refused.length === 0 && row.textsRefuse(payload) ? fittingTexts(waiting) : refused;
      }
    }
  };

  const context = (hookEventName: FamilyEvent, additionalContext: string) =>
    answerOf({ hookSpecificOutput: { hookEventName, additionalContext } });

  return hookForm<FamilyEvent>({
    agent: row.agent,
    events: row.events,
    request(_event, given, env) {
      const session = filledText(given['session_id']);
      if (session === null) return null;
      const folders = [filledText(given['cwd']), filledText(env[row.projectVariable])];
      return { sessions: [session], folders: folders.filter((folder) => folder !== null) };
    },
    choose,
    answer(event, messages) {
      const words = joinedMessages(messages);
      switch (event) {
        case 'PreToolUse':
          return messages[0]?.kind === 'stop'
            ? answerOf({ continue: false, stopReason: words })
            : answerOf({
                hookSpecificOutput: {
                  hookEventName: event,
                  permissionDecision: 'deny',
                  permissionDecisionReason: words,
                },
              });
        case 'Stop':
          return answerOf({ decision: 'block', reason: words });
        case 'UserPromptSubmit':
          return context(event, words);
        case 'PostToolUse':
        case 'PostToolUseFailure':
          return context(event, row.context(words));
      }
    },
  });
}
