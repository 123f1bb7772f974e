import type { DecoderContext, LineDecoder } from '../decoder';
import {
  asArray,
  asNumber,
  asRecord,
  asText,
  cutTags,
  eachRecord,
  headOf,
  type JsonRecord,
  parseRecord,
  Recent,
  requestErrorKind,
  timeOf,
  type ToolTable,
} from '../shared/decode';
import { Conversation, sourceOf } from '../shared/conversation';
import { isOwnPlace, sessionOfPath, unquoted } from './folder';
import { answers, resultOf } from './results';

/** Roles of Antigravity's tools for which the common one does not fit. */
const TOOLS: ToolTable = {
  definesubagent: 'other',
  invokesubagent: 'delegate',
  managesubagents: 'look',
  managetask: 'look',
  schedule: 'wait',
  askpermission: 'ask',
  notifyuser: 'other',
  generateimage: 'other',
};
/** Remarks on a call for the person watching: they differ each time, even when the call is the same. */
const REMARKS = new Set(['toolAction', 'toolSummary']);
const EARLY = 8;
/** Number of steps between a message and the result of its call: notes of the system may come in between. */
const NEAR = 4;

interface OpenCall {
  readonly id: string;
  readonly name: string;
}

/**
 * Decodes a transcript of Antigravity: one record per step. A message of the model names its calls without ids; the records after it are their
 * results, recognised by their kind, in the order of the calls. Occasionally a result is written before its message, with the higher number.
 */
export function createDecoder({ file }: DecoderContext): LineDecoder {
  const conversation = new Conversation({
    agent: 'antigravity',
    file,
    session: sessionOfPath(file),
    tools: TOOLS,
    callOpensTurn: true,
  });
  const open = new Map<string, OpenCall>();
  /** Results that come before their call, by the number of their step. */
  const early = new Recent<number, JsonRecord>(EARLY);

  const user = (record: JsonRecord): void => {
    const content = asText(record['content']) ?? '';
    early.clear();
    open.clear();
    const model = /`Model Selection` from [^\n]{0,100}? to ([^\n]{1,80}?)\. /.exec(
      headOf(settings(content), 1000),
    )?.[1];
    conversation.learn({ model });
    const asked = cutTags(content, '<USER_REQUEST>', '</USER_REQUEST>');
    const words = asked.inside.join('\n').trim();
    conversation.prompt(
      words === '' ? cutTags(asked.rest, '<ADDITIONAL_METADATA>', '</ADDITIONAL_METADATA>').rest : words,
    );
  };

  const planner = (record: JsonRecord, offset: number): void => {
    const text = asText(record['content']) ?? '';
    if (text.trim() !== '') conversation.emit({ type: 'assistant', text, chunk: false });
    const calls = asArray(record['tool_calls']) ?? [];
    const step = asNumber(record['step_index']) ?? -1;
    for (const [index, value] of calls.entries()) {
      const call = asRecord(value);
      const name = asText(call?.['name']);
      if (name === undefined) conversation.unread({ why: 'a call without a name', call: true });
      else toolCall({ id: `${offset}/${index}`, name }, argumentsOf(call?.['args']), String(offset), step);
    }
    if (calls.length === 0) {
      if (text.trim() === '') conversation.emit({ type: 'other', name: 'empty message' });
      else conversation.endTurn('done');
    }
  };

  const toolCall = (call: OpenCall, args: JsonRecord, batch: string, step: number): void => {
    const cwd = asText(args['Cwd']);
    if (cwd !== undefined && conversation.facts.cwd === undefined && isOwnPlace(cwd)) conversation.learn({ cwd });
    conversation.call({ ...call, args, batch });
    if (call.name === 'ask_permission') {
      const question = asText(args['Reason']) ?? asText(args['Target']);
      conversation.emit({ type: 'waiting', for: 'permission', ...(question !== undefined && { question }) });
    }
    open.set(call.id, call);
    for (let ahead = 1; ahead <= NEAR; ahead++) {
      const number = step + ahead;
      const waiting = early.get(number);
      if (!waiting || !answers(kindOf(waiting), call.name)) continue;
      early.delete(number);
      return answer(call, waiting);
    }
  };

  const result = (record: JsonRecord): void => {
    for (const call of open.values()) if (answers(kindOf(record), call.name)) return answer(call, record);
    const step = asNumber(record['step_index']);
    if (step !== undefined) early.set(step, record);
    conversation.emit({ type: 'other', name: 'result before its call' });
  };

  const answer = (call: OpenCall, record: JsonRecord): void => {
    open.delete(call.id);
    const { result: given, endedAt } = resultOf(record);
    conversation.timed(endedAt);
    conversation.result(call.id, given);
  };

  const system = (record: JsonRecord): void => {
    const content = asText(record['content']) ?? '';
    // A message of low priority waits for the agent; the others make it continue.
    if (!/priority=MESSAGE_PRIORITY_HIGH/.test(headOf(content, 1000)))
      return conversation.emit({ type: 'other', name: 'system message' });
    const begin = content.lastIndexOf('<SYSTEM_MESSAGE>\n');
    conversation.prompt(
      begin < 0
        ? content
        : content
            .slice(begin)
            .replace(/<\/?SYSTEM_MESSAGE>/g, '')
            .trim(),
      true,
    );
  };

  const failed = (record: JsonRecord): void => {
    const message = asText(record['error']) ?? asText(record['content']) ?? 'error';
    conversation.emit({ type: 'error', kind: requestErrorKind(message, asNumber(record['error_code'])), message });
    conversation.endTurn('error');
  };

  return eachRecord({
    unit: 'line',
    decode(line, sink) {
      conversation.begin(sourceOf(file, line), sink);
      if (line.text.trim() === '') return;
      const record = parseRecord(line.text);
      // After a restart a record can overwrite the beginning of older ones, so that only the rest of a line is left.
      if (!record)
        return conversation.unread({ why: 'not a JSON record', ...(line.text.includes('"args":{') && { call: true }) });
      conversation.timed(timeOf(record['created_at']));
      switch (record['type']) {
        case 'USER_INPUT':
          return user(record);
        case 'PLANNER_RESPONSE':
          return planner(record, line.offset);
        case 'SYSTEM_MESSAGE':
          return system(record);
        case 'ERROR_MESSAGE':
          return failed(record);
        case 'CHECKPOINT':
          return conversation.emit({ type: 'compaction', trigger: 'auto', ...summaryOf(record) });
        case 'EPHEMERAL_MESSAGE':
        case 'CONVERSATION_HISTORY':
          return conversation.emit({ type: 'other', name: record['type'].toLowerCase() });
        case undefined:
          return conversation.problem('a record without a type');
        default:
          if (record['source'] === 'MODEL') return result(record);
          return conversation.emit({ type: 'other', name: headOf(asText(record['type']) ?? 'record', 60) });
      }
    },
  });
}

function kindOf(record: JsonRecord): string {
  return asText(record['type']) ?? '';
}

function argumentsOf(given: unknown): JsonRecord {
  const record = asRecord(given) ?? {};
  const args: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) if (!REMARKS.has(name)) args[name] = unquoted(value);
  return args;
}

function settings(content: string): string {
  const begin = content.indexOf('<USER_SETTINGS_CHANGE>');
  return begin < 0 ? '' : content.slice(begin);
}

function summaryOf(record: JsonRecord): { readonly summary?: string } {
  const summary = asText(record['content']);
  return summary === undefined ? {} : { summary };
}
