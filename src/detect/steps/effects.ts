import type { ToolCallEvent } from '../../core/model';
import { hashOf } from '../../base/util/hash';
import { maskedFingerprint } from '../sayings/mask';
import type { ClassifiedCall } from './weight';

/** Shorter results say too little to be the same by more than chance: `ok`, `saved`. */
const TELLING = 24;
/** Number of characters within which a look that finds nothing says so. */
const SHORT_LOOK = 400;
/** An editing tool confirms briefly; a longer answer is an explanation. */
const LONG_REFUSAL = 200;
/** A program of a shell that prints less than this says nothing of the shell. */
const ONE_LINE = 80;
/** Characters of head and tail that are compared. */
const HEAD = 256;
const TAIL = 768;
/** Arguments that are removed from a text: their number, and their least and greatest length. */
const ARGUMENTS = 8;
const SHORTEST = 3;
const LONGEST = 1000;
const NOTHING_FOUND =
  /\b(?:no|0|zero|without any) (?:[a-z]{1,12} )?(?:results?|match(?:es)?|files?|items?|entries|hits|pages|documents|information|data)\b|\b(?:not found|nothing|(?:could |can)not be (?:found|extracted)|cannot extract|do(?:es)? not contain any)\b|^\s{0,8}(?:empty|\[\])/i;
/** Text of every sweep that finds nothing. */
const NOTHING = 1;

/**
 * Returns the output of a tool that does not depend on its input, as a number: its text without its arguments, so that a
 * terminal that swallows every keystroke or a search with other words each time is seen. 0 where there is nothing to compare:
 * empty results of commands, confirmations of edits, contents of files.
 */
export function effectOf(call: ToolCallEvent, { kind }: ClassifiedCall, output: string): number {
  if (kind === 'look') {
    if (call.command !== undefined || call.target !== undefined) return 0;
    return output.trim() === '' || NOTHING_FOUND.test(withoutArguments(output.slice(0, SHORT_LOOK), call))
      ? combined(call.name, NOTHING)
      : 0;
  }
  // An editing tool confirms briefly, and so do most programs of a shell.
  const least = kind === 'change' ? LONG_REFUSAL : call.command !== undefined ? ONE_LINE : TELLING;
  if (output.length < least) return 0;
  const text = output.length > HEAD + TAIL ? `${output.slice(0, HEAD)}${output.slice(-TAIL)}` : output;
  const said = withoutArguments(text, call);
  if (said.trim().length < least) return 0;
  return combined(call.name, maskedFingerprint(said, false));
}

/** Did a look find nothing? Its limits are those of a sweep. */
export function foundNothing(tool: string, effect: number): boolean {
  return effect === combined(tool, NOTHING);
}

function withoutArguments(text: string, { args }: ToolCallEvent): string {
  if (typeof args !== 'object' || args === null) return text;
  let left = text;
  let looked = 0;
  for (const value of Object.values(args as Record<string, unknown>)) {
    if (typeof value !== 'string') continue;
    if (++looked > ARGUMENTS) break;
    const argument = value.trim();
    if (argument.length >= SHORTEST && argument.length <= LONGEST && left.includes(argument))
      left = left.replaceAll(argument, ' ');
  }
  return left;
}

function combined(tool: string, value: number): number {
  return Math.imul(hashOf(tool) ^ value, 0x9e37_79b1) | 0 || 1;
}
