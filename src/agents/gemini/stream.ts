import type { Conversation, RecordPlace } from '../shared/conversation';
import {
  asNumber,
  asRecord,
  asText,
  type JsonRecord,
  requestErrorKind,
  textOf,
  timeOf,
  unknownType,
} from '../shared/decode';
import { contextWindow } from './context-window';
import { readResult } from './result';

const EARLY = 20;

/**
 * Decodes records of `--output-format stream-json`, captured into a file: richer than the chat, because it shows a tool while it runs.
 *
 * @param conversation that of the file, which may hold a chat as well.
 */
export function createStream(conversation: Conversation): (record: JsonRecord) => void {
  /** Records before the one that names their session. */
  let early: { readonly record: JsonRecord; readonly place: RecordPlace }[] = [];
  let running = false;
  let named = false;

  const init = (record: JsonRecord): void => {
    const session = asText(record['session_id']);
    // The previous run stopped without a record of its end.
    if (running && session !== conversation.session) conversation.emit({ type: 'session_end', reason: 'interrupted' });
    if (session !== undefined) conversation.session = session;
    running = true;
    const model = asText(record['model']);
    conversation.emit({
      type: 'session_info',
      mode: 'print',
      ...(model !== undefined && { model, contextWindow: contextWindow(model) }),
    });
    conversation.emit({ type: 'turn_start' });
    flushEarly();
  };

  const flushEarly = (): void => {
    named = true;
    for (const { record, place } of early) message(record, place);
    early = [];
  };

  const message = (record: JsonRecord, place?: RecordPlace): void => {
    const text = textOf(record['content']);
    if (record['role'] === 'user') return conversation.prompt(text, false, place);
    if (text.trim() === '') return conversation.emit({ type: 'other', name: 'empty message' }, place);
    conversation.emit({ type: 'assistant', text, chunk: record['delta'] === true }, place);
  };

  const result = (record: JsonRecord): void => {
    const id = asText(record['tool_id']);
    if (id === undefined) return conversation.emit({ type: 'other', name: 'result without a call' });
    const error = asRecord(record['error']);
    const text = textOf(record['output'] ?? error?.['message']);
    const status = record['status'];
    const read = readResult(text, {
      error: status === 'error' || status === 'cancelled',
      cancelled: status === 'cancelled',
      type: asText(error?.['type']),
    });
    conversation.result(id, read.result, read.added);
  };

  const ended = (record: JsonRecord): void => {
    running = false;
    const stats = asRecord(record['stats']);
    const input = asNumber(stats?.['input_tokens']);
    const output = asNumber(stats?.['output_tokens']);
    if (input !== undefined || output !== undefined) {
      conversation.emit({
        type: 'usage',
        ...(input !== undefined && { inputTokens: input }),
        ...(output !== undefined && { outputTokens: output }),
      });
    }
    const failed = record['status'] === 'error';
    if (failed) {
      const text = asText(asRecord(record['error'])?.['message']) ?? 'The run failed.';
      conversation.emit({ type: 'error', kind: requestErrorKind(text), message: text });
    }
    conversation.emit({ type: 'turn_end', reason: failed ? 'error' : 'done' });
    named = false;
  };

  return (record) => {
    conversation.timed(timeOf(record['timestamp']) ?? timeOf(record['ts']));
    if (record['type'] !== 'init' && record['type'] !== 'message') flushEarly();
    switch (record['type']) {
      case 'init':
        return init(record);
      case 'message':
        if (named || early.length >= EARLY) return message(record);
        early.push({ record, place: conversation.place });
        return;
      case 'tool_use': {
        const name = asText(record['tool_name']) ?? 'unknown';
        const id = asText(record['tool_id']) ?? `${name}@${conversation.place.source.offset}`;
        const args = record['parameters'] ?? {};
        conversation.call({ id, name, args });
        return;
      }
      case 'tool_result':
        return result(record);
      case 'error': {
        const text = textOf(record['message'] ?? record['error']);
        if (/loop detected/i.test(text)) return conversation.emit({ type: 'vendor_loop', message: text });
        return conversation.emit({ type: 'error', kind: requestErrorKind(text), message: text || 'error' });
      }
      case 'result':
        return ended(record);
      default:
        return conversation.unread(unknownType('type', record['type'], record));
    }
  };
}
