import type { DecoderContext, LineDecoder } from '../adapter';
import { readResult } from '../gemini/result';
import {
  asArray,
  asNumber,
  asRecord,
  asText,
  at,
  createMarkFinder,
  Recent,
  describeCall,
  isOwnMessage,
  type JsonRecord,
  parseRecord,
  printed,
  sessionOfFile,
  textOf,
  timeOf,
  type ToolTable,
} from '../shared/decode';
import { planItems } from '../shared/decode/plan-items';
import { Teller, type Place, sourceOf } from '../shared/decode/teller';

/** Qwen Code's tools whose common role does not fit. */
const TOOLS: ToolTable = { sendmessage: 'delegate', exitplanmode: 'ask', savememory: 'other', taskstop: 'other' };
const REMEMBERED = 2000;
const EARLY = 50;
/** `compressionStatus` of a compression that was kept (the others failed, or would have made the context longer). */
const COMPRESSED = 1;

interface OpenCall {
  readonly name: string;
  readonly args: unknown;
  readonly session: string;
}

/** Decodes a Qwen Code chat: an envelope as Claude Code's, around Gemini's `message.parts`. */
export function createDecoder({ file }: DecoderContext): LineDecoder {
  const teller = new Teller('qwen-code', file, sessionOfFile(file));
  const open = new Recent<string, OpenCall>(REMEMBERED);
  const done = new Recent<string, true>(REMEMBERED);
  const early = new Recent<
    string,
    { readonly record: JsonRecord; readonly response: JsonRecord; readonly place: Place }
  >(EARLY);
  const seen = new Recent<string, true>(REMEMBERED);
  const marks = createMarkFinder();
  const told: { cwd?: string; branch?: string; version?: string; model?: string } = {};
  let turnOpen = false;

  const findMarks = (text: string): void => {
    for (const message of marks.find(text)) teller.tell({ type: 'message_taken', message });
  };

  const learn = (record: JsonRecord): void => {
    const news: Record<string, string> = {};
    for (const [key, field] of [
      ['cwd', 'cwd'],
      ['branch', 'gitBranch'],
      ['version', 'version'],
      ['model', 'model'],
    ] as const) {
      const value = asText(record[field]);
      if (value === undefined || value === told[key]) continue;
      told[key] = value;
      news[key] = value;
    }
    const window = asNumber(record['contextWindowSize']);
    if (Object.keys(news).length > 0) {
      teller.tell({
        type: 'session_info',
        ...news,
        ...(window !== undefined && window > 0 && { contextWindow: window }),
      });
    }
  };

  const user = (record: JsonRecord): void => {
    const whole = textsOf(record).join('\n');
    // What was typed, without the files and the hook's words that were put into it.
    const text = asText(at(record, 'systemPayload', 'displayText')) ?? whole;
    const name = asText(record['subtype']);
    if (text.trim() === '') return teller.tell({ type: 'other', name: name ?? 'empty message' });
    turnOpen = true;
    const automated = isOwnMessage(text) || name === 'notification' || name === 'cron';
    teller.tell({ type: 'user', text, automated });
    findMarks(whole);
  };

  const assistant = (record: JsonRecord): void => {
    const parts = (asArray(at(record, 'message', 'parts')) ?? []).map(asRecord);
    const text = textsOf(record).join('\n');
    if (text.trim() !== '') teller.tell({ type: 'assistant', text, chunk: false });
    usage(record);
    const uuid = asText(record['uuid']) ?? String(teller.place.source.offset);
    let calls = 0;
    for (const part of parts) {
      const call = asRecord(part?.['functionCall']);
      if (call) toolCall(call, uuid, calls++);
    }
    if (calls > 0 || text.trim() === '') return;
    if (turnOpen) teller.tell({ type: 'turn_end', reason: 'done' });
    turnOpen = false;
  };

  const usage = (record: JsonRecord): void => {
    const counts = asRecord(record['usageMetadata']);
    const input = asNumber(counts?.['promptTokenCount']) ?? 0;
    const output = asNumber(counts?.['candidatesTokenCount']) ?? 0;
    if (input + output === 0) return;
    const window = asNumber(record['contextWindowSize']);
    teller.tell({
      type: 'usage',
      contextTokens: input + output,
      ...(window !== undefined && window > 0 && { contextWindow: window }),
      inputTokens: input,
      outputTokens: output + (asNumber(counts?.['thoughtsTokenCount']) ?? 0),
    });
  };

  const toolCall = (call: JsonRecord, batch: string, index: number): void => {
    const name = asText(call['name']) ?? 'unknown';
    const id = asText(call['id']) ?? `${batch}/${index}`;
    if (open.has(id) || done.has(id)) return teller.tell({ type: 'other', name: 'repeated call' });
    const args = call['args'] ?? {};
    open.set(id, { name, args, session: teller.session });
    if (!turnOpen) teller.tell({ type: 'turn_start' });
    turnOpen = true;
    const described = describeCall(name, args, { table: TOOLS, cwd: told.cwd });
    teller.tell({ type: 'tool_call', id, name, args, batch, ...described });
    const came = early.get(id);
    if (!came) return;
    early.delete(id);
    answer(id, came.record, came.response, came.place);
  };

  const toolResult = (record: JsonRecord): void => {
    let answered = 0;
    for (const value of asArray(at(record, 'message', 'parts')) ?? []) {
      const response = asRecord(asRecord(value)?.['functionResponse']);
      const id = asText(response?.['id']) ?? asText(at(record, 'toolCallResult', 'callId'));
      if (!response || id === undefined) continue;
      if (open.has(id)) {
        answer(id, record, response);
        answered++;
      } else if (!done.has(id)) early.set(id, { record, response, place: teller.place });
    }
    if (answered === 0) teller.tell({ type: 'other', name: 'result' });
  };

  const answer = (id: string, record: JsonRecord, response: JsonRecord, place?: Place): void => {
    const call = open.get(id);
    if (!call) return;
    open.delete(id);
    done.set(id, true);
    const body = asRecord(response['response']);
    const told = asRecord(record['toolCallResult']);
    const status = told?.['status'];
    const value = body?.['error'] ?? body?.['output'] ?? told?.['resultDisplay'] ?? body ?? '';
    const read = readResult(typeof value === 'string' ? value : printed(value), {
      error: body?.['error'] !== undefined || status === 'error' || status === 'cancelled',
      cancelled: status === 'cancelled',
      type: asText(told?.['errorType']),
    });
    teller.tellOf(call.session, { type: 'tool_result', id, ...read.result }, place);
    findMarks(read.added === '' && read.result.isError ? read.result.output : read.added);
    const items = call.name === 'todo_write' && !read.result.isError ? planItems(asRecord(call.args)?.['todos']) : null;
    if (items) teller.tellOf(call.session, { type: 'plan', items }, place);
  };

  const system = (record: JsonRecord): void => {
    const payload = asRecord(record['systemPayload']);
    const subtype = asText(record['subtype']) ?? 'system';
    switch (subtype) {
      case 'chat_compression':
        return compressed(payload);
      case 'custom_title': {
        const title = asText(payload?.['customTitle']);
        return teller.tell({ type: 'session_info', ...(title !== undefined && { title }) });
      }
      case 'ui_telemetry':
        return telemetry(asRecord(payload?.['uiEvent']));
      default:
        return teller.tell({ type: 'other', name: subtype });
    }
  };

  const compressed = (payload: JsonRecord | undefined): void => {
    const info = asRecord(payload?.['info']);
    if ((asNumber(info?.['compressionStatus']) ?? COMPRESSED) !== COMPRESSED) {
      return teller.tell({ type: 'other', name: 'no compression' });
    }
    const before = asNumber(info?.['originalTokenCount']);
    const after = asNumber(info?.['newTokenCount']);
    const summary = asText(at(asArray(at(asArray(payload?.['compressedHistory'])?.[0], 'parts'))?.[0], 'text'));
    teller.tell({
      type: 'compaction',
      trigger: 'auto',
      ...(summary !== undefined && { summary }),
      ...(before !== undefined && { tokensBefore: before }),
      ...(after !== undefined && { tokensAfter: after }),
    });
  };

  /** Copies of what other records say, but for errors of the model's server and the CLI's own loop check. */
  const telemetry = (event: JsonRecord | undefined): void => {
    const name = asText(event?.['event.name']) ?? 'telemetry';
    if (/loop_detected/.test(name)) {
      return teller.tell({ type: 'vendor_loop', message: asText(event?.['loop_type']) ?? 'loop detected' });
    }
    if (!/api_error/.test(name)) return teller.tell({ type: 'other', name });
    const text = asText(event?.['error_message']) ?? asText(event?.['error']) ?? 'error';
    const limited = asNumber(event?.['status_code']) === 429 || /rate.?limit|quota|\b429\b/i.test(text);
    teller.tell({
      type: 'error',
      kind: limited ? 'rate_limit' : /timed? ?out/i.test(text) ? 'timeout' : 'api',
      message: text,
    });
  };

  const decodeRecord = (record: JsonRecord): void => {
    teller.timed(timeOf(record['timestamp']));
    const session = asText(record['sessionId']);
    if (session !== undefined) teller.session = session;
    // A record that stands in the file twice is copied history. One answer can be several records of one uuid.
    const key = `${asText(record['uuid']) ?? ''} ${asText(record['timestamp']) ?? ''} ${asText(record['type']) ?? ''}`;
    if (record['uuid'] !== undefined && /\d/.test(key) && seen.has(key))
      return teller.tell({ type: 'other', name: 'repeated record' });
    seen.set(key, true);
    learn(record);
    switch (record['type']) {
      case 'user':
        return user(record);
      case 'assistant':
        return assistant(record);
      case 'tool_result':
        return toolResult(record);
      case 'system':
        return system(record);
      case undefined:
        return teller.problem('a record without a type');
      default:
        return teller.tell({ type: 'other', name: asText(record['type']) ?? 'record' });
    }
  };

  return {
    unit: 'line',
    decode(line, sink) {
      teller.begin(sourceOf(file, line), sink);
      if (line.text.trim() === '') return;
      const record = parseRecord(line.text);
      if (record) return decodeRecord(record);
      // Two writers can glue their records into one line.
      const pieces = line.text.split(/(?<=\})(?=\{"uuid":")/).map(parseRecord);
      if (pieces.length < 2 || pieces.includes(undefined)) teller.problem('not a JSON record');
      for (const piece of pieces) if (piece) decodeRecord(piece);
    },
  };
}

/** The texts of a message's parts; thoughts are none. */
function textsOf(record: JsonRecord): readonly string[] {
  const texts: string[] = [];
  for (const value of asArray(at(record, 'message', 'parts')) ?? []) {
    const part = asRecord(value);
    const text = typeof value === 'string' ? value : asText(part?.['text']);
    if (text !== undefined && part?.['thought'] !== true) texts.push(text);
  }
  if (texts.length === 0 && at(record, 'message', 'content') !== undefined)
    texts.push(textOf(at(record, 'message', 'content')));
  return texts;
}
