import { planItems } from '../shared/decode/plan-items';
import type { Place, Teller } from '../shared/decode/teller';
import {
  asNumber,
  asRecord,
  asText,
  createMarkFinder,
  Recent,
  describeCall,
  isOwnMessage,
  type JsonRecord,
  textOf,
  timeOf,
} from '../shared/decode';
import { contextWindow } from './context-window';
import { errorKind, TOOLS } from './fold';
import { readResult } from './result';

const HELD = 20;

/** What `--output-format stream-json` prints, captured into a file: richer than the chat, for it shows a tool while it runs. */
export interface Stream {
  record(record: JsonRecord): void;
}

export function createStream(teller: Teller): Stream {
  const open = new Recent<string, { readonly name: string; readonly args: unknown; readonly session: string }>(1000);
  const marks = createMarkFinder();
  /** Records before the one that names their session. */
  let held: { readonly record: JsonRecord; readonly place: Place }[] = [];
  let running = false;
  let named = false;

  const findMarks = (text: string): void => {
    for (const message of marks.find(text)) teller.tell({ type: 'message_taken', message });
  };

  const init = (record: JsonRecord): void => {
    const session = asText(record['session_id']);
    // The run before it was stopped without a word.
    if (running && session !== teller.session) teller.tell({ type: 'session_end', reason: 'interrupted' });
    if (session !== undefined) teller.session = session;
    running = true;
    const model = asText(record['model']);
    teller.tell({
      type: 'session_info',
      mode: 'print',
      ...(model !== undefined && { model, contextWindow: contextWindow(model) }),
    });
    teller.tell({ type: 'turn_start' });
    settle();
  };

  const settle = (): void => {
    named = true;
    for (const { record: early, place } of held) message(early, place);
    held = [];
  };

  const message = (record: JsonRecord, place?: Place): void => {
    const text = textOf(record['content']);
    if (text.trim() === '') return teller.tell({ type: 'other', name: 'empty message' }, place);
    if (record['role'] === 'user') {
      teller.tell({ type: 'user', text, automated: isOwnMessage(text) }, place);
      return findMarks(text);
    }
    teller.tell({ type: 'assistant', text, chunk: record['delta'] === true }, place);
  };

  const result = (record: JsonRecord): void => {
    const id = asText(record['tool_id']);
    const call = id === undefined ? undefined : open.get(id);
    if (id === undefined || !call) return teller.tell({ type: 'other', name: 'result without a call' });
    open.delete(id);
    const error = asRecord(record['error']);
    const text = textOf(record['output'] ?? error?.['message']);
    const status = record['status'];
    const read = readResult(text, {
      error: status === 'error' || status === 'cancelled',
      cancelled: status === 'cancelled',
      type: asText(error?.['type']),
    });
    teller.tellOf(call.session, { type: 'tool_result', id, ...read.result });
    if (read.added !== '') findMarks(read.added);
    const items =
      call.name === 'write_todos' && !read.result.isError ? planItems(asRecord(call.args)?.['todos']) : null;
    if (items) teller.tell({ type: 'plan', items });
  };

  const ended = (record: JsonRecord): void => {
    running = false;
    const stats = asRecord(record['stats']);
    const input = asNumber(stats?.['input_tokens']);
    const output = asNumber(stats?.['output_tokens']);
    if (input !== undefined || output !== undefined) {
      teller.tell({
        type: 'usage',
        ...(input !== undefined && { inputTokens: input }),
        ...(output !== undefined && { outputTokens: output }),
      });
    }
    const failed = record['status'] === 'error';
    if (failed) {
      const text = asText(asRecord(record['error'])?.['message']) ?? 'The run failed.';
      teller.tell({ type: 'error', kind: errorKind(text), message: text });
    }
    teller.tell({ type: 'turn_end', reason: failed ? 'error' : 'done' });
    named = false;
  };

  return {
    record(record) {
      teller.timed(timeOf(record['timestamp']) ?? timeOf(record['ts']));
      if (record['type'] !== 'init' && record['type'] !== 'message') settle();
      switch (record['type']) {
        case 'init':
          return init(record);
        case 'message':
          if (named || held.length >= HELD) return message(record);
          held.push({ record, place: teller.place });
          return;
        case 'tool_use': {
          const name = asText(record['tool_name']) ?? 'unknown';
          const id = asText(record['tool_id']) ?? `${name}@${teller.place.source.offset}`;
          const args = record['parameters'] ?? {};
          if (open.has(id)) return teller.tell({ type: 'other', name: 'repeated call' });
          open.set(id, { name, args, session: teller.session });
          return teller.tell({ type: 'tool_call', id, name, args, ...describeCall(name, args, { table: TOOLS }) });
        }
        case 'tool_result':
          return result(record);
        case 'error': {
          const text = textOf(record['message'] ?? record['error']);
          if (/loop detected/i.test(text)) return teller.tell({ type: 'vendor_loop', message: text });
          return teller.tell({ type: 'error', kind: errorKind(text), message: text || 'error' });
        }
        case 'result':
          return ended(record);
        default:
          return teller.tell({ type: 'other', name: asText(record['type']) ?? 'record' });
      }
    },
  };
}
