import { Recent } from './recent';

/** The mark at the end of every message from Unstuck. Its presence in a transcript is the receipt (docs/inbox.md). */
const MARK = /\[unstuck ([0-9A-HJKMNP-TV-Z]{26})\]/g;
const OPENING = '[unstuck ';
/** Text that agents add after a text that they wrap: closing tags, quotes, brackets. */
const WRAPPING_END = /^(?:\s|<\/[a-z_-]{1,40}>|["'`)\]}])*$/i;
const REMEMBERED = 1000;

/** Returns the ids of all of Unstuck's messages in a text, in order. */
export function messagesIn(text: string): readonly string[] {
  if (!text.includes(OPENING)) return [];
  const ids: string[] = [];
  for (const match of text.matchAll(MARK)) {
    const id = match[1];
    if (id !== undefined && !ids.includes(id)) ids.push(id);
  }
  return ids;
}

/**
 * Returns whether the text ends with Unstuck's mark, so that nothing from a person follows. Unstuck wrote such a text (or a person pasted it on
 * Unstuck's behalf): its `user` event is `automated`.
 */
export function isOwnMessage(text: string): boolean {
  const at = text.lastIndexOf(OPENING);
  if (at < 0) return false;
  const tail = text.slice(at, at + 400);
  const match = /^\[unstuck [0-9A-HJKMNP-TV-Z]{26}\]/.exec(tail);
  if (!match || text.length > at + 400) return false;
  const rest = tail.slice(match[0].length);
  return WRAPPING_END.test(rest);
}

/** Reports each message of a transcript once, although agents write it several times (queued, absorbed, answered). */
export interface MarkFinder {
  /** Returns the ids that are in this text and in no earlier one. */
  find(text: string): readonly string[];
  /** Returns true the first time that this id is passed in or found. */
  once(id: string): boolean;
}

export function createMarkFinder(): MarkFinder {
  const known = new Recent<string, true>(REMEMBERED);
  const once = (id: string): boolean => {
    if (known.has(id)) return false;
    known.set(id, true);
    return true;
  };
  return { once, find: (text) => messagesIn(text).filter(once) };
}
