import type { DecoderContext, LineDecoder } from '../decoder';
import {
  asArray,
  asRecord,
  asText,
  at,
  cutTags,
  eachRecord,
  headOf,
  type JsonRecord,
  requestErrorKind,
  textOf,
  type ToolTable,
  unknownType,
} from '../shared/decode';
import { planItems } from '../shared/decode/plan-items';
import { Conversation } from '../shared/conversation';
import { placeOf } from './places';

/** Roles of Cursor's tools for which the common one does not fit. */
const TOOLS: ToolTable = { readlints: 'look', switchmode: 'other', generateimage: 'other' };

/**
 * Decodes a transcript of Cursor: a role and its blocks on each line. Calls have no ids, and their results are never written: when the agent
 * continues, a call is reported with an unknown outcome, which is equal to no other outcome.
 */
export function createDecoder({ file, cwd }: DecoderContext): LineDecoder {
  const { session, parent } = placeOf(file);
  const conversation = new Conversation({ agent: 'cursor', file, session, tools: TOOLS, callOpensTurn: true });
  let introduced = false;

  const introduce = (): void => {
    if (introduced) return;
    introduced = true;
    conversation.learn({ cwd });
    if (parent !== undefined) conversation.emit({ type: 'session_info', parent });
  };

  /** Notes that the agent has continued: its calls returned, with unknown results. */
  const goneOn = (): void => {
    for (const { id } of conversation.calls.running)
      conversation.result(id, { output: '', isError: false, outcome: 'unknown' });
  };

  /** Reads results. None of the collected files has any; if there are some, they answer the calls in order. */
  const results = (content: readonly unknown[]): void => {
    for (const value of content) {
      const block = asRecord(value);
      const [call] = conversation.calls.running;
      if (block?.['type'] !== 'tool_result' || !call) continue;
      const id = asText(block['tool_use_id']) ?? '';
      const output = textOf(block['content']);
      conversation.result(conversation.calls.get(id) ? id : call.id, { output, isError: block['is_error'] === true });
    }
  };

  const user = (content: readonly unknown[]): void => {
    const whole = textOf(content);
    const asked = cutTags(whole, '<user_query>', '</user_query>');
    const words = asked.inside.join('\n').trim();
    conversation.prompt(words === '' ? whole : words);
  };

  const assistant = (content: readonly unknown[]): void => {
    const { offset } = conversation.place.source;
    for (const [index, value] of content.entries()) {
      const block = asRecord(value) ?? {};
      switch (block['type']) {
        case 'text': {
          const text = asText(block['text']) ?? '';
          const said = text.trim() === '' || text.trim() === '[REDACTED]' ? undefined : text;
          conversation.emit(
            said === undefined ? { type: 'other', name: 'text' } : { type: 'assistant', text: said, chunk: false },
          );
          break;
        }
        case 'tool_use':
          toolCall(block, `${offset}/${index}`, String(offset));
          break;
        case 'thinking':
          conversation.emit({ type: 'other', name: 'thinking' });
          break;
        default:
          conversation.unread(unknownType('block', block['type'], block));
      }
    }
  };

  const toolCall = (block: JsonRecord, id: string, batch: string): void => {
    const args = block['input'] ?? {};
    const name = asText(block['name']) ?? 'unknown';
    const workplace = asText(at(args, 'working_directory'));
    if (conversation.facts.cwd === undefined) conversation.learn({ cwd: workplace });
    conversation.call({ id, name, args, batch });
    const items = name === 'TodoWrite' && at(args, 'merge') !== true ? planItems(at(args, 'todos')) : null;
    if (items) conversation.emit({ type: 'plan', items });
  };

  const ended = (record: JsonRecord): void => {
    goneOn();
    const status = record['status'];
    const error = asText(record['error']) ?? asText(at(record, 'error', 'message'));
    if (error !== undefined) conversation.emit({ type: 'error', kind: requestErrorKind(error), message: error });
    const done = conversation.endTurn(status === 'error' ? 'error' : status === 'aborted' ? 'interrupted' : 'done');
    if (!done) conversation.emit({ type: 'other', name: 'end of a turn' });
  };

  return eachRecord({
    unit: 'line',
    decode(line, sink) {
      const record = conversation.record(file, line, sink);
      if (!record) return;
      introduce();
      if (record['type'] === 'turn_ended') return ended(record);
      const content = asArray(at(record, 'message', 'content'));
      if (!content) return conversation.problem('a record without a message');
      const answers = content.some((block) => asRecord(block)?.['type'] === 'tool_result');
      if (answers) return results(content);
      goneOn();
      switch (record['role']) {
        case 'user':
          return user(content);
        case 'assistant':
          return assistant(content);
        default:
          return conversation.emit({ type: 'other', name: headOf(asText(record['role']) ?? 'record', 60) });
      }
    },
  });
}
