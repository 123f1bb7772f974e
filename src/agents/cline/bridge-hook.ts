import type { InboxMessage } from '../../core/model';
import { fieldsOf } from '../../base/util/json';
import { hookForm } from '../shared/connect/hook-frame';
import { answerOf, atTurnEnd, filledText, joinedMessages } from '../shared/connect/hook-messages';

/**
 * The hook of Cline's command line that carries messages (measured with 3.0.65): `PostToolUse`, which also runs for a failed call. Its text comes
 * after the result; `cancel` ends the run. A `PreToolUse` cannot refuse a single call: `cancel` ends the run there, too.
 */
export const clineHookForm = hookForm<'PostToolUse'>({
  agent: 'cline',
  events: ['PostToolUse'],

  request(_event, given) {
    const session = filledText(fieldsOf(given['sessionContext'])['rootSessionId']);
    // Calls of a sub-agent come with the session of its parent.
    if (session === null || filledText(given['parent_agent_id']) !== null) return null;
    const roots: readonly unknown[] = Array.isArray(given['workspaceRoots']) ? given['workspaceRoots'] : [];
    return { sessions: [session], folders: roots.map(filledText).filter((folder) => folder !== null) };
  },

  choose: (_event, _payload, waiting) => atTurnEnd(waiting),

  answer(_event, messages: readonly InboxMessage[]) {
    const words = joinedMessages(messages);
    return messages[0]?.kind === 'stop'
      ? answerOf({ cancel: true, errorMessage: words })
      : answerOf({ contextModification: words });
  },
});
