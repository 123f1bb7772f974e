import { HINDRANCE_TEXTS, type MessageHindrance } from './reach';

/** Reason why the chat of this window is not steered for an agent. */
export type ChatHindrance =
  | MessageHindrance
  | 'sub_agent'
  | 'other_window'
  | 'older_editor'
  | 'may_wait_for_permission';

/** The reasons in one or two sentences for a person. */
export const CHAT_HINDRANCE_TEXTS: Readonly<Record<ChatHindrance, string>> = {
  ...HINDRANCE_TEXTS,
  sub_agent: 'A sub-agent has no chat of its own. Send it to the agent that started it.',
  other_window: 'This chat belongs to another window. Send it from there.',
  older_editor:
    'VS Code before 1.139 may overwrite what you have typed in the chat. Copy the text and send it yourself.',
  may_wait_for_permission:
    'Its last call may be waiting for your permission, and a message would end it. Look at the chat, or try again when the call has ended.',
};

/** Text for when the chat refused a command after a message was written. */
export function chatFailed(): string {
  return 'The chat did not accept it. Copy the text and send it yourself.';
}

/** Question shown before the chat is brought to the front. */
export interface ChatQuestion {
  readonly message: string;
  readonly detail: string;
  readonly button: string;
}

/** @param runs true if its turn is running */
export function steerQuestion(runs: boolean): ChatQuestion {
  return {
    message: 'Send this to the chat?',
    detail: runs
      ? 'The chat comes to the front. What you have typed there stays. Its running turn is stopped first.'
      : 'The chat comes to the front. What you have typed there stays. A new turn begins.',
    button: 'Send to Chat',
  };
}
