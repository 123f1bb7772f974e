import type { DecoderContext, LineDecoder } from '../decoder';
import {
  asArray,
  asRecord,
  asText,
  at,
  eachRecord,
  headOf,
  parseJson,
  type JsonRecord,
  malformed,
  printed,
  sessionOfFile,
  timeOf,
  type ToolTable,
  unknownType,
} from '../shared/decode';
import { planItems } from '../shared/decode/plan-items';
import { Conversation, type ToolResult } from '../shared/conversation';
import { descriptionOf } from './places';

/** Roles of Kiro's tools for which the common one does not fit: one `write` creates and replaces. */
const TOOLS: ToolTable = { fsread: 'read', fswrite: 'edit', write: 'edit', executecmd: 'shell', useaws: 'shell' };
/** The agent's remark on a call: different words each time, even if the call is the same. */
const REMARK = '__tool_use_purpose';
const READ = 600;

/** Decodes the log of a session of Kiro CLI: prompts, messages of the model and results of its calls, paired by id. */
export function createDecoder({ file, readSmall }: DecoderContext): LineDecoder {
  const session = sessionOfFile(file);
  const conversation = new Conversation({
    agent: 'kiro',
    file,
    session,
    tools: TOOLS,
    callOpensTurn: true,
    shown: ({ name, args }) => ({ name, args: operated(args) }),
    // The remaining tasks are in the result: a call names those that it completes.
    plan: ({ name }, { output }) =>
      name === 'todo_list' ? planItems(asArray(at(parseJson(output), 'tasks'))?.map(planItem)) : null,
  });
  let described = false;

  const describe = (): void => {
    if (described) return;
    const description = descriptionOf(file, readSmall);
    if (!description) return;
    described = true;
    const model = asText(at(description, 'session_state', 'rts_model_state', 'model_info', 'model_id'));
    const title = asText(description['title']);
    conversation.learn({
      cwd: asText(description['cwd']),
      model: model === 'auto' ? undefined : model,
      mode: 'interactive',
    });
    if (title !== undefined) conversation.emit({ type: 'session_info', title });
  };

  const prompt = (data: JsonRecord): void => {
    conversation.timed(timeOf(at(data, 'meta', 'timestamp')));
    // Blocks that a company adds to each prompt come before the person's own.
    const texts = (asArray(data['content']) ?? []).map(asRecord).filter((block) => block?.['kind'] === 'text');
    conversation.prompt(asText(texts.at(-1)?.['data']) ?? '');
  };

  const assistant = (data: JsonRecord): void => {
    const batch = asText(data['message_id']) ?? String(conversation.place.source.offset);
    let calls = 0;
    let spoke = false;
    for (const value of asArray(data['content']) ?? []) {
      const block = asRecord(value);
      const text = asText(block?.['data']);
      if (block?.['kind'] === 'toolUse') toolCall(asRecord(block['data']) ?? {}, batch, calls++);
      else if (block?.['kind'] === 'text') {
        if (text === undefined || text.trim() === '') continue;
        spoke = true;
        conversation.emit({ type: 'assistant', text, chunk: false });
      } else conversation.unread(unknownType('block', block?.['kind'], asRecord(block?.['data']) ?? block ?? {}));
    }
    if (calls === 0 && spoke) conversation.endTurn('done');
    else if (calls === 0) conversation.emit({ type: 'other', name: 'empty message' });
  };

  const toolCall = (use: JsonRecord, batch: string, index: number): void => {
    const { [REMARK]: _remark, ...args } = asRecord(use['input']) ?? {};
    conversation.call({
      id: asText(use['toolUseId']) ?? `${batch}/${index}`,
      name: asText(use['name']) ?? 'unknown',
      args,
      batch,
    });
  };

  const results = (data: JsonRecord): void => {
    let found = 0;
    for (const value of asArray(data['content']) ?? []) {
      const block = asRecord(value);
      const result = asRecord(block?.['data']);
      const id = asText(result?.['toolUseId']);
      if (block?.['kind'] !== 'toolResult' || !result || id === undefined) continue;
      if (conversation.result(id, resultOf(result))) found++;
    }
    if (found === 0) conversation.emit({ type: 'other', name: 'result' });
  };

  return eachRecord({
    unit: 'line',
    decode(line, sink) {
      const record = conversation.record(file, line, sink);
      if (!record) return;
      describe();
      const data = asRecord(record['data']) ?? {};
      switch (record['kind']) {
        case 'Prompt':
          return prompt(data);
        case 'AssistantMessage':
          return assistant(data);
        case 'ToolResults':
          return results(data);
        case 'Compaction':
          return conversation.emit({ type: 'compaction' });
        case undefined:
          return conversation.problem('a record without a kind');
        default:
          return conversation.emit({ type: 'other', name: headOf(asText(record['kind']) ?? 'record', 60) });
      }
    },
  });
}

/** Converts `{ id, task_description, completed }`. */
function planItem(task: unknown): JsonRecord {
  const { id, task_description: title, completed } = asRecord(task) ?? {};
  return { id, title, status: completed === true ? 'completed' : 'pending' };
}

/** Names the file of a `read`, which has its files in operations: the first of them is shown. */
function operated(args: unknown): unknown {
  return asRecord(asArray(at(args, 'operations'))?.[0]) ?? args;
}

/** Parses the result of a call. A failed command has the status `success`: its exit code is in the content, in words (`exit status: 128`). */
export function resultOf(block: JsonRecord): ToolResult {
  const parts = asArray(block['content']) ?? [];
  const texts: string[] = [];
  let exitCode: number | undefined;
  for (const part of parts) {
    const data = asRecord(part)?.['data'];
    const command = asRecord(data);
    if (command && ('exit_status' in command || 'stdout' in command)) {
      exitCode = codeOf(command['exit_status']) ?? exitCode;
      const streams = [asText(command['stdout']), asText(command['stderr'])].filter((text) => text !== undefined);
      texts.push(streams.join('\n'));
    } else texts.push(typeof data === 'string' ? data : data === undefined ? '' : printed(data));
  }
  const output = texts.join('\n');
  const broke = block['status'] !== undefined && block['status'] !== 'success';
  const start = headOf(output, READ);
  const denied = broke && /(?:user|permission)[^\n]{0,60}(?:denied|rejected|declined|cancel)/i.test(start);
  const unfit = broke && /schema|missing field|invalid type|failed to (?:parse|deserialize)|validat/i.test(start);
  return {
    output,
    isError: broke || (exitCode !== undefined && exitCode !== 0),
    ...(exitCode !== undefined && { exitCode }),
    ...(unfit && malformed('invalid_arguments', output)),
    ...(denied && { denied: 'user' as const }),
    ...(block['status'] === 'cancelled' && { interrupted: true }),
  };
}

function codeOf(status: unknown): number | undefined {
  if (typeof status === 'number') return Number.isInteger(status) ? status : undefined;
  const code = /^(?:exit (?:status|code): )?(-?\d{1,10})$/.exec(asText(status) ?? '')?.[1];
  return code === undefined ? undefined : Number(code);
}
