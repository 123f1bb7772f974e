import type { DecoderContext, LineDecoder } from '../decoder';
import {
  asArray,
  asNumber,
  asRecord,
  asText,
  at,
  type JsonRecord,
  malformed,
  parseRecord,
  printed,
  sessionOfFile,
  textOf,
  timeOf,
  eachRecord,
} from '../shared/decode';
import { Conversation, sourceOf, type ToolResult } from '../shared/conversation';

const READ = 600;

/** Tools are named `<extension>__<tool>`. */
const bare = (name: string): string => name.replace(/^[\w-]{1,60}__/, '');

/**
 * Decodes a goose session in JSON Lines: the first line describes it, each other one is a message. Written from the documented types;
 * no real file was at hand. Newer versions keep sessions in SQLite, which is not read.
 */
export function createDecoder({ file }: DecoderContext): LineDecoder {
  const conversation = new Conversation({
    agent: 'goose',
    file,
    session: sessionOfFile(file),
    shown: ({ name, args }) => ({ name: bare(name), args }),
    namesStrayResults: true,
  });
  let counted = 0;

  const header = (record: JsonRecord): void => {
    conversation.facts.update({ cwd: asText(record['working_dir']) });
    const { cwd } = conversation.facts;
    const title = asText(record['description']);
    conversation.emit({
      type: 'session_info',
      ...(cwd !== undefined && { cwd }),
      ...(title !== undefined && { title }),
    });
    const context = asNumber(record['total_tokens']);
    const total = asNumber(record['accumulated_total_tokens']);
    if (total === undefined || total <= counted) return;
    counted = total;
    conversation.emit({ type: 'usage', ...(context !== undefined && { contextTokens: context }), totalTokens: total });
  };

  /** False where the block holds no call. */
  const request = (block: JsonRecord, batch: string): boolean => {
    const id = asText(block['id']);
    const call = asRecord(block['toolCall']);
    if (id === undefined || !call) return false;
    const value = asRecord(call['value']) ?? {};
    const failed = call['status'] === 'error' || call['error'] !== undefined;
    conversation.call({
      id,
      name: asText(value['name']) ?? 'unknown',
      args: value['arguments'] ?? {},
      batch,
      malformed: failed ? (asText(call['error']) ?? printed(call['error'])) : undefined,
    });
    return true;
  };

  const response = (block: JsonRecord): void => {
    const id = asText(block['id']);
    if (id === undefined) return conversation.emit({ type: 'other', name: 'result without a call' });
    conversation.result(id, resultOf(asRecord(block['toolResult'])));
  };

  const message = (record: JsonRecord): void => {
    const fromUser = record['role'] === 'user';
    const batch = asText(record['id']) ?? `message@${conversation.place.source.offset}`;
    let calls = 0;
    let spoke = false;
    for (const value of asArray(record['content']) ?? []) {
      const block = asRecord(value);
      switch (block?.['type']) {
        case 'text': {
          const text = asText(block['text']) ?? '';
          if (text.trim() === '') break;
          spoke = true;
          if (fromUser) conversation.prompt(text);
          else conversation.emit({ type: 'assistant', text, chunk: false });
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
          conversation.emit({ type: 'waiting', for: 'permission' });
          break;
        case 'contextLengthExceeded':
        case 'summarizationRequested':
        case 'conversationCompacted':
          conversation.emit({ type: 'compaction', trigger: 'auto' });
          break;
        default:
          conversation.emit({ type: 'other', name: asText(block?.['type']) ?? 'block' });
      }
    }
    if (fromUser) return;
    if (calls > 0) conversation.turnOpen = true;
    else if (spoke) conversation.endTurn('done');
  };

  return eachRecord({
    unit: 'line',
    decode(line, sink) {
      conversation.begin(sourceOf(file, line), sink);
      if (line.text.trim() === '') return;
      const record = parseRecord(line.text);
      if (!record) return conversation.problem('not a JSON record');
      conversation.timed(timeOf(record['created']));
      if (record['role'] === undefined) {
        if (record['working_dir'] !== undefined || record['description'] !== undefined) return header(record);
        return conversation.problem('neither a header nor a message');
      }
      message(record);
    },
  });
}

function resultOf(result: JsonRecord | undefined): ToolResult {
  const value = result?.['value'];
  const failed = result?.['status'] === 'error' || at(value, 'isError') === true;
  const error = asText(result?.['error']);
  const output = error ?? textOf(at(value, 'content') ?? value);
  const code = /(?:^|\n)(?:Command failed with exit code|exit code:?) (-?\d{1,10})\b/i.exec(
    output.length > READ ? output.slice(-READ) : output,
  )?.[1];
  const unknown = /Tool '?([\w.-]{1,200})'? not found/i.exec(error ?? '')?.[1];
  const invalid = /invalid (?:parameters|arguments)|missing field|missing required/i.test(error ?? '');
  const denied = /^The user has declined to run this tool/i.test(output);
  return {
    output,
    isError: failed || denied || (code !== undefined && code !== '0'),
    ...(code !== undefined && { exitCode: Number(code) }),
    ...(unknown !== undefined
      ? malformed('unknown_tool', output, undefined, unknown)
      : invalid && malformed('invalid_arguments', output)),
    ...(denied && { denied: 'user' as const }),
  };
}
