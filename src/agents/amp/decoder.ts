import type { DecoderContext, DocumentDecoder } from '../decoder';
import {
  asArray,
  asNumber,
  asRecord,
  asText,
  at,
  headOf,
  type JsonRecord,
  parseRecord,
  printed,
  sessionOfFile,
  textOf,
  timeOf,
  type ToolTable,
} from '../shared/decode';
import { planItems } from '../shared/decode/plan-items';
import { Conversation, createDocument, type ToolResult } from '../shared/conversation';
import { pathOf } from './address';

const TOOLS: ToolTable = { oracle: 'delegate', librarian: 'delegate', finder: 'search', mermaid: 'other' };
/** States of a run in which its result is whole. That of success was seen, the others are known from other readers. */
const ENDED = new Set(['done', 'error', 'cancelled', 'canceled', 'rejected-by-user', 'rejected']);

/**
 * Decodes a thread of Amp. A message grows while it is the last: its calls are reported when it is whole, their results when
 * they have ended.
 */
export function createThreadDecoder({ file }: DecoderContext): DocumentDecoder {
  const session = sessionOfFile(file);
  const conversation = new Conversation({
    agent: 'amp',
    file,
    session,
    tools: TOOLS,
    callOpensTurn: true,
    answered(call, result) {
      const items = call.name === 'todo_write' && !result.isError ? planItems(at(call.args, 'todos')) : null;
      if (items) conversation.emit({ type: 'plan', items });
    },
  });

  const user = (message: JsonRecord, once: (part: string) => boolean): void => {
    const texts: string[] = [];
    for (const value of asArray(message['content']) ?? []) {
      const block = asRecord(value) ?? {};
      const id = asText(block['toolUseID']);
      const run = asRecord(block['run']);
      if (block['type'] === 'tool_result' && id !== undefined) {
        if (run && ENDED.has(asText(run['status']) ?? '') && once(`result ${id}`))
          conversation.result(id, resultOf(run));
      } else if (block['type'] === 'text') texts.push(asText(block['text']) ?? '');
    }
    if (texts.length > 0 && once('text')) conversation.prompt(texts.join('\n'));
  };

  const assistant = (message: JsonRecord, once: (part: string) => boolean): void => {
    const whole = at(message, 'state', 'type') !== 'streaming';
    if (once('begun')) {
      conversation.startTurn();
      conversation.emit({ type: 'request' });
    }
    if (!whole || !once('whole')) return;
    conversation.learn({ model: asText(at(message, 'usage', 'model')) });
    const batch = `message ${asNumber(message['messageId']) ?? conversation.place.source.line}`;
    for (const value of asArray(message['content']) ?? []) {
      const block = asRecord(value) ?? {};
      const text = asText(block['text']) ?? '';
      if (block['type'] === 'tool_use') {
        const id = asText(block['id']);
        if (id === undefined) conversation.unread({ why: 'a call without an id', call: true });
        else conversation.call({ id, name: asText(block['name']) ?? 'unknown', args: block['input'] ?? {}, batch });
      } else if (block['type'] === 'text' && text.trim() !== '')
        conversation.emit({ type: 'assistant', text, chunk: false });
    }
    const usage = asRecord(message['usage']);
    conversation.usage({
      input: asNumber(usage?.['totalInputTokens']) ?? asNumber(usage?.['inputTokens']),
      output: asNumber(usage?.['outputTokens']),
      contextWindow: asNumber(usage?.['maxInputTokens']),
    });
    ended(asRecord(message['state']) ?? {});
  };

  const ended = (state: JsonRecord): void => {
    if (state['type'] === 'cancelled') return void conversation.endTurn('interrupted');
    if (state['type'] === 'error') {
      const message = asText(at(state, 'error', 'message')) ?? 'error';
      conversation.emit({ type: 'error', kind: 'api', message });
      return void conversation.endTurn('error');
    }
    if (state['stopReason'] === 'end_turn') conversation.endTurn('done');
  };

  return createDocument<JsonRecord>(
    {
      agent: 'amp',
      file,
      session,
      read(text) {
        const thread = parseRecord(text);
        const messages = asArray(thread?.['messages']);
        if (!thread || !messages) return thread ? 'a document without messages' : 'not a JSON document';
        return {
          records: messages.map((message) => asRecord(message) ?? {}),
          begin(emitter) {
            const tree = asArray(at(thread, 'env', 'initial', 'trees'))?.[0];
            const cwd = pathOf(asText(at(tree, 'uri')));
            const title = asText(thread['title']);
            conversation.facts.update({ cwd });
            emitter.timed(timeOf(thread['created']));
            emitter.emit({
              type: 'session_info',
              mode: 'interactive',
              ...(cwd !== undefined && { cwd }),
              ...(title !== undefined && { title }),
            });
          },
        };
      },
      record(_, message, __, once) {
        conversation.timed(timeOf(at(message, 'meta', 'sentAt')));
        if (message['role'] === 'assistant') assistant(message, once);
        else if (message['role'] === 'user') user(message, once);
        else if (once('other'))
          conversation.emit({ type: 'other', name: headOf(asText(message['role']) ?? 'message', 60) });
      },
    },
    conversation,
  );
}

function resultOf(run: JsonRecord): ToolResult {
  const { status, result } = run;
  const exitCode = asNumber(at(result, 'exitCode'));
  const written = asText(at(result, 'output')) ?? asText(at(run, 'error', 'message'));
  const lines = asArray(result)?.every((line) => typeof line === 'string') ? asArray(result)?.join('\n') : undefined;
  const rejected = (asText(status) ?? '').startsWith('rejected');
  return {
    output: written ?? lines ?? (typeof result === 'object' && result !== null ? printed(result) : textOf(result)),
    isError: status !== 'done' || (exitCode !== undefined && exitCode !== 0),
    ...(exitCode !== undefined && { exitCode }),
    ...(rejected && { denied: 'user' as const }),
    ...((status === 'cancelled' || status === 'canceled') && { interrupted: true }),
  };
}
