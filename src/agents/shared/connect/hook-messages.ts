import type { HookAnswer } from '../../inbox/hook/hook-form';
import { markOf } from '../../inbox/messages/mark';
import { type InboxMessage, isTextKind } from '../../../core/model';
import { fieldsOf } from '../../../base/util/json';

/**
 * Longest answer in characters. Claude Code saves longer ones to a file and shows only their beginning (10,000 according to its documentation), but
 * the mark is at the end. Codex does the same above 2,500 tokens. 9,000 arrived whole in all agents that were tried.
 */
const LONGEST_ANSWER = 9_000;
const BETWEEN = '\n\n';

/** Returns a text that is not empty; else null. */
export function filledText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Returns the messages that are delivered as text. */
function textsIn(waiting: readonly InboxMessage[]): readonly InboxMessage[] {
  return waiting.filter(({ kind }) => isTextKind(kind));
}

export function stopsIn(waiting: readonly InboxMessage[]): readonly InboxMessage[] {
  return waiting.filter(({ kind }) => kind === 'stop');
}

/** Returns as many of the oldest texts as fit one answer; the first always does, cut if necessary. */
export function fittingTexts(waiting: readonly InboxMessage[]): readonly InboxMessage[] {
  const texts = textsIn(waiting);
  let length = 0;
  let count = 0;
  for (const message of texts) {
    length += message.text.length + markOf(message.id).length + 1 + BETWEEN.length;
    if (count > 0 && length > LONGEST_ANSWER) break;
    count++;
  }
  return texts.slice(0, count);
}

/**
 * Selects the messages to deliver when the turn ends. A stop is taken too, so that it does not end the next turn: this one ends on its own. Texts are
 * delivered even if a hook, Unstuck's or the user's own, has already held this turn: each message is delivered once, so they come to an end.
 */
export function atTurnEnd(waiting: readonly InboxMessage[]): readonly InboxMessage[] {
  const stops = stopsIn(waiting);
  return stops.length > 0 ? stops : fittingTexts(waiting);
}

/** Returns the message that refuses this call, in a list of one; empty if no message does. `canonical` returns equal texts for equal calls. */
export function refusing(
  waiting: readonly InboxMessage[],
  name: string,
  args: unknown,
  canonical: (name: string, args: unknown) => string,
): readonly InboxMessage[] {
  const call = canonical(name, args);
  const match = waiting.find(
    (message) => message.kind === 'block' && message.call && canonical(message.call.name, message.call.args) === call,
  );
  return match ? [match] : [];
}

/**
 * Returns a value as one text with its keys in order, so that equal values have equal texts. Stricter than util/canonical, which treats `./a.py` as
 * `a.py`: a message refuses exactly the call that a person chose.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`);
  return `{${entries.join(',')}}`;
}

/**
 * Returns a call as one text that is equal for equal calls: keys in order, and for a command without the free-text description, which varies between
 * calls.
 */
export function describedCall(name: string, args: unknown, isCommand: boolean): string {
  const { description, ...rest } = fieldsOf(args);
  return `${name} ${canonicalJson(isCommand ? rest : { ...rest, description })}`;
}

/** Joins all texts, each with its mark at its end, even if it had to be cut. */
export function joinedMessages(messages: readonly InboxMessage[]): string {
  return messages
    .map(({ text: whole, id }) => {
      if (whole.length <= LONGEST_ANSWER) return whole;
      const mark = markOf(id);
      return `${whole.slice(0, LONGEST_ANSWER - mark.length - 4)} … ${mark}`;
    })
    .join(BETWEEN);
}

/** Returns an answer in Claude Code's form that passes a text to the model. */
export function contextAnswer(hookEventName: string, additionalContext: string): HookAnswer {
  return answerOf({ hookSpecificOutput: { hookEventName, additionalContext } });
}

/** Returns an answer of JSON on standard output. */
export function answerOf(value: unknown): HookAnswer {
  return { stdout: JSON.stringify(value), stderr: '', exitCode: 0 };
}
