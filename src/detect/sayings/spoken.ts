import type { ToolCallEvent } from '../../core/model';

/** `echo "Session concluded. Awaiting further instructions."`, without anything that the shell would expand, run or write to. */
const PRINTS_TEXT = /^\s*(?:echo|printf)\s+(?:-[neE]+\s+)*(?:"([^"$`\\]*)"|'([^']*)')\s*(?:;\s*)?$/;
const TWO_WORDS = /\p{L}{2}\P{L}+\p{L}{2}/u;
/** Longest sentence, in characters; a longer text was made for another purpose. */
const LONGEST = 500;

/**
 * Returns whether the call only prints a sentence. It is then a message, not an action: agents that have to call a tool in every turn talk that way.
 */
export function isSpoken({ kind, command }: ToolCallEvent): boolean {
  if (command === undefined || kind === 'changed' || command.length > LONGEST) return false;
  const printed = PRINTS_TEXT.exec(command);
  return printed !== null && isSentence(printed[1] ?? printed[2] ?? '');
}

/** True for at least two words with the end of a sentence: a marker such as `echo "done"` has another purpose. */
function isSentence(text: string): boolean {
  return TWO_WORDS.test(text) && /[.!?…]$/.test(text.trimEnd());
}
