import type { DecoderContext, LineDecoder } from '../decoder';
import { partsOf } from '../gemini/fold';
import { readResult } from '../gemini/result';
import {
  asArray,
  asNumber,
  asRecord,
  asText,
  at,
  eachRecord,
  type JsonRecord,
  printed,
  Recent,
  requestErrorKind,
  sessionOfFile,
  textOf,
  timeOf,
  type ToolTable,
  unknownType,
} from '../shared/decode';
import { planItems } from '../shared/decode/plan-items';
import { Conversation, type ReadResult } from '../shared/conversation';

/** Roles of Qwen Code's tools for which the common one does not fit. */
const TOOLS: ToolTable = { sendmessage: 'delegate', exitplanmode: 'ask', savememory: 'other', taskstop: 'other' };
const REMEMBERED = 2000;
/** Subtypes of `system` that say nothing about what the agent does. Source: Qwen Code 0.24. */
const QUIET = new Set([
  'at_command',
  'attribution_snapshot',
  'background_task_completed',
  'branch_checkpoint',
  'file_history_snapshot',
  'goal_runtime',
  'goal_state',
  'goal_turn_end',
  'omni_recall',
  'realtime_message',
  'rewind',
  'session_artifact_event',
  'session_artifact_snapshot',
  'session_model',
  'session_recording_degraded',
  'session_source',
  'session_sources_snapshot',
  'slash_command',
  'system',
  'user_text_elements',
]);
/** Kinds of parts in a message. */
const PARTS = [
  'text',
  'functionResponse',
  'inlineData',
  'fileData',
  'executableCode',
  'codeExecutionResult',
  'thought',
];
/** Start of the result of a call that a person refused, which ends the turn. */
const REFUSED = /^\[Operation Cancelled\] Reason: User did not allow tool call/;
/** `compressionStatus` of a compression that was kept (the others failed, or would have made the context longer). */
const COMPRESSED = 1;

/** Decodes a Qwen Code chat: an envelope like Claude Code's, around Gemini's `message.parts`. */
export function createDecoder({ file }: DecoderContext): LineDecoder {
  const conversation = new Conversation({
    agent: 'qwen-code',
    file,
    session: sessionOfFile(file),
    tools: TOOLS,
    callOpensTurn: true,
    answered(_call, result, added) {
      conversation.marks(added === '' && result.isError ? result.output : added);
    },
    plan: ({ name, args }) => (name === 'todo_write' ? planItems(at(args, 'todos')) : null),
  });
  /** The service reported an error in this turn. */
  let failed = false;
  let isChild = false;
  const seen = new Recent<string, true>(REMEMBERED);

  const learn = (record: JsonRecord): void => {
    const window = asNumber(record['contextWindowSize']);
    conversation.learn(
      {
        cwd: asText(record['cwd']),
        branch: asText(record['gitBranch']),
        version: asText(record['version']),
        model: asText(record['model']),
      },
      { ...(window !== undefined && window > 0 && { contextWindow: window }) },
    );
  };

  const user = (record: JsonRecord): void => {
    const whole = textIn(record);
    // The typed text, without the files and the hook's text that were added to it.
    const text = asText(at(record, 'systemPayload', 'displayText')) ?? whole;
    const name = asText(record['subtype']);
    if (text.trim() === '') return conversation.emit({ type: 'other', name: name ?? 'empty message' });
    failed = false;
    conversation.prompt(text, name === 'notification' || name === 'cron', undefined, whole);
  };

  const assistant = (record: JsonRecord): void => {
    const parts = (asArray(at(record, 'message', 'parts')) ?? []).map(asRecord);
    const text = textIn(record);
    if (text.trim() !== '') conversation.emit({ type: 'assistant', text, chunk: false });
    usage(record);
    const uuid = asText(record['uuid']) ?? String(conversation.place.source.offset);
    let calls = 0;
    for (const part of parts) {
      const call = asRecord(part?.['functionCall']);
      if (call) toolCall(call, uuid, calls++);
      else if (part && !PARTS.some((name) => part[name] !== undefined)) conversation.unread(unknownPart(part));
    }
    if (calls > 0 || text.trim() === '') return;
    conversation.endTurn('done');
    if (isChild) conversation.emit({ type: 'session_end', reason: 'clean' });
  };

  const usage = (record: JsonRecord): void => {
    const counts = asRecord(record['usageMetadata']);
    conversation.usage({
      input: asNumber(counts?.['promptTokenCount']) ?? 0,
      output: asNumber(counts?.['candidatesTokenCount']) ?? 0,
      reasoning: asNumber(counts?.['thoughtsTokenCount']),
      contextWindow: asNumber(record['contextWindowSize']),
    });
  };

  const toolCall = (call: JsonRecord, batch: string, index: number): void => {
    const name = asText(call['name']) ?? 'unknown';
    conversation.call({ id: asText(call['id']) ?? `${batch}/${index}`, name, args: call['args'] ?? {}, batch });
    if (name !== 'ask_user_question') return;
    const question = asText(at(asArray(at(call, 'args', 'questions'))?.[0], 'question'));
    conversation.emit({ type: 'waiting', for: 'input', ...(question !== undefined && { question }) });
  };

  const toolResult = (record: JsonRecord): void => {
    let answered = 0;
    let found = false;
    let isRefused = false;
    for (const value of asArray(at(record, 'message', 'parts')) ?? []) {
      const response = asRecord(asRecord(value)?.['functionResponse']);
      const id = asText(response?.['id']) ?? asText(at(record, 'toolCallResult', 'callId'));
      if (!response || id === undefined) continue;
      found = true;
      const { result, added } = resultOf(record, response);
      if (conversation.result(id, result, added)) answered++;
      isRefused ||= REFUSED.test(asText(at(response, 'response', 'error')) ?? '');
    }
    if (!found) return conversation.problem('a result without the id of a call');
    if (answered === 0) conversation.emit({ type: 'other', name: 'result' });
    if (isRefused) conversation.endTurn('interrupted');
  };

  const system = (record: JsonRecord): void => {
    const payload = asRecord(record['systemPayload']);
    const subtype = asText(record['subtype']) ?? 'system';
    switch (subtype) {
      case 'chat_compression':
        return compressed(payload);
      case 'custom_title': {
        const title = asText(payload?.['customTitle']);
        return conversation.emit({ type: 'session_info', ...(title !== undefined && { title }) });
      }
      case 'ui_telemetry':
        return telemetry(asRecord(payload?.['uiEvent']));
      case 'turn_result':
        return turnResult(payload);
      case 'parent_session': {
        const parent = asText(payload?.['parentSessionId']);
        return conversation.emit({ type: 'session_info', ...(parent !== undefined && { parent }) });
      }
      default:
        if (!QUIET.has(subtype)) return conversation.unread(unknownType('subtype', subtype, payload ?? {}));
        return conversation.emit({ type: 'other', name: subtype });
    }
  };

  /** Reads the end of a turn, written since 0.24, even if the turn failed or was cancelled before any answer. */
  const turnResult = (payload: JsonRecord | undefined): void => {
    const state = payload?.['state'];
    const message = asText(at(payload, 'error', 'message'));
    // The telemetry has already reported the same error.
    if (state === 'error' && message !== undefined && !failed)
      conversation.emit({ type: 'error', kind: requestErrorKind(message), message });
    const reason = state === 'error' ? 'error' : state === 'cancelled' ? 'interrupted' : 'done';
    if (!conversation.endTurn(reason)) conversation.emit({ type: 'other', name: 'turn_result' });
  };

  const compressed = (payload: JsonRecord | undefined): void => {
    const info = asRecord(payload?.['info']);
    if ((asNumber(info?.['compressionStatus']) ?? COMPRESSED) !== COMPRESSED) {
      return conversation.emit({ type: 'other', name: 'no compression' });
    }
    const before = asNumber(info?.['originalTokenCount']);
    const after = asNumber(info?.['newTokenCount']);
    const summary = asText(at(asArray(at(asArray(payload?.['compressedHistory'])?.[0], 'parts'))?.[0], 'text'));
    conversation.emit({
      type: 'compaction',
      trigger: 'auto',
      ...(summary !== undefined && { summary }),
      ...(before !== undefined && { tokensBefore: before }),
      ...(after !== undefined && { tokensAfter: after }),
    });
  };

  /** Reads telemetry: copies of other records, except for errors of the model's server and the CLI's own loop check. */
  const telemetry = (event: JsonRecord | undefined): void => {
    const name = asText(event?.['event.name']) ?? 'telemetry';
    if (/loop_detected/.test(name)) {
      return conversation.emit({ type: 'vendor_loop', message: asText(event?.['loop_type']) ?? 'loop detected' });
    }
    if (!/api_error/.test(name)) return conversation.emit({ type: 'other', name });
    const text = asText(event?.['error_message']) ?? asText(event?.['error']) ?? 'error';
    failed = true;
    conversation.emit({
      type: 'error',
      kind: requestErrorKind(text, asNumber(event?.['status_code'])),
      message: text,
    });
  };

  const ofChild = (record: JsonRecord, parent: string): void => {
    if (isChild) return;
    isChild = true;
    conversation.session = sessionOfFile(file);
    const role = asText(record['agentName']);
    conversation.emit({ type: 'session_info', parent, ...(role !== undefined && { role }) });
  };

  const decodeRecord = (record: JsonRecord): void => {
    conversation.timed(timeOf(record['timestamp']));
    const session = asText(record['sessionId']);
    if (session !== undefined && record['isSidechain'] === true) ofChild(record, session);
    else if (session !== undefined) conversation.session = session;
    // A record that is in the file twice is copied history. One answer can be several records with one uuid, and even with one time.
    const calls = (asArray(at(record, 'message', 'parts')) ?? []).map((part) => asText(at(part, 'functionCall', 'id')));
    const key = `${asText(record['uuid']) ?? ''} ${asText(record['timestamp']) ?? ''} ${asText(record['type']) ?? ''} ${calls.join('')}`;
    if (record['uuid'] !== undefined && /\d/.test(key) && seen.has(key))
      return conversation.emit({ type: 'other', name: 'repeated record' });
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
        return conversation.problem('a record without a type');
      default:
        return conversation.unread(unknownType('type', record['type'], asRecord(record['message']) ?? record));
    }
  };

  return eachRecord({
    unit: 'line',
    decode(line, sink) {
      const record = conversation.record(file, line, sink);
      if (record) decodeRecord(record);
    },
  });
}

function unknownPart(part: JsonRecord) {
  const name = Object.keys(part)[0];
  return unknownType('part', name, asRecord(part[name ?? '']) ?? part);
}

function resultOf(record: JsonRecord, response: JsonRecord): ReadResult {
  const body = asRecord(response['response']);
  const summary = asRecord(record['toolCallResult']);
  const status = summary?.['status'];
  const value = body?.['error'] ?? body?.['output'] ?? summary?.['resultDisplay'] ?? body ?? '';
  return readResult(typeof value === 'string' ? value : printed(value), {
    error: body?.['error'] !== undefined || status === 'error' || status === 'cancelled',
    cancelled: status === 'cancelled',
    type: asText(summary?.['errorType']),
  });
}

/** Returns the text of a message: that of its parts without its thoughts, else its content. */
function textIn(record: JsonRecord): string {
  return partsOf(at(record, 'message', 'parts')).join('\n') || textOf(at(record, 'message', 'content'));
}
