import type { DecoderContext, LineDecoder } from '../adapter';
import {
  asArray,
  asNumber,
  asRecord,
  asText,
  at,
  Recent,
  describeCall,
  headOf,
  isOwnMessage,
  type JsonRecord,
  parseRecord,
  printed,
  sessionOfFile,
  textOf,
  timeOf,
} from '../shared/decode';
import { Teller, sourceOf } from '../shared/decode/teller';

/** Tools are named `<extension>__<tool>`. */
const bare = (name: string): string => name.replace(/^[\w-]{1,60}__/, '');

/**
 * Decodes a goose session in JSON Lines: the first line describes it, each other one is a message. Written from the documented types;
 * no real file was at hand. Newer versions keep sessions in SQLite, which is not read.
 */
export function createDecoder({ file }: DecoderContext): LineDecoder {
  const teller = new Teller('goose', file, sessionOfFile(file));
  const open = new Recent<string, string>(2000);
  const done = new Recent<string, true>(2000);
  let cwd: string | undefined;
  let turnOpen = false;
  let counted = 0;

  const header = (record: JsonRecord): void => {
    cwd = asText(record['working_dir']) ?? cwd;
    const title = asText(record['description']);
    teller.tell({ type: 'session_info', ...(cwd !== undefined && { cwd }), ...(title !== undefined && { title }) });
    const context = asNumber(record['total_tokens']);
    const total = asNumber(record['accumulated_total_tokens']);
    if (total === undefined || total <= counted) return;
    counted = total;
    teller.tell({ type: 'usage', ...(context !== undefined && { contextTokens: context }), totalTokens: total });
  };

  const request = (block: JsonRecord, batch: string): boolean => {
    const id = asText(block['id']);
    const call = asRecord(block['toolCall']);
    if (id === undefined || !call) return false;
    if (open.has(id) || done.has(id)) {
      teller.tell({ type: 'other', name: 'repeated call' });
      return true;
    }
    const value = asRecord(call['value']) ?? {};
    const failed = call['status'] === 'error' || call['error'] !== undefined;
    const name = asText(value['name']) ?? 'unknown';
    const args = value['arguments'] ?? {};
    open.set(id, teller.session);
    const described = describeCall(bare(name), args, { cwd });
    const malformed = failed ? (asText(call['error']) ?? printed(call['error'])) : undefined;
    teller.tell({
      type: 'tool_call',
      id,
      name,
      args,
      batch,
      ...(malformed !== undefined && { malformed }),
      ...described,
    });
    return true;
  };

  const response = (block: JsonRecord): void => {
    const id = asText(block['id']);
    const session = id === undefined ? undefined : open.get(id);
    if (id === undefined || session === undefined) return teller.tell({ type: 'other', name: 'result without a call' });
    open.delete(id);
    done.set(id, true);
    const result = asRecord(block['toolResult']);
    const value = result?.['value'];
    const failed = result?.['status'] === 'error' || at(value, 'isError') === true;
    const error = asText(result?.['error']);
    const output = error ?? textOf(at(value, 'content') ?? value);
    const code = /(?:^|\n)(?:Command failed with exit code|exit code:?) (-?\d{1,10})\b/i.exec(
      output.length > 600 ? output.slice(-600) : output,
    )?.[1];
    const unknown = /Tool '?([\w.-]{1,200})'? not found/i.exec(error ?? '')?.[1];
    const invalid = /invalid (?:parameters|arguments)|missing field|missing required/i.test(error ?? '');
    const validation =
      unknown !== undefined
        ? { kind: 'unknown_tool' as const, received: unknown, error: headOf(output, 600) }
        : invalid
          ? { kind: 'invalid_arguments' as const, error: headOf(output, 600) }
          : undefined;
    const denied = /^The user has declined to run this tool/i.test(output);
    teller.tellOf(session, {
      type: 'tool_result',
      id,
      output,
      isError: failed || denied || (code !== undefined && code !== '0'),
      ...(code !== undefined && { exitCode: Number(code) }),
      ...(validation && { validation }),
      ...(denied && { denied: 'user' as const }),
    });
  };

  const message = (record: JsonRecord): void => {
    const fromUser = record['role'] === 'user';
    const batch = asText(record['id']) ?? `message@${teller.place.source.offset}`;
    let calls = 0;
    let spoke = false;
    for (const value of asArray(record['content']) ?? []) {
      const block = asRecord(value);
      switch (block?.['type']) {
        case 'text': {
          const text = asText(block['text']) ?? '';
          if (text.trim() === '') break;
          spoke = true;
          if (fromUser) teller.tell({ type: 'user', text, automated: isOwnMessage(text) });
          else teller.tell({ type: 'assistant', text, chunk: false });
          break;
        }
        case 'toolRequest':
        case 'frontendToolRequest':
          if (request(block, batch)) calls++;
          break;
        case 'toolResponse':
          response(block);
          break;
        case 'toolConfirmationRequest':
          teller.tell({ type: 'waiting', for: 'permission' });
          break;
        case 'contextLengthExceeded':
        case 'summarizationRequested':
        case 'conversationCompacted':
          teller.tell({ type: 'compaction', trigger: 'auto' });
          break;
        default:
          teller.tell({ type: 'other', name: asText(block?.['type']) ?? 'block' });
      }
    }
    if (fromUser) turnOpen = turnOpen || spoke;
    else if (calls > 0) turnOpen = true;
    else if (spoke && turnOpen) {
      turnOpen = false;
      teller.tell({ type: 'turn_end', reason: 'done' });
    }
  };

  return {
    unit: 'line',
    decode(line, sink) {
      teller.begin(sourceOf(file, line), sink);
      if (line.text.trim() === '') return;
      const record = parseRecord(line.text);
      if (!record) return teller.problem('not a JSON record');
      teller.timed(timeOf(record['created']));
      if (record['role'] === undefined) {
        if (record['working_dir'] !== undefined || record['description'] !== undefined) return header(record);
        return teller.problem('neither a header nor a message');
      }
      message(record);
    },
  };
}
