import type { DecoderContext, LineDecoder } from '../decoder';
import {
  asArray,
  asNumber,
  asRecord,
  asText,
  at,
  cutTags,
  eachRecord,
  headOf,
  type JsonRecord,
  malformed,
  requestErrorKind,
  sessionOfFile,
  textOf,
  timeOf,
  type ToolTable,
  unknownType,
} from '../shared/decode';
import { planItems } from '../shared/decode/plan-items';
import { Conversation, type ToolResult } from '../shared/conversation';
import { SENDER } from '../../core/words/messages/handed-task';

const TOOLS: ToolTable = { execute: 'shell', exitspecmode: 'ask' };
const READ = 400;

/** Decodes a session of Droid: messages like Claude Code's, in records of its own. Written from samples, and read alongside `droid exec` 0.215.0. */
export function createDecoder({ file }: DecoderContext): LineDecoder {
  const conversation = new Conversation({
    agent: 'droid',
    file,
    session: sessionOfFile(file),
    tools: TOOLS,
    callOpensTurn: true,
    namesStrayResults: true,
    plan: ({ name, args }) => (name === 'TodoWrite' ? planItems(at(args, 'todos')) : null),
  });

  const header = (record: JsonRecord): void => {
    conversation.session = asText(record['id']) ?? conversation.session;
    const parent = asText(record['callingSessionId']);
    const title = asText(record['title']);
    const cwd = asText(record['cwd']);
    conversation.facts.update({ cwd, mode: 'interactive' });
    conversation.emit({
      type: 'session_info',
      mode: 'interactive',
      ...(cwd !== undefined && { cwd }),
      ...(title !== undefined && title !== 'New Session' && { title }),
      ...(parent !== undefined && { parent }),
    });
  };

  const message = (record: JsonRecord): void => {
    const given = asRecord(record['message']) ?? {};
    const content = asArray(given['content']) ?? [{ type: 'text', text: given['content'] }];
    // Only the person sees it: what one of their hooks said, or a limit of the vendor, at which the agent stops.
    const isHook = (record['hookEventName'] ?? given['hookEventName']) !== undefined;
    if ((record['visibility'] ?? given['visibility']) === 'user_only')
      return isHook ? hook(given) : notice(textOf(content));
    if (given['role'] === 'assistant') return assistant(content, asText(record['id']) ?? '', given);
    if (given['role'] === 'user') return user(content);
    conversation.emit({ type: 'other', name: headOf(asText(given['role']) ?? 'message', 60) });
  };

  /** Reads a hook's answer, which is written only here. */
  const hook = (given: JsonRecord): void => {
    for (const result of asArray(given['hookResults']) ?? [])
      conversation.marks(asText(asRecord(result)?.['stdout']) ?? '');
    conversation.emit({ type: 'other', name: 'hook' });
  };

  const notice = (text: string): void => {
    // "Token limit reached" is what is left of a plan here, not of an answer.
    const limited = /\btoken limit reached\b/i.test(headOf(text, 1000)) || requestErrorKind(text) === 'rate_limit';
    conversation.emit({ type: 'error', kind: limited ? 'rate_limit' : 'other', message: text || 'notice' });
    if (limited) conversation.endTurn('error');
  };

  const user = (content: readonly unknown[]): void => {
    const texts: string[] = [];
    let reminders = 0;
    for (const value of content) {
      const block = asRecord(value) ?? {};
      const id = asText(block['tool_use_id']);
      if (block['type'] === 'tool_result' && id !== undefined) conversation.result(id, resultOf(block));
      else if (block['type'] === 'text') {
        const { rest, inside } = cutTags(asText(block['text']) ?? '', '<system-reminder>', '</system-reminder>');
        reminders += inside.length;
        if (rest.trim() !== '') texts.push(rest.trim());
      }
    }
    if (texts.length > 0) conversation.prompt(texts.join('\n'));
    else if (reminders > 0) conversation.emit({ type: 'other', name: 'reminder' });
  };

  const assistant = (content: readonly unknown[], batch: string, given: JsonRecord): void => {
    let calls = 0;
    let spoke = false;
    for (const value of content) {
      const block = asRecord(value) ?? {};
      const text = asText(block['text']) ?? '';
      if (block['type'] === 'tool_use') {
        const id = asText(block['id']) ?? `${batch}/${calls}`;
        conversation.call({ id, name: asText(block['name']) ?? 'unknown', args: block['input'] ?? {}, batch });
        calls++;
      } else if (block['type'] === 'text') {
        if (text.trim() === '') continue;
        spoke = true;
        conversation.emit({ type: 'assistant', text, chunk: false });
      } else if (block['type'] !== 'thinking' && block['type'] !== 'redacted_thinking')
        conversation.unread(unknownType('block', block['type'], block));
    }
    const counts = asRecord(given['usage']);
    const count = (name: string): number => asNumber(counts?.[name]) ?? 0;
    const input = count('input_tokens') + count('cache_read_input_tokens') + count('cache_creation_input_tokens');
    conversation.usage({ input, output: count('output_tokens') });
    if (calls === 0 && spoke) conversation.endTurn('done');
  };

  const outcome = (record: JsonRecord): void => {
    const kind = asText(record['resultKind']) ?? '';
    const reason = /error|fail/i.test(kind) ? 'error' : /cancel|abort|interrupt/i.test(kind) ? 'interrupted' : 'done';
    if (!conversation.endTurn(reason)) conversation.emit({ type: 'other', name: 'end of a turn' });
  };

  return eachRecord({
    unit: 'line',
    decode(line, sink) {
      const record = conversation.record(file, line, sink);
      if (!record) return;
      conversation.timed(timeOf(record['timestamp']));
      switch (record['type']) {
        case 'session_start':
          return header(record);
        case 'message':
          return message(record);
        case 'agent_turn_outcome':
          return outcome(record);
        case 'compaction_state':
          return conversation.emit({ type: 'compaction' });
        case undefined:
          return conversation.problem('a record without a type');
        default:
          return conversation.emit({ type: 'other', name: headOf(asText(record['type']) ?? 'record', 60) });
      }
    },
  });
}

/** Parses the result of a call. A failed command is reported in its text. */
function resultOf(block: JsonRecord): ToolResult {
  const output = textOf(block['content']);
  const start = headOf(output, READ);
  const code = /^Error: Command failed \(exit code: (-?\d{1,10})\)/.exec(start)?.[1];
  const unknown = /^(?:Error: )?(?:Unknown tool|Tool not found):? (\S{1,200})/.exec(start)?.[1];
  return {
    output,
    isError: block['is_error'] === true || code !== undefined || unknown !== undefined,
    ...(code !== undefined && { exitCode: Number(code) }),
    // The result of a refused call is the hook's reason; only with our own hook is it known that a hook refused.
    ...(start.startsWith(`Error: ${SENDER}`) && { denied: 'hook' as const }),
    ...(unknown !== undefined && malformed('unknown_tool', output, 'the name of an available tool', unknown)),
  };
}
