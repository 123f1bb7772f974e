import {
  argsOf,
  asArray,
  asRecord,
  asText,
  at,
  type JsonRecord,
  parseRecord,
  recordsOf,
  sessionOfFile,
  timeOf,
  unknownType,
} from '../shared/decode';
import type { DecoderContext, DecodeSink, LineDecoder } from '../decoder';
import type { TranscriptLine } from '../../base/tail';
import { Join } from './join';
import type { NamedCall } from './turn-clock';
import { TURN_STATE } from './turn-log';
import { workspaceOf } from './locate';
import { callId, logFacts } from './log-facts';
import { ChatState } from './operations';
import { readResult } from './outcome';

/** Records of the transcript that say nothing about a step. */
const QUIET = new Set([
  'tool.execution_start',
  'session.resume',
  'session.info',
  'session.model_change',
  'hook.start',
  'hook.end',
]);

/**
 * Decodes a session of VS Code's chat agent from its files: the transcript (`{type, data, …}`), the log of the chat view (`{kind, k, v, i}`), the
 * debug log if a person switched it on, and the records of Unstuck's hook. A line is recognised by its form, so that a file can hold any of them.
 */
export function createDecoder({ file, readSmall, cwd }: DecoderContext): LineDecoder {
  const join = new Join(file, sessionOfFile(file), cwd ?? workspaceOf(file, readSmall));
  const { conversation } = join;
  const state = new ChatState();

  const transcript = (type: string, data: JsonRecord, record: JsonRecord): void => {
    join.seen(timeOf(record['timestamp']));
    switch (type) {
      case 'session.start': {
        const session = asText(data['sessionId']);
        const version = asText(data['vscodeVersion']);
        return join.start({ ...(session !== undefined && { session }), ...(version !== undefined && { version }) });
      }
      case 'user.message':
        return join.prompt(asText(data['content']) ?? '');
      case 'assistant.turn_start':
        return join.round();
      case 'assistant.turn_end':
        return join.roundEnds();
      case 'assistant.message': {
        const requests = (asArray(data['toolRequests']) ?? []).map(asRecord).flatMap((request): NamedCall[] => {
          const id = asText(request?.['toolCallId']);
          if (!request || id === undefined) return [];
          return [{ id: callId(id), name: asText(request['name']) ?? 'unknown', args: argsOf(request['arguments']) }];
        });
        return join.message(asText(data['content']) ?? '', requests, asText(data['messageId']));
      }
      case 'tool.execution_complete': {
        const id = asText(data['toolCallId']);
        if (id === undefined) return conversation.problem('a result without the id of a call');
        return join.completed(callId(id), data['success'] !== false);
      }
      default:
        if (QUIET.has(type)) return join.other(type);
        return conversation.unread(unknownType('type', type, data));
    }
  };

  const log = (record: JsonRecord): void => {
    const touched = state.apply(record);
    if (typeof touched === 'string') return conversation.problem(touched);
    for (const fact of logFacts(state, touched)) join.log(fact);
    const last = state.requests.length - 1;
    if (at(state.request(last), 'modelState', 'value') === TURN_STATE.asks) join.markAsked(last);
    if (touched.what === 'requests') for (let index = 0; index < touched.from; index++) state.release(index);
  };

  /** Reads a record of the debug log, `{sid, type: "tool_call", name, attrs: {args, result}}`. Its calls have no ids. */
  const debug = (record: JsonRecord): void => {
    if (record['type'] !== 'tool_call') return;
    const attrs = asRecord(record['attrs']);
    const result = asText(attrs?.['result']);
    const name = asText(record['name']);
    if (!attrs || result === undefined || name === undefined) return;
    const id = join.unansweredLike(name, JSON.stringify(argsOf(attrs['args'])));
    if (id !== undefined) join.learnText(id, result, timeOf(record['ts']));
  };

  /**
   * Reads the hook's record of a call, `{v, t, hook, call, tool, output}` (docs/inbox.md). For files that were read or edited VS Code passes nothing:
   * that is not an outcome.
   */
  const hook = (record: JsonRecord): void => {
    const call = asText(record['call']);
    const output = record['output'];
    const hasText = typeof output === 'string' && readResult(output).result.output !== '';
    if (!hasText && record['tool'] !== 'run_in_terminal') return;
    if (call !== undefined && typeof output === 'string') join.learnText(callId(call), output, timeOf(record['t']));
  };

  /** Reads a receipt of the inbox: a hook has delivered a message. */
  const receipt = (record: JsonRecord): void => {
    const when = timeOf(record['t']);
    const id = asText(record['id']);
    if (record['state'] === 'taken' && id !== undefined && when !== undefined) join.took(id, when);
  };

  const decodeRecord = (text: string): void => {
    if (text.trim() === '') return;
    const record = parseRecord(text);
    if (!record) return conversation.problem('not a JSON record');
    const type = asText(record['type']);
    if (type !== undefined && record['sid'] !== undefined) return debug(record);
    if (typeof record['kind'] === 'number') return log(record);
    if (typeof record['hook'] === 'string') return hook(record);
    if (typeof record['state'] === 'string') return receipt(record);
    if (type === undefined) return conversation.problem('a record without a type');
    const data = asRecord(record['data']);
    if (!data) return conversation.problem(`"${type.slice(0, 60)}" without data`);
    transcript(type, data, record);
  };

  const read = (from: string, line: TranscriptLine, sink: DecodeSink): void => {
    if (line.text.startsWith('//')) return;
    // Two records on one line share its place.
    conversation.begin({ file: from, line: line.line, offset: line.offset }, sink);
    for (const text of recordsOf(line.text)) decodeRecord(text);
  };

  return {
    unit: 'line',
    decode: (line, sink) => read(file, line, sink),
    decodeCompanion(other, line, sink) {
      // Events from another file get the current place of the transcript.
      const { source } = conversation.place;
      if (source.line > 0 && source.file === file) conversation.begin(source, sink);
      else conversation.begin({ file: other, line: line.line, offset: line.offset }, sink);
      for (const text of recordsOf(line.text)) decodeRecord(text);
    },
    settle(sink) {
      conversation.begin(conversation.place.source, sink);
      join.settle();
    },
  };
}
