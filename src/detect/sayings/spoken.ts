import type { ToolCallEvent } from '../../core/model';

/** `echo "Session concluded. Awaiting further instructions."`, with nothing that the shell would fill in, run or write to. */
const PRINTS_TEXT = /^\s*(?:echo|printf)\s+(?:-[neE]+\s+)*(?:"([^"$`\\]*)"|'([^']*)')\s*(?:;\s*)?$/;
const TWO_WORDS = /\p{L}{2}\P{L}+\p{L}{2}/u;
/** Beyond this many characters it is no sentence but a text that is made for something. */
const LONGEST = 500;

/**
 * Returns whether the call only prints a sentence of its own. It is then a message, not an action: agents that have to call a
 * tool in every turn talk that way.
 */
export function isSpoken({ kind, command }: ToolCallEvent): boolean {
  if (command === undefined || kind === 'changed' || command.length > LONGEST) return false;
  const printed = PRINTS_TEXT.exec(command);
  return printed !== null && isSentence(printed[1] ?? printed[2] ?? '');
}

/** Two words at least, ended as a sentence is: a marker such as `echo "done"` stands for something else. */
function isSentence(text: string): boolean {
  return TWO_WORDS.test(text) && /[.!?…]$/.test(text.trimEnd());
}
