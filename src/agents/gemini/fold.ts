import type { Conversation } from '../shared/conversation';
import {
  asArray,
  asNumber,
  asRecord,
  asText,
  type JsonRecord,
  Recent,
  requestErrorKind,
  timeOf,
  type ToolTable,
  unknownType,
} from '../shared/decode';
import { contextWindow } from './context-window';
import { workspaceIn } from './locate';
import { resultOf } from './result';

/** Roles of Gemini CLI's tools for which the common one does not fit. */
export const TOOLS: ToolTable = {
  codebaseinvestigator: 'delegate',
  clihelp: 'delegate',
  savememory: 'other',
  getinternaldocs: 'look',
  completetask: 'other',
};

const REMEMBERED = 5000;
/** Messages that the CLI shows, but that the model does not receive. */
const OTHERS = new Set<unknown>(['warning', 'about', 'help', 'stats', 'quit', 'compression', 'system', 'tool_group']);
const VENDOR_LOOP = /^System: Potential loop detected\.\s*(?:Details:\s*)?/;
const LONGEST_LOOP = 600;
const OWN_COMMAND = /^I ran the following shell command:/;
/**
 * Milliseconds within which a prompt after a cancellation is the cancelled one: if a person cancels before anything was answered, their prompt is
 * written after the cancellation, and no one types a new one that fast.
 */
const LATE_PROMPT_MS = 100;
const HOOK_PART = /^\s*<hook_context>([\s\S]*?)(?:<\/hook_context>\s*)?$/;

/**
 * A chat as a list of messages in which a later record replaces an earlier one with the same id: first the text, then again with its calls once the
 * tools have ended. Only what is new becomes an event.
 */
export interface Fold {
  message(message: JsonRecord): void;
  /** Replaces the whole list. Its messages are already known, except for a summary: a compaction starts the list again with one. */
  list(messages: readonly unknown[]): void;
}

interface Known {
  text: boolean;
  tokens: boolean;
}

export function createFold(conversation: Conversation): Fold {
  const known = new Recent<string, Known>(REMEMBERED);
  /** Time of the last cancelled request. */
  let cancelledAt = Number.NEGATIVE_INFINITY;
  const summaries = new Recent<string, true>(50);
  let withoutId = 0;

  const user = (message: JsonRecord): void => {
    const parts = partsOf(message['content']);
    let text = '';
    for (const part of parts) {
      const hook = HOOK_PART.exec(part)?.[1];
      if (hook !== undefined) conversation.marks(hook);
      else text += text === '' ? part : `\n${part}`;
    }
    if (text.trim() === '') return conversation.emit({ type: 'other', name: 'tool results' });
    if (text.startsWith('<session_context>')) {
      if (!conversation.learn({ cwd: workspaceIn(text) })) conversation.emit({ type: 'other', name: 'context' });
      return;
    }
    const loop = vendorLoop(text);
    if (loop !== undefined) return conversation.emit({ type: 'vendor_loop', message: loop });
    if (text.includes('<state_snapshot>')) return compaction(text);
    conversation.prompt(text, text.startsWith('System: '));
    // A command of the person's own: the model receives it with the next prompt.
    const afterCancelled = conversation.place.at - cancelledAt;
    if (OWN_COMMAND.test(text)) conversation.emit({ type: 'turn_end', reason: 'done' });
    else if (afterCancelled >= 0 && afterCancelled < LATE_PROMPT_MS)
      conversation.emit({ type: 'turn_end', reason: 'interrupted' });
  };

  const compaction = (summary: string): void => {
    if (summaries.has(summary)) return;
    summaries.set(summary, true);
    conversation.emit({ type: 'compaction', trigger: 'auto', summary });
  };

  const reply = (message: JsonRecord, entry: Known, id: string): void => {
    const named = asText(message['model']);
    if (named !== undefined) conversation.learn({ model: named }, { contextWindow: contextWindow(named) });
    const text = partsOf(message['content']).join('\n');
    if (!entry.text && text.trim() !== '') {
      entry.text = true;
      conversation.emit({ type: 'assistant', text, chunk: false });
    }
    usage(message, entry);
    for (const [index, value] of (asArray(message['toolCalls']) ?? []).entries()) {
      const call = asRecord(value);
      if (call) toolCall(call, id, index);
    }
  };

  const usage = (message: JsonRecord, entry: Known): void => {
    const tokens = asRecord(message['tokens']);
    if (!tokens || entry.tokens) return;
    const { model } = conversation.facts;
    entry.tokens = conversation.usage({
      input: asNumber(tokens['input']) ?? 0,
      output: asNumber(tokens['output']) ?? 0,
      reasoning: asNumber(tokens['thoughts']),
      contextWindow: model === undefined ? undefined : contextWindow(model),
    });
  };

  const toolCall = (call: JsonRecord, batch: string, index: number): void => {
    const id = asText(call['id']) ?? `${batch}/${index}`;
    const { calls } = conversation;
    const isKnown = calls.has(id, conversation.place.at);
    if (isKnown && calls.isDone(id)) return;
    if (!isKnown) conversation.call({ id, name: asText(call['name']) ?? 'unknown', args: call['args'] ?? {}, batch });
    const read = resultOf(call);
    if (!read) return;
    const place = { source: conversation.place.source, at: timeOf(call['timestamp']) ?? conversation.place.at };
    conversation.result(id, read.result, read.added, place);
  };

  const fold: Fold = {
    message(message) {
      const id = asText(message['id']) ?? `#${withoutId++}`;
      const before = known.get(id);
      const entry = before ?? { text: false, tokens: false };
      if (!before) known.set(id, entry);
      switch (message['type']) {
        case 'gemini':
        case 'model':
          return reply(message, entry, id);
        case 'user':
          return before ? undefined : user(message);
        case 'error': {
          if (before) return;
          const text = partsOf(message['content']).join('\n');
          conversation.emit({ type: 'error', kind: requestErrorKind(text), message: text || 'error' });
          // The CLI retries on its own before it writes this: the turn is over.
          return conversation.emit({ type: 'turn_end', reason: 'error' });
        }
        case 'info': {
          if (before) return;
          const cancelled = /^Request cancelled/i.test(partsOf(message['content'])[0] ?? '');
          if (cancelled) cancelledAt = conversation.place.at;
          return conversation.emit(
            cancelled ? { type: 'turn_end', reason: 'interrupted' } : { type: 'other', name: 'info' },
          );
        }
        default:
          if (before) return;
          if (OTHERS.has(message['type']))
            conversation.emit({ type: 'other', name: asText(message['type']) ?? 'message' });
          else conversation.unread(unknownType('type', message['type'], message));
      }
    },
    list(messages) {
      for (const value of messages) {
        const message = asRecord(value);
        const id = asText(message?.['id']);
        if (!message || id === undefined || known.has(id)) continue;
        const text = partsOf(message['content']).join('\n');
        if (text.includes('<state_snapshot>')) compaction(text);
        else if (text.startsWith('<session_context>')) user(message);
        else continue;
        known.set(id, { text: true, tokens: true });
      }
      conversation.emit({ type: 'other', name: 'list' });
    },
  };
  return fold;
}

/** Returns the texts of a content: a string, or parts, without the calls, results and thoughts. */
export function partsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  const texts: string[] = [];
  for (const value of asArray(content) ?? [content]) {
    const part = asRecord(value);
    const text = typeof value === 'string' ? value : asText(part?.['text']);
    if (text !== undefined && part?.['thought'] !== true) texts.push(text);
  }
  return texts;
}

/** Returns the report of the CLI's own loop check. */
function vendorLoop(text: string): string | undefined {
  const opening = VENDOR_LOOP.exec(text)?.[0];
  if (opening === undefined) return undefined;
  const rest = text.slice(opening.length);
  const advice = rest.indexOf(' Please take a step back');
  const length = advice < 0 ? rest.length : advice;
  return length > LONGEST_LOOP ? undefined : rest.slice(0, length);
}
