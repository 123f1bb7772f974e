import type { TurnEndReason } from '../../core/model';
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
  malformed,
  requestErrorKind,
  textOf,
  timeOf,
  type ToolTable,
} from '../shared/decode';
import { planItems } from '../shared/decode/plan-items';
import { Conversation, type ToolResult } from '../shared/conversation';
import { grokPlace } from './places';

const TOOLS: ToolTable = {
  killcommandorsubagent: 'other',
  getcommandorsubagentoutput: 'wait',
  spawnsubagent: 'delegate',
  exitplanmode: 'ask',
};
const READ = 400;

/** Decodes the updates of a Grok Build session, in the form of the Agent Client Protocol (written from runs of 1.0.41). */
export function createDecoder({ file }: DecoderContext): LineDecoder {
  const { session, cwd } = grokPlace(file);
  const conversation = new Conversation({
    agent: 'grok-build',
    file,
    session,
    tools: TOOLS,
    callOpensTurn: true,
    namesStrayResults: true,
  });

  let filled = 0;

  const called = (update: JsonRecord): void => {
    const id = asText(update['toolCallId']);
    if (id === undefined) return conversation.unread({ why: 'a call without an id', call: true });
    const name = asText(at(update, '_meta', 'x.ai/tool', 'name')) ?? asText(update['title']) ?? 'unknown';
    conversation.call({ id, name, args: update['rawInput'] ?? {} });
  };

  const updated = (update: JsonRecord): void => {
    const status = update['status'];
    if (status !== 'completed' && status !== 'failed') return conversation.emit({ type: 'other', name: 'call' });
    const text = textOf((asArray(update['content']) ?? []).map((one) => at(one, 'content')));
    const result = resultOf(text, status === 'failed', asNumber(at(update, 'rawOutput', 'exit_code')));
    conversation.result(asText(update['toolCallId']) ?? '', result);
    // A message from Unstuck refused the call.
    conversation.marks(text);
  };

  const ended = (update: JsonRecord): void => {
    const reason = asText(update['stop_reason']) ?? '';
    // The counts of all requests of the turn: the fill of the context comes with each update.
    const count = (name: string): number => asNumber(at(update, 'usage', name)) ?? 0;
    const counts = { inputTokens: count('inputTokens'), outputTokens: count('outputTokens') };
    if (filled > 0) conversation.emit({ type: 'usage', contextTokens: filled, ...counts });
    if (!conversation.endTurn(endingOf(reason))) conversation.emit({ type: 'other', name: 'end of a turn' });
  };

  const update = (said: JsonRecord): void => {
    const text = textOf(said['content']);
    const kind = asText(said['sessionUpdate']) ?? 'update';
    switch (kind) {
      case 'user_message_chunk':
        conversation.learn({ cwd, model: asText(at(said, '_meta', 'modelId')), mode: 'interactive' });
        return conversation.prompt(text);
      case 'agent_message_chunk':
        if (text.trim() === '') return conversation.emit({ type: 'other', name: kind });
        return conversation.emit({ type: 'assistant', text, chunk: true });
      case 'tool_call':
        return called(said);
      case 'tool_call_update':
        return updated(said);
      case 'plan': {
        const items = planItems(said['entries']);
        return conversation.emit(items ? { type: 'plan', items } : { type: 'other', name: kind });
      }
      case 'retry_state':
        return conversation.emit({
          type: 'error',
          kind: requestErrorKind(asText(said['reason']) ?? ''),
          message: asText(said['reason']) ?? kind,
        });
      case 'turn_completed':
        return ended(said);
      case 'hook_annotation':
        // What a hook said to the person: a message from Unstuck is named only here.
        conversation.marks(asText(said['message']) ?? '');
        return conversation.emit({ type: 'other', name: kind });
      default:
        return conversation.emit({ type: 'other', name: headOf(kind, 60) });
    }
  };

  return eachRecord({
    unit: 'line',
    decode(line, sink) {
      const record = conversation.record(file, line, sink);
      if (!record) return;
      const seconds = asNumber(record['timestamp']);
      conversation.timed(
        timeOf(at(record, 'params', '_meta', 'agentTimestampMs')) ?? timeOf(seconds && seconds * 1000),
      );
      filled = asNumber(at(record, 'params', '_meta', 'totalTokens')) ?? filled;
      const said = asRecord(at(record, 'params', 'update'));
      if (said) update(said);
      else conversation.problem('a record without an update');
    },
  });
}

function endingOf(reason: string): TurnEndReason {
  if (reason === 'end_turn') return 'done';
  return reason === 'cancelled' ? 'interrupted' : 'error';
}

/** Parses the result of a call: the exit code of a command is next to it, other failures are in its text. */
function resultOf(output: string, hasFailed: boolean, exitCode: number | undefined): ToolResult {
  const start = headOf(output, READ);
  const unknown = /: Tool not found: (\S{1,200})/.exec(start)?.[1];
  const isMalformed = start.startsWith('Failed to parse arguments for tool');
  return {
    output,
    isError: hasFailed || (exitCode !== undefined && exitCode !== 0),
    ...(exitCode !== undefined && { exitCode }),
    ...(unknown !== undefined && malformed('unknown_tool', output, 'the name of an available tool', unknown)),
    ...(isMalformed && unknown === undefined && malformed('invalid_arguments', output)),
    ...(start.startsWith('Hook denied: ') && { denied: 'hook' as const }),
  };
}
