import type { DecoderContext, LineDecoder } from '../decoder';
import {
  asArray,
  asNumber,
  asRecord,
  asText,
  at,
  eachRecord,
  isOwnMessage,
  type JsonRecord,
  malformed,
  Recent,
  requestErrorKind,
  sessionOfFile,
  textOf,
  timeOf,
} from '../shared/decode';
import { Conversation, type ToolResult } from '../shared/conversation';

const REMEMBERED = 2000;
const READ = 600;
const EXIT =
  /(?:^|\n)(?:Command exited with code (-?\d{1,10})|Command timed out after [^\n]{0,39}\S|Command aborted)\s*$/;

/** Decodes a pi session: entries of a tree, appended; `message` entries hold the conversation. */
export function createDecoder({ file }: DecoderContext): LineDecoder {
  const conversation = new Conversation({
    agent: 'pi',
    file,
    session: sessionOfFile(file),
    namesStrayResults: true,
    answered: (_call, { denied, output }) => {
      if (denied === 'hook') conversation.marks(output);
    },
  });
  const seen = new Recent<string, true>(REMEMBERED);

  const header = (entry: JsonRecord): void => {
    const session = asText(entry['id']);
    if (session !== undefined) conversation.session = session;
    conversation.facts.update({ cwd: asText(entry['cwd']) });
    const { cwd } = conversation.facts;
    const named = asText(entry['modelId']);
    const forked = asText(entry['parentSession']);
    conversation.emit({
      type: 'session_info',
      ...(cwd !== undefined && { cwd }),
      ...(named !== undefined && { model: named }),
      ...(forked !== undefined && { forkedFrom: sessionOfFile(forked) }),
    });
  };

  const assistant = (message: JsonRecord, entry: string): void => {
    conversation.learn({ model: asText(message['model']) });
    for (const [index, value] of (asArray(message['content']) ?? []).entries()) {
      const block = asRecord(value);
      if (block?.['type'] === 'toolCall') toolCall(block, entry, index);
      else if (block?.['type'] === 'text') {
        const text = asText(block['text']) ?? '';
        const continues = message['stopReason'] === 'toolUse';
        if (text.trim() !== '')
          conversation.emit({ type: 'assistant', text, chunk: false, ...(continues && { isLast: false }) });
      }
    }
    usage(message);
    stopped(message);
  };

  const toolCall = (block: JsonRecord, entry: string, index: number): void => {
    const id = asText(block['id']) ?? `${entry}/${index}`;
    const name = asText(block['name']) ?? 'unknown';
    conversation.call({ id, name, args: block['arguments'] ?? {}, batch: entry });
  };

  const usage = (message: JsonRecord): void => {
    const counts = asRecord(message['usage']);
    const number = (name: string): number => asNumber(counts?.[name]) ?? 0;
    conversation.usage({
      input: number('input') + number('cacheRead') + number('cacheWrite'),
      output: number('output'),
      cost: asNumber(at(counts, 'cost', 'total')),
    });
  };

  const stopped = (message: JsonRecord): void => {
    switch (message['stopReason']) {
      case 'stop':
        return conversation.emit({ type: 'turn_end', reason: 'done' });
      case 'aborted':
        return conversation.emit({ type: 'turn_end', reason: 'interrupted' });
      case 'length':
        return conversation.emit({
          type: 'error',
          kind: 'validation',
          message: 'The answer was cut off at the limit of output tokens.',
        });
      case 'error': {
        const text = asText(message['errorMessage']) ?? 'error';
        conversation.emit({ type: 'error', kind: requestErrorKind(text), message: text });
        return conversation.emit({ type: 'turn_end', reason: 'error' });
      }
    }
  };

  const toolResult = (message: JsonRecord): void => {
    const id = asText(message['toolCallId']);
    if (id === undefined) return conversation.problem('a result without the id of a call');
    conversation.result(id, resultOf(message));
  };

  const decodeMessage = (message: JsonRecord, entry: string): void => {
    switch (message['role']) {
      case 'user':
        return conversation.prompt(textOf(message['content']));
      case 'assistant':
        return assistant(message, entry);
      case 'toolResult':
        return toolResult(message);
      default:
        return conversation.emit({ type: 'other', name: asText(message['role']) ?? 'message' });
    }
  };

  return eachRecord({
    unit: 'line',
    decode(line, sink) {
      const entry = conversation.record(file, line, sink);
      if (!entry) return;
      const message = asRecord(entry['message']);
      conversation.timed(timeOf(entry['timestamp']) ?? timeOf(message?.['timestamp']));
      const type = asText(entry['type']);
      const id = asText(entry['id']) ?? String(line.offset);
      // A fork repeats the entries that it continues from.
      if (type !== 'session' && entry['id'] !== undefined) {
        if (seen.has(id)) return conversation.emit({ type: 'other', name: 'repeated entry' });
        seen.set(id, true);
      }
      switch (type) {
        case 'session':
          return header(entry);
        case 'message':
          return message ? decodeMessage(message, id) : conversation.problem('an entry without its message');
        case 'model_change': {
          conversation.facts.update({ model: asText(entry['modelId']) });
          const { model } = conversation.facts;
          return conversation.emit({ type: 'session_info', ...(model !== undefined && { model }) });
        }
        case 'session_info': {
          const title = asText(entry['name']);
          return conversation.emit({ type: 'session_info', ...(title !== undefined && { title }) });
        }
        case 'compaction': {
          const summary = asText(entry['summary']);
          const before = asNumber(entry['tokensBefore']);
          return conversation.emit({
            type: 'compaction',
            ...(summary !== undefined && { summary }),
            ...(before !== undefined && { tokensBefore: before }),
          });
        }
        case 'custom_message':
          return conversation.prompt(textOf(entry['content']), true);
        case undefined:
          return conversation.problem('an entry without a type');
        default:
          return conversation.emit({ type: 'other', name: type });
      }
    },
  });
}

function resultOf(message: JsonRecord): ToolResult {
  const output = textOf(message['content']);
  const exit = EXIT.exec(output.length > READ ? output.slice(-READ) : output);
  const unknown = /^Tool (\S{1,200}) not found/.exec(output)?.[1];
  const validation =
    unknown !== undefined
      ? malformed('unknown_tool', output, 'the name of an available tool', unknown)
      : output.startsWith('Validation failed for tool')
        ? malformed('invalid_arguments', output)
        : {};
  return {
    output,
    isError: message['isError'] === true || exit !== null,
    ...(exit?.[1] !== undefined && { exitCode: Number(exit[1]) }),
    ...validation,
    // A failed call whose whole result is a message from Unstuck was refused by it.
    ...(message['isError'] === true && isOwnMessage(output) && { denied: 'hook' as const }),
    ...(exit?.[0].trim() === 'Command aborted' && { interrupted: true }),
  };
}
