import type { HookForm } from '../../inbox/hook/hook-form';
import type { AgentId, InboxMessage } from '../../../core/model';
import type { JsonRecord } from '../../../base/util/json';
import { hookForm } from './hook-frame';
import { answerOf, describedCall, filledText, fittingTexts, joinedMessages, refusing, stopsIn } from './hook-messages';

/** Events of Claude Code's hooks that its relatives also raise. */
export type FamilyEvent = 'UserPromptSubmit' | 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure' | 'Stop';

/** Effect of an answer: text for the model, a refused call, a turn that continues, a turn that ends. */
export type FamilyAnswer = 'context' | 'refuse' | 'continue' | 'stop';

/** A relative of Claude Code: hooks of the same events, with the same input and answers except for these differences. */
export interface FamilyHook {
  readonly agent: AgentId;
  /** The events that carry messages. */
  readonly events: readonly FamilyEvent[];
  /** The tool that runs commands: the free-text description of its calls is ignored. */
  readonly shellTool: string;
  /** Environment variable that names the project. */
  readonly projectVariable: string;
  /** Field of the input that names the session; `session_id` if absent. */
  readonly session?: string;
  /** True if a hook before a call can end the turn; otherwise a stop is not delivered. */
  readonly stops: boolean;
  /** Handling of texts before a call: left to its result, sent with it, or sent by refusing it, if nothing else reaches the model. */
  readonly textsBefore: (payload: JsonRecord) => 'leave' | 'context' | 'refuse';
  /** Returns its answers if they differ from Claude Code's. */
  readonly answers?: (what: FamilyAnswer, event: FamilyEvent, words: string) => object | undefined;
}

export function familyHookForm(row: FamilyHook): HookForm {
  const choose = (event: FamilyEvent, payload: JsonRecord, waiting: readonly InboxMessage[]) => {
    // The person interrupted it: the next move is theirs.
    if (payload['is_interrupt'] === true || payload['status'] === 'aborted') return [];
    if (event !== 'PreToolUse') return fittingTexts(waiting);
    const stops = row.stops ? stopsIn(waiting) : [];
    if (stops.length > 0) return stops;
    const name = filledText(payload['tool_name']) ?? filledText(payload['toolName']) ?? '';
    const refused = refusing(waiting, name, payload['tool_input'] ?? payload['toolInput'], (tool, args) =>
      describedCall(tool, args, tool === row.shellTool),
    );
    return refused.length === 0 && row.textsBefore(payload) !== 'leave' ? fittingTexts(waiting) : refused;
  };

  return hookForm<FamilyEvent>({
    agent: row.agent,
    events: row.events,
    request(_event, given, env) {
      // Older versions of Grok Build write only the names in its documentation.
      const session = filledText(given[row.session ?? 'session_id']) ?? filledText(given['sessionId']);
      if (session === null) return null;
      const roots: readonly unknown[] = Array.isArray(given['workspace_roots']) ? given['workspace_roots'] : [];
      const folders = [given['cwd'], env[row.projectVariable], ...roots].map(filledText);
      return { sessions: [session], folders: folders.filter((folder) => folder !== null) };
    },
    choose,
    answer(event, messages, _watch, payload) {
      const what = answerTo(event, messages, row.textsBefore(payload) === 'context');
      const words = joinedMessages(messages);
      return answerOf(row.answers?.(what, event, words) ?? ofClaudeCode(what, event, words));
    },
  });
}

function answerTo(event: FamilyEvent, [first]: readonly InboxMessage[], addsContext: boolean): FamilyAnswer {
  if (event === 'Stop') return 'continue';
  if (event !== 'PreToolUse') return 'context';
  if (first?.kind === 'stop') return 'stop';
  return first?.kind !== 'block' && addsContext ? 'context' : 'refuse';
}

/** Returns an answer in Claude Code's form. */
export function ofClaudeCode(what: FamilyAnswer, hookEventName: FamilyEvent, words: string): object {
  switch (what) {
    case 'context':
      return { hookSpecificOutput: { hookEventName, additionalContext: words } };
    case 'refuse':
      return {
        hookSpecificOutput: { hookEventName, permissionDecision: 'deny', permissionDecisionReason: words },
      };
    case 'continue':
      return { decision: 'block', reason: words };
    case 'stop':
      return { continue: false, stopReason: words };
  }
}
