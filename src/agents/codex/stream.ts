import type { DecoderContext, LineDecoder } from '../decoder';
import { Conversation } from '../shared/conversation';
import {
  asArray,
  asNumber,
  asRecord,
  asText,
  at,
  eachRecord,
  isBlank,
  type JsonRecord,
  sessionOfFile,
} from '../shared/decode';
import { planItems } from '../shared/decode/plan-items';
import { errorKind, retryIn } from './errors';
import { shellLineOf, ranItem } from './items';

/**
 * Decodes the output of `codex exec --json`: `thread.started`, `turn.*`, and `item.started`, `item.updated` and `item.completed` around items. It has
 * neither times nor the prompt.
 */
export function createStreamDecoder({ file }: DecoderContext): LineDecoder {
  const conversation = new Conversation({
    agent: 'codex',
    file,
    session: sessionOfFile(file),
    shown,
    callOpensTurn: true,
  });
  /** Each run of a thread numbers its items from zero. */
  let run = 0;

  const started = (record: JsonRecord): void => {
    run++;
    conversation.session = asText(record['thread_id']) ?? asText(record['session_id']) ?? conversation.session;
    conversation.turnOpen = false;
    conversation.emit({ type: 'session_info', mode: 'print' });
  };

  const usage = (counts: JsonRecord | undefined): void => {
    const input = asNumber(counts?.['input_tokens']);
    const output = asNumber(counts?.['output_tokens']);
    if (input === undefined && output === undefined) return;
    // Counts for the whole turn: the fill of the context is not among them.
    conversation.emit({
      type: 'usage',
      ...(input !== undefined && { inputTokens: input }),
      ...(output !== undefined && { outputTokens: output }),
    });
  };

  const failed = (message: string): void => {
    const retryInMs = retryIn(message);
    conversation.emit({
      type: 'error',
      kind: errorKind(undefined, message),
      message,
      ...(retryInMs !== undefined && { retryInMs }),
    });
  };

  const item = (event: 'item.started' | 'item.updated' | 'item.completed', value: JsonRecord): void => {
    const type = asText(value['type']) ?? asText(value['item_type']) ?? '';
    switch (type) {
      case 'agent_message':
      case 'assistant_message': {
        const text = asText(value['text']) ?? '';
        if (event !== 'item.completed' || isBlank(text)) return conversation.emit({ type: 'other', name: type });
        conversation.startTurn();
        return conversation.emit({ type: 'assistant', text, chunk: false });
      }
      case 'todo_list': {
        const items = planItems(asArray(value['items'])?.map(planItem));
        return conversation.emit(items ? { type: 'plan', items } : { type: 'other', name: type });
      }
      case 'error':
        return failed(asText(value['message']) ?? 'error');
      case 'reasoning':
        return conversation.emit({ type: 'other', name: type });
      default:
        return work(event, type, value);
    }
  };

  const work = (event: string, type: string, value: JsonRecord): void => {
    const id = `${run > 1 ? `${run}/` : ''}${asText(value['id']) ?? conversation.place.source.offset}`;
    const ran = workOf(type, { ...value, id });
    if (!ran) return conversation.problem(`unknown item "${type.slice(0, 60)}"`);
    if (!conversation.calls.has(id, conversation.place.at)) conversation.call({ id, name: ran.name, args: ran.args });
    if (event !== 'item.completed') return;
    if (!conversation.result(id, ran.result)) conversation.emit({ type: 'other', name: 'repeated result' });
  };

  return eachRecord({
    unit: 'line',
    decode(line, sink) {
      const record = conversation.record(file, line, sink);
      if (!record) return;
      const type = asText(record['type']);
      switch (type) {
        case 'thread.started':
        case 'thread.resumed':
        case 'session.created':
          return started(record);
        case 'turn.started':
          return conversation.startTurn();
        case 'turn.completed':
          usage(asRecord(record['usage']));
          return void conversation.endTurn('done');
        case 'turn.failed':
          failed(asText(at(record, 'error', 'message')) ?? 'The turn failed.');
          return void conversation.endTurn('error');
        case 'item.started':
        case 'item.updated':
        case 'item.completed': {
          const value = asRecord(record['item']);
          return value ? item(type, value) : conversation.problem(`${type} without an item`);
        }
        case 'error':
          return failed(asText(record['message']) ?? 'error');
        case undefined:
          return conversation.problem('a record without a type');
        default:
          return conversation.problem(`unknown type "${type.slice(0, 60)}"`);
      }
    },
  });
}

/** Reads an item that is work, in the same way as an item of a thread's own file; undefined for others. */
function workOf(
  type: string,
  value: JsonRecord,
): Pick<NonNullable<ReturnType<typeof ranItem>>, 'name' | 'args' | 'result'> | undefined {
  switch (type) {
    case 'command_execution':
      return ranItem({ ...value, type: 'CommandExecution', command: shellLineOf(unwrapped(value['command'])) });
    case 'file_change':
      return ranItem({ ...value, type: 'FileChange', changes: changesOf(value['changes']) });
    case 'mcp_tool_call':
      return ranItem({ ...value, type: 'McpToolCall' });
    case 'collab_tool_call': {
      const name = asText(value['tool']) ?? 'collab';
      const isError = value['status'] === 'failed';
      return { name, args: { prompt: asText(value['prompt']) ?? '' }, result: { output: '', isError } };
    }
    case 'web_search':
      return {
        name: 'web_search',
        args: { query: asText(value['query']) ?? '' },
        result: { output: '', isError: value['status'] === 'failed' },
      };
    default:
      return undefined;
  }
}

/** Names a patch after the first file that it changes. */
function shown({ name, args }: { readonly name: string; readonly args: unknown }): { name: string; args: unknown } {
  const path = name === 'apply_patch' ? Object.keys(asRecord(at(args, 'changes')) ?? {})[0] : undefined;
  return path === undefined ? { name, args } : { name: 'edit', args: { file_path: path } };
}

/** Reads an item of the list, which says only whether it is done. */
function planItem(value: unknown): unknown {
  const item = asRecord(value);
  return item && { status: item['completed'] === true ? 'completed' : 'pending', ...item };
}

/** Unwraps a command as the stream prints it: `bash -lc 'npm test'` is `npm test`. */
function unwrapped(command: unknown): unknown {
  const found = /^\S{0,200}sh -l?c (['"])([\s\S]*)\1$/.exec(asText(command) ?? '');
  return found?.[2] ?? command;
}

/** Converts `[{path, kind}]` to the form of the threads' own files: by path. */
function changesOf(value: unknown): JsonRecord {
  const changes: Record<string, unknown> = {};
  for (const change of asArray(value) ?? []) {
    const path = asText(at(change, 'path'));
    if (path !== undefined) changes[path] = { type: at(change, 'kind') };
  }
  return changes;
}
