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
  sessionOfFile,
  timeOf,
  type ToolTable,
  unknownType,
} from '../shared/decode';
import { planItems } from '../shared/decode/plan-items';
import { Conversation } from '../shared/conversation';
import { descriptionOf } from './places';
import { resultOf } from './results';

/** Roles of Kiro's tools for which the common one does not fit: one `write` creates and replaces. */
const TOOLS: ToolTable = { fsread: 'read', fswrite: 'edit', write: 'edit', executecmd: 'shell', useaws: 'shell' };
/** The agent's remark on a call: different words each time, even if the call is the same. */
const REMARK = '__tool_use_purpose';

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
    conversation.prompt(asText(contentOf(data, 'text').at(-1)) ?? '');
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

function contentOf(data: JsonRecord, kind: string): readonly unknown[] {
  return (asArray(data['content']) ?? [])
    .map((block) => asRecord(block))
    .filter((block) => block?.['kind'] === kind)
    .map((block) => block?.['data']);
}

/** Names the file of a `read`, which has its files in operations: the first of them is shown. */
function operated(args: unknown): unknown {
  const first = asRecord(asArray(at(args, 'operations'))?.[0]);
  return first ?? args;
}
