import type { DecoderContext, LineDecoder } from '../decoder';
import {
  asArray,
  asNumber,
  asRecord,
  asText,
  at,
  eachRecord,
  headOf,
  type JsonRecord,
  textOf,
  timeOf,
} from '../shared/decode';
import { planItems } from '../shared/decode/plan-items';
import { Conversation } from '../shared/conversation';
import { codePlace } from './places';
import { resultOf } from './results';
import { TOOLS } from './wire';

/** Decodes the log of one agent of Kimi Code: prompts and settings, and in `context.append_loop_event` what the agent does. */
export function createCodeDecoder({ file }: DecoderContext): LineDecoder {
  const { session, parent } = codePlace(file);
  const conversation = new Conversation({
    agent: 'kimi',
    file,
    session,
    tools: TOOLS,
    callOpensTurn: true,
    plan: ({ name, args }) => (name === 'TodoList' ? planItems(at(args, 'todos')) : null),
  });

  const step = (event: JsonRecord): void => {
    switch (event['type']) {
      case 'step.begin':
        conversation.startTurn();
        return conversation.emit({ type: 'request' });
      case 'content.part': {
        const part = asRecord(event['part']);
        const text = part?.['type'] === 'text' ? (asText(part['text']) ?? '') : '';
        if (text.trim() === '') return conversation.emit({ type: 'other', name: 'thinking' });
        return conversation.emit({ type: 'assistant', text, chunk: false });
      }
      case 'tool.call':
        return toolCall(event);
      case 'tool.result': {
        const id = asText(event['toolCallId']);
        if (id === undefined) return conversation.problem('a result without the id of a call');
        const result = asRecord(event['result']) ?? {};
        const output = textOf(result['output'] ?? result['content']);
        if (!conversation.result(id, resultOf(output, result['isError'] === true)))
          conversation.emit({ type: 'other', name: 'result' });
        return;
      }
      case 'step.end':
        return ended(event);
      default:
        return conversation.emit({ type: 'other', name: headOf(asText(event['type']) ?? 'event', 60) });
    }
  };

  const toolCall = (event: JsonRecord): void => {
    const id = asText(event['toolCallId']) ?? asText(event['uuid']);
    if (id === undefined) return conversation.unread({ why: 'a call without an id', call: true });
    conversation.learn({ cwd: asText(at(event, 'display', 'cwd')) });
    const name = asText(event['name']) ?? 'unknown';
    conversation.call({ id, name, args: event['args'] ?? {}, batch: asText(event['stepUuid']) });
    if (name === 'AskUserQuestion') {
      const question = asText(at(asArray(at(event['args'], 'questions'))?.[0], 'question'));
      conversation.emit({ type: 'waiting', for: 'input', ...(question !== undefined && { question }) });
    }
  };

  const ended = (event: JsonRecord): void => {
    const counts = asRecord(event['usage']);
    const count = (name: string): number => asNumber(counts?.[name]) ?? 0;
    const input = count('inputOther') + count('inputCacheRead') + count('inputCacheCreation');
    const counted = conversation.usage({ input, output: count('output') });
    const reason = asText(event['finishReason']);
    if (reason === 'end_turn' || reason === 'stop') conversation.endTurn('done');
    else if (!counted) conversation.emit({ type: 'other', name: 'end of a step' });
  };

  const turnEnded = (record: JsonRecord): void => {
    const reason = asText(record['reason']);
    const ending =
      reason === 'completed' ? 'done' : reason === 'failed' || reason === 'error' ? 'error' : 'interrupted';
    if (!conversation.endTurn(ending)) conversation.emit({ type: 'other', name: 'end of a turn' });
  };

  const learnConfig = (record: JsonRecord): void => {
    conversation.learn({
      model: asText(record['modelAlias']) ?? asText(record['model']),
      cwd: asText(at(record, 'environmentDisclosure', 'cwd')),
    });
  };

  return eachRecord({
    unit: 'line',
    decode(line, sink) {
      const record = conversation.record(file, line, sink);
      if (!record) return;
      conversation.timed(timeOf(record['time']) ?? timeOf(record['created_at']));
      const type = asText(record['type']);
      switch (type) {
        case 'metadata':
          return conversation.emit({
            type: 'session_info',
            mode: 'interactive',
            ...(parent !== undefined && { parent }),
          });
        case 'turn.prompt':
        case 'turn.steer':
          return conversation.prompt(textOf(record['input']), at(record, 'origin', 'kind') !== 'user');
        case 'turn.cancel':
          if (!conversation.endTurn('interrupted')) conversation.emit({ type: 'other', name: type });
          return;
        case 'turn.ended':
          return turnEnded(record);
        case 'context.append_loop_event': {
          const event = asRecord(record['event']);
          return event ? step(event) : conversation.problem('a step without its event');
        }
        case 'config.update':
        case 'profile.bind':
          return learnConfig(record);
        case 'permission.set_mode': {
          // Which calls ask in another mode depends on the person's rules.
          const asks = conversation.facts.permissionMode === 'nothing' ? 'escalation' : undefined;
          conversation.learn({ permissionMode: record['mode'] === 'yolo' ? 'nothing' : asks });
          return conversation.emit({ type: 'other', name: type });
        }
        case 'context.apply_compaction': {
          const summary = asText(record['summary']);
          const before = asNumber(record['tokensBefore']);
          const after = asNumber(record['tokensAfter']);
          return conversation.emit({
            type: 'compaction',
            ...(summary !== undefined && { summary }),
            ...(before !== undefined && { tokensBefore: before }),
            ...(after !== undefined && { tokensAfter: after }),
          });
        }
        case undefined:
          return conversation.problem('a record without a type');
        default:
          return conversation.emit({ type: 'other', name: headOf(type, 60) });
      }
    },
  });
}
