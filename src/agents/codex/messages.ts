import { asArray, asRecord, asText, at, isOwnMessage, type JsonRecord, textOf } from '../shared/decode';
import type { Conversation } from '../shared/conversation';
import { noticeOf } from './sub-agents';

/** Texts that Codex itself writes in the user's name or before the first prompt. */
const HARNESS =
  /^\s*(?:<(?:environment_context|user_instructions|turn_aborted|permissions instructions|skills_instructions|collaboration_mode|user_shell_command|subagent_notification|multi_agent\w*|apps_instructions|plugins_instructions|INSTRUCTIONS|skill|model_switch|goal_context|personality_spec|token_budget)[\s>]|# AGENTS\.md instructions )/;
const PLAN = /<proposed_plan>([\s\S]{0,4000})/;
/** `hook_run_id="stop:0:/home/me/.codex/hooks.json"` names the file of the hook. */
const HOOK =
  /^\s*<hook_prompt(?: hook_run_id="[a-z_-]{1,40}:\d{1,6}:([^"\n]{1,1000})")?[^>]*>([\s\S]*?)(?:<\/hook_prompt>|$)/;

export interface Messages {
  /** Reads a `response_item/message` of any role. */
  message(payload: JsonRecord, metadata: JsonRecord | undefined): void;
  /** Reads the copy of a prompt that is an event: `user_message`, or an item `UserMessage`. */
  prompted(text: string): void;
  /** Notes that something else happened: an equal prompt that follows is a new one. */
  moved(): void;
  /** Returns the plan that the newest answer proposed, once; undefined if it proposed none. */
  planned(): string | undefined;
}

/**
 * @param onSummary called once the model has summarised its context
 * @param judges returns true if Codex itself asks, and takes each answer for a value
 * @param onChildEnd called once a sub-agent has ended
 */
export function createMessages(
  conversation: Conversation,
  onSummary: () => void,
  judges: () => boolean,
  onChildEnd: (thread: string, said: string | undefined) => void,
): Messages {
  let plan: string | undefined;
  /** The newest prompt, and which of its two records it was read from. */
  let last: { readonly text: string; readonly from: 'message' | 'event' } | null = null;

  const user = (text: string, from: 'message' | 'event'): void => {
    if (last && last.from !== from && sameText(last.text, text)) {
      last = null;
      return conversation.emit({ type: 'other', name: 'repeated prompt' });
    }
    last = { text, from };
    conversation.emit({ type: 'user', text, automated: isOwnMessage(text) });
    conversation.marks(text);
  };

  return {
    moved() {
      last = null;
    },
    planned() {
      const proposed = plan;
      plan = undefined;
      return proposed;
    },
    prompted: (text) => user(text, 'event'),
    message(payload, metadata) {
      const text = textOf(payload['content']);
      switch (payload['role']) {
        case 'assistant':
          last = null;
          // The summary of a compaction is in the record `compacted` too.
          if (metadata?.['compaction_output'] === true) {
            onSummary();
            return conversation.emit({ type: 'other', name: 'summary' });
          }
          if (text.trim() === '') return conversation.emit({ type: 'other', name: 'empty message' });
          if (judges() && text.trimStart().startsWith('{'))
            return conversation.emit({ type: 'other', name: 'verdict' });
          plan = PLAN.exec(text)?.[1]?.trim();
          return conversation.emit({
            type: 'assistant',
            text,
            chunk: false,
            ...(payload['phase'] === 'commentary' && { isLast: false }),
          });
        case 'user': {
          const hook = HOOK.exec(text);
          if (hook) {
            const [, name, said = ''] = hook;
            conversation.emit({ type: 'user', text: said, automated: true, ...(name && { hook: { name } }) });
            return conversation.marks(said);
          }
          const ended = noticeOf(text);
          if (ended) return onChildEnd(ended.thread, ended.said);
          if (text.trim() === '' || HARNESS.test(text) || !fromUser(payload)) {
            conversation.emit({ type: 'other', name: 'context' });
            return conversation.marks(text);
          }
          return user(text, 'message');
        }
        default:
          // Text that a hook adds after a tool comes as a developer message.
          conversation.emit({ type: 'other', name: 'context' });
          return conversation.marks(text);
      }
    },
  };
}

/** True for content that came from the user: newer versions note the origin of each piece of content. */
function fromUser(payload: JsonRecord): boolean {
  const kinds = asArray(at(payload, 'internal_chat_message_metadata_passthrough', 'content_item_kinds'));
  if (!kinds || kinds.length === 0) return true;
  return kinds.some((kind) => typeof kind !== 'string' || kind.startsWith('user.') || kind === 'unknown');
}

/** Compares the texts: the event holds only the text, the message also what was attached. */
function sameText(one: string, other: string): boolean {
  return one === other || (one.length > 0 && other.startsWith(one)) || (other.length > 0 && one.startsWith(other));
}

/** Returns the text of an item `UserMessage`. */
export function promptOf(item: JsonRecord): string {
  const parts = (asArray(item['content']) ?? []).map((part) => asText(asRecord(part)?.['text']) ?? '');
  return parts.filter((part) => part !== '').join('\n');
}
