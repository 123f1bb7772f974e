import type { ToolCallEvent } from '../../core/model';
import { hashOf } from '../../base/util/hash';
import { withoutEscapes } from '../../base/util/showable';
import { ignoredRanges, maskedFingerprint } from '../sayings/mask';
import type { ClassifiedCall } from './weight';

/** Shorter results may be equal by chance: `ok`, `saved`. */
const TELLING = 24;
/** Number of characters in which a look reports that it found nothing. */
const SHORT_LOOK = 400;
/** Shortest answer of an editing tool that counts as an explanation; confirmations are brief. */
const LONG_REFUSAL = 200;
/** Shortest output of a program in a shell that shows something about the shell. */
const ONE_LINE = 80;
/** Number of characters of head and tail that are compared. */
const HEAD = 256;
const TAIL = 768;
/** Arguments that are removed from a text: their number, and the shortest and longest ones. */
const ARGUMENTS = 8;
const SHORTEST = 3;
const LONGEST = 1000;
const NOTHING_FOUND =
  /\b(?:no|0|zero|without any) (?:[a-z]{1,12} )?(?:results?|match(?:es)?|files?|items?|entries|hits|pages|documents|information|data)\b|\b(?:not found|nothing|(?:could |can)not be (?:found|extracted)|cannot extract|do(?:es)? not contain any)\b|^\s{0,8}empty\b|^[\s[\](){}.\-<>]{0,40}$/i;
const QUERIES = ['pattern', 'query', 'regex', 'search', 'search_term', 'searchTerm', 'glob', 'text'];
const KEYS = ['keys', 'keystrokes', 'chars'];
/** Words for an edit that was made, which is not a refusal, however long the answer is. */
const UPDATED =
  /\b(?:has been|was|were|been|successfully) (?:updated|created|edited|written|applied|saved|replaced)\b|\bsuccess(?:fully)?\b/i;
/** Number for the text of every sweep that finds nothing. */
const NOTHING = 1;

/**
 * Returns, as a number, the output of a tool that does not depend on its input: its text without its arguments. This reveals a terminal that swallows
 * every keystroke, or a search with different words each time. 0 where there is nothing to compare: empty results of commands, confirmations of
 * edits, contents of files.
 */
export function effectOf(call: ToolCallEvent, { kind }: ClassifiedCall, output: string): number {
  if (kind === 'look') {
    if (call.command !== undefined || (call.target !== undefined && !searches(call))) return 0;
    return output.trim() === '' ||
      NOTHING_FOUND.test(withoutArguments(withoutEscapes(output.slice(0, SHORT_LOOK)), call))
      ? combined(call.name, NOTHING)
      : 0;
  }
  // An editing tool gives a brief confirmation, and so do most programs in a shell.
  const least = sendsKeys(call)
    ? 1
    : kind === 'change'
      ? LONG_REFUSAL
      : call.command !== undefined
        ? ONE_LINE
        : TELLING;
  if (output.length < least) return 0;
  const text = output.length > HEAD + TAIL ? `${output.slice(0, HEAD)}${output.slice(-TAIL)}` : output;
  const said = withoutArguments(text, call);
  if (least === TELLING && confirmsInBrief(said)) return 0;
  if (visible(said) < least || (kind === 'change' && UPDATED.test(said.slice(0, HEAD)))) return 0;
  return combined(call.name, maskedFingerprint(said, false));
}

/** Returns whether a look found nothing. Its limits are those of a sweep. */
export function foundNothing(tool: string, effect: number): boolean {
  return effect === combined(tool, NOTHING);
}

/** Returns whether the call searches: a searched folder is not a file that is read. */
function searches({ args }: ToolCallEvent): boolean {
  return typeof args === 'object' && args !== null && QUERIES.some((name) => name in args);
}

/** Returns whether the call sends keys. Whatever a terminal shows, even a `$`: the same output for different keys shows that they had no effect. */
function sendsKeys({ args }: ToolCallEvent): boolean {
  return typeof args === 'object' && args !== null && KEYS.some((name) => name in args);
}

/** True for `Clicked` with lines below it that each name their own request, port or seed, which identify the call. */
function confirmsInBrief(text: string): boolean {
  const [first = '', ...others] = text.trim().split('\n');
  return (
    visible(first) < TELLING && others.every((line) => line.trim() === '' || ignoredRanges(line, false).length > 0)
  );
}

/** Counts the characters of a text without times, ids and addresses: `Clicked at 12:03:44` is a short confirmation. */
function visible(text: string): number {
  const length = text.trim().length;
  if (length > LONG_REFUSAL) return length;
  return ignoredRanges(text, false).reduce((left, [from, to]) => left - (to - from), length);
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
