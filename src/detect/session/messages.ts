import type { AgentEvent, Source } from '../../core/model';
import { copied } from '../../base/util/text';

/** One complete message of the agent. */
export interface Message {
  /** At most 16,384 characters: the first ones of a longer message, copied. Empty where the agent's answer was empty. */
  readonly text: string;
  /** Time and place of its first piece. */
  readonly at: number;
  readonly source: Source;
}

/** Number of characters of a message that are kept. */
const LONGEST = 16_384;

/**
 * Joins the pieces of streamed messages. Returns the message that an event completes: itself, or the streamed one that it ends.
 *
 * An event that completes a streamed message may also be something else: the message comes before it.
 */
export function createMessageAssembler(): (event: AgentEvent) => Message | null {
  let pieces: string[] = [];
  let length = 0;
  let at = 0;
  let source: Source | null = null;

  const whole = (): Message | null => {
    if (source === null) return null;
    const message = { text: pieces.join(''), at, source };
    pieces = [];
    length = 0;
    source = null;
    return message.text.trim() === '' ? null : message;
  };

  return (event) => {
    if (event.type !== 'assistant') {
      // bookkeeping between two pieces does not end a message
      return source === null || event.type === 'clock' || event.type === 'other' || event.type === 'session_info'
        ? null
        : whole();
    }
    if (source === null) {
      if (!event.chunk) {
        const { text, at: time, source: place } = event;
        return { text: text.length <= LONGEST ? text : copied(text.slice(0, LONGEST)), at: time, source: place };
      }
      at = event.at;
      source = event.source;
    }
    if (length < LONGEST) {
      const piece = event.text.slice(0, LONGEST - length);
      pieces.push(piece);
      length += piece.length;
    }
    return event.chunk ? null : whole();
  };
}
