import type { DecodeSink, DecoderContext, LineDecoder } from '../decoder';
import {
  argumentsIn,
  asArray,
  asNumber,
  asRecord,
  asText,
  at,
  eachRecord,
  headOf,
  type JsonRecord,
  parseRecord,
  textOf,
  timeOf,
  type ToolTable,
} from '../shared/decode';
import { planItems } from '../shared/decode/plan-items';
import { Conversation, type EventBody, type RecordPlace, sourceOf, usageOf } from '../shared/conversation';
import { sessionOfWire, wireWorkplace } from './places';
import { returned } from './results';

/** Roles of Kimi's tools for which the common one does not fit. */
export const TOOLS: ToolTable = { settodolist: 'plan', tasklist: 'look', taskoutput: 'look', taskstop: 'other' };
/** Number of attempts to parse the arguments of a call as JSON while they come in pieces; longer ones are read when the next record comes. */
const TRIES = 64;

/** A call whose arguments may continue in the next record. */
interface Begun {
  readonly id: string;
  readonly name: string;
  readonly place: RecordPlace;
  readonly batch: string;
  text: string;
  tries: number;
}

/**
 * Decodes the wire log of Kimi CLI. The arguments of a call can be cut anywhere and continue in `ToolCallPart` records, with other records in
 * between; what a sub-agent does is in the log of its parent, wrapped.
 */
export function createWireDecoder({ file, readSmall }: DecoderContext): LineDecoder {
  const session = sessionOfWire(file);
  const conversation = new Conversation({
    agent: 'kimi',
    file,
    session,
    tools: TOOLS,
    callOpensTurn: true,
    plan: ({ name, args }) => (name === 'SetTodoList' ? planItems(at(args, 'todos')) : null),
    answered({ id }, { isError }, _added, place) {
      if (!agents.delete(id)) return;
      const child = `${session}_${id}`;
      conversation.emitFor(child, { type: 'turn_end', reason: isError ? 'error' : 'done' }, place);
      conversation.emitFor(child, { type: 'session_end', reason: isError ? 'error' : 'clean' }, place);
    },
  });
  /** The last call of each session, if its arguments are not complete yet. */
  const begun = new Map<string, Begun>();
  /** Running sub-agents, by the call that started them. */
  const agents = new Set<string>();
  let sink: DecodeSink | null = null;
  let step = '';

  const emit = (of: string, body: EventBody): void => conversation.emitFor(of, body);

  const flush = (of: string): void => {
    const call = begun.get(of);
    if (!call || !sink) return;
    begun.delete(of);
    const { source, at: now } = conversation.place;
    conversation.begin(call.place.source, sink);
    conversation.timed(call.place.at);
    const { id, name, batch } = call;
    conversation.call({ id, name, batch, session: of, ...argumentsIn(call.text) });
    conversation.begin(source, sink);
    conversation.timed(now);
  };

  const grown = (of: string, piece: string): void => {
    const call = begun.get(of);
    if (!call) return;
    call.text += piece;
    // Only complete arguments end this way, but not every piece with this ending completes them.
    if (piece.trimEnd().endsWith('}') && ++call.tries <= TRIES && parseRecord(call.text)) flush(of);
  };

  const toolCall = (of: string, payload: JsonRecord): void => {
    flush(of);
    const id = asText(payload['id']);
    if (id === undefined) return conversation.unread({ why: 'a call without an id', call: true });
    const made = asRecord(payload['function']);
    const name = asText(made?.['name']) ?? 'unknown';
    begun.set(of, { id, name, place: conversation.place, batch: `${of} ${step}`, text: '', tries: 0 });
    grown(of, asText(made?.['arguments']) ?? '');
  };

  const record = (of: string, type: string, payload: JsonRecord): void => {
    switch (type) {
      case 'TurnBegin': {
        flush(of);
        const text = textOf(payload['user_input']);
        if (of === session) return conversation.prompt(text);
        return emit(of, { type: 'user', text, automated: true });
      }
      case 'StepBegin':
        flush(of);
        step = String(conversation.place.source.offset);
        if (of === session) conversation.startTurn();
        return emit(of, { type: 'request' });
      case 'ContentPart': {
        const text = payload['type'] === 'text' ? (asText(payload['text']) ?? '') : '';
        return emit(
          of,
          text.trim() === '' ? { type: 'other', name: 'thinking' } : { type: 'assistant', text, chunk: false },
        );
      }
      case 'ToolCall':
        return toolCall(of, payload);
      case 'ToolCallPart':
        return grown(of, asText(payload['arguments_part']) ?? '');
      case 'ToolResult': {
        const id = asText(payload['tool_call_id']);
        if (id === undefined) return conversation.problem('a result without the id of a call');
        if (begun.get(of)?.id === id) flush(of);
        if (!conversation.result(id, returned(payload['return_value']))) emit(of, { type: 'other', name: 'result' });
        return;
      }
      case 'StatusUpdate':
        return status(of, payload);
      case 'ApprovalRequest':
        flush(of);
        return emit(of, { type: 'waiting', for: 'permission', ...words(payload['description']) });
      case 'ApprovalResponse':
        return emit(of, { type: 'turn_start' });
      case 'QuestionRequest':
        flush(of);
        return emit(of, {
          type: 'waiting',
          for: 'input',
          ...words(at(asArray(payload['questions'])?.[0], 'question')),
        });
      case 'StepInterrupted':
        flush(of);
        if (of !== session) return emit(of, { type: 'turn_end', reason: 'interrupted' });
        conversation.endTurn('interrupted');
        return;
      case 'TurnEnd':
        flush(of);
        if (of === session) conversation.endTurn('done');
        return;
      case 'CompactionBegin':
        return emit(of, { type: 'other', name: 'compaction begins' });
      case 'CompactionEnd':
        return emit(of, { type: 'compaction', trigger: 'auto' });
      case 'SubagentEvent':
        return subagent(payload);
      default:
        return emit(of, { type: 'other', name: headOf(type, 60) });
    }
  };

  const subagent = (payload: JsonRecord): void => {
    const call = asText(payload['task_tool_call_id']);
    const event = asRecord(payload['event']);
    const type = asText(event?.['type']);
    if (call === undefined || type === undefined || type === 'SubagentEvent')
      return conversation.problem('a record of a sub-agent without what it is');
    if (begun.get(session)?.id === call) flush(session);
    const child = `${session}_${call}`;
    if (!agents.has(call)) {
      agents.add(call);
      const started = conversation.calls.get(call)?.args;
      const title = asText(at(started, 'description'));
      const role = asText(at(started, 'subagent_name'));
      emit(child, {
        type: 'session_info',
        parent: session,
        ...(title !== undefined && { title }),
        ...(role !== undefined && { role }),
      });
    }
    record(child, type, asRecord(event?.['payload']) ?? {});
  };

  const status = (of: string, payload: JsonRecord): void => {
    const counts = asRecord(payload['token_usage']);
    const count = (name: string): number => asNumber(counts?.[name]) ?? 0;
    const usage = usageOf({
      input: count('input_other') + count('input_cache_read') + count('input_cache_creation'),
      output: count('output'),
      contextWindow: asNumber(payload['max_context_tokens']),
    });
    emit(of, usage ?? { type: 'other', name: 'status' });
  };

  return eachRecord({
    unit: 'line',
    decode(line, given) {
      sink = given;
      conversation.begin(sourceOf(file, line), given);
      if (line.text.trim() === '') return;
      const whole = parseRecord(line.text);
      if (!whole) return conversation.problem('not a JSON record');
      conversation.timed(timeOf(whole['timestamp']));
      const message = asRecord(whole['message']);
      const type = asText(message?.['type']);
      if (type !== undefined) return record(session, type, asRecord(message?.['payload']) ?? {});
      if (whole['type'] === 'metadata') {
        conversation.learn({ mode: 'interactive', cwd: wireWorkplace(file, readSmall) });
        return;
      }
      conversation.problem('a record without a message');
    },
  });
}

function words(question: unknown): { readonly question?: string } {
  const text = asText(question);
  return text === undefined ? {} : { question: text };
}
