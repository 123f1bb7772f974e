import type { DecoderContext, LineDecoder } from '../decoder';
import {
  argumentsIn,
  asArray,
  asRecord,
  asText,
  at,
  eachRecord,
  headOf,
  type JsonRecord,
  malformed,
  textOf,
  unknownType,
} from '../shared/decode';
import { planItems } from '../shared/decode/plan-items';
import { Conversation, type ToolResult } from '../shared/conversation';
import { descriptionOf, vibePlace, workplaceIn } from './places';

const READ = 600;

/** Decodes the messages of a session of Mistral Vibe: chat completion messages, one per line, with calls and results paired by id. */
export function createDecoder({ file, readSmall }: DecoderContext): LineDecoder {
  const { session, parent } = vibePlace(file);
  const conversation = new Conversation({
    agent: 'mistral-vibe',
    file,
    session,
    callOpensTurn: true,
    namesStrayResults: true,
    plan: ({ name, args }) => (name === 'todo' ? planItems(at(args, 'todos')) : null),
  });
  let described = false;

  const describe = (): void => {
    if (described) return;
    const meta = descriptionOf(file, readSmall);
    if (!meta) return;
    described = true;
    const title = asText(meta['title']);
    conversation.learn({ cwd: workplaceIn(meta), model: asText(at(meta, 'config', 'active_model')) });
    if (title === undefined && parent === undefined) return;
    conversation.emit({
      type: 'session_info',
      ...(title !== undefined && { title }),
      ...(parent !== undefined && { parent, role: 'agent' }),
    });
  };

  const assistant = (record: JsonRecord): void => {
    const batch = asText(record['message_id']) ?? String(conversation.place.source.offset);
    const text = textOf(record['content']);
    if (text.trim() !== '') conversation.emit({ type: 'assistant', text, chunk: false });
    const calls = asArray(record['tool_calls']) ?? [];
    for (const [index, value] of calls.entries()) {
      const call = asRecord(value);
      const id = asText(call?.['id']) ?? `${batch}/${index}`;
      const name = asText(at(call, 'function', 'name')) ?? 'unknown';
      conversation.call({ id, name, batch, ...argumentsIn(asText(at(call, 'function', 'arguments')) ?? '') });
    }
    if (calls.length === 0 && text.trim() !== '') conversation.endTurn('done');
    else if (calls.length === 0) conversation.emit({ type: 'other', name: 'empty message' });
  };

  const tool = (record: JsonRecord): void => {
    const result = resultOf(textOf(record['content']));
    conversation.result(asText(record['tool_call_id']) ?? '', result);
    if (result.denied || result.interrupted) conversation.endTurn('interrupted');
  };

  return eachRecord({
    unit: 'line',
    decode(line, sink) {
      const record = conversation.record(file, line, sink);
      if (!record) return;
      describe();
      switch (record['role']) {
        case 'user':
          return conversation.prompt(textOf(record['content']), record['injected'] === true);
        case 'assistant':
          return assistant(record);
        case 'tool':
          return tool(record);
        default:
          return conversation.unread(unknownType('message', record['role'], record));
      }
    },
  });
}

/** Parses the result of a call: Vibe's own tags contain failures and a person's refusal; a command that ran ends with its exit code. */
function resultOf(output: string): ToolResult {
  const start = headOf(output, READ);
  const isError = start.startsWith('<tool_error>');
  const cancelled = start.startsWith('<user_cancellation>');
  const code = isError
    ? /\nReturn code: (-?\d{1,10})(?:\n|<)/.exec(start)?.[1]
    : /(?:^|\n)returncode: (-?\d{1,10})\s{0,8}$/.exec(output.slice(-READ))?.[1];
  const said = /^<tool_error>[^:\n]{1,200}: (Unknown tool|Invalid arguments)/.exec(start)?.[1];
  const interrupted = cancelled && /interrupted|cancelled/i.test(start);
  return {
    output,
    isError: isError || cancelled || (code !== undefined && code !== '0'),
    ...(code !== undefined && { exitCode: Number(code) }),
    ...(said === 'Unknown tool' && malformed('unknown_tool', output, 'the name of an available tool')),
    ...(said === 'Invalid arguments' && malformed('invalid_arguments', output)),
    ...(interrupted && { interrupted: true }),
    ...(cancelled && !interrupted && { denied: 'user' as const }),
  };
}
