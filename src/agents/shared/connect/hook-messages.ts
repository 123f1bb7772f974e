import type { HookAnswer } from '../../inbox/hook/hook-form';
import { markOf } from '../../inbox/messages/mark';
import { type InboxMessage, isTextKind } from '../../../core/model';
import { fieldsOf } from '../../../base/util/json';

/**
 * Characters of one answer. Longer ones Claude Code saves to a file and shows only their beginning (10,000 according to its documentation),
 * and the mark stands at the end. Codex does so above 2,500 tokens. 9,000 arrived whole in all agents that were tried.
 */
const LONGEST_ANSWER = 9_000;
const BETWEEN = '\n\n';

/** A text that is not empty. */
export function filledText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The messages that are handed over as words. */
function textsIn(waiting: readonly InboxMessage[]): readonly InboxMessage[] {
  return waiting.filter(({ kind }) => isTextKind(kind));
}

export function stopsIn(waiting: readonly InboxMessage[]): readonly InboxMessage[] {
  return waiting.filter(({ kind }) => kind === 'stop');
}

/** As many of the oldest texts as fit one answer; the first always does, cut if need be. */
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
 * Selects the messages to deliver when the turn ends. A stop is taken too, so that it does not end the next turn: this one ends
 * by itself. Texts are delivered even where a hook has already held this turn, Unstuck's or the user's own: each message is
 * delivered once, so they come to an end.
 */
export function atTurnEnd(waiting: readonly InboxMessage[]): readonly InboxMessage[] {
  const stops = stopsIn(waiting);
  return stops.length > 0 ? stops : fittingTexts(waiting);
}

/**
 * Returns the message that refuses this call, in a list of one; empty where no message does. `canonical` returns equal texts
 * for equal calls.
 */
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
 * A value as one text, keys in order, so that equal values are equal texts. Stricter than util/canonical, for which `./a.py` is `a.py`:
 * a message refuses exactly the call that a person chose.
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

/** A call as one text, equal for equal calls: keys in order; of a command without the free description that differs from call to call. */
export function describedCall(name: string, args: unknown, isCommand: boolean): string {
  const { description, ...rest } = fieldsOf(args);
  return `${name} ${canonicalJson(isCommand ? rest : { ...rest, description })}`;
}

/** All texts in one, each with its mark at its end, also where it had to be cut. */
export function joinedMessages(messages: readonly InboxMessage[]): string {
  return messages
    .map(({ text: whole, id }) => {
      if (whole.length <= LONGEST_ANSWER) return whole;
      const mark = markOf(id);
      return `${whole.slice(0, LONGEST_ANSWER - mark.length - 4)} … ${mark}`;
    })
    .join(BETWEEN);
}

/** An answer in Claude Code's form that gives the model a text. */
export function contextAnswer(hookEventName: string, additionalContext: string): HookAnswer {
  return answerOf({ hookSpecificOutput: { hookEventName, additionalContext } });
}

/** An answer of JSON on standard output. */
export function answerOf(value: unknown): HookAnswer {
  return { stdout: JSON.stringify(value), stderr: '', exitCode: 0 };
}
