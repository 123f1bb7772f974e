import type { DecoderContext, DocumentDecoder } from '../decoder';
import { todoItems } from '../shared/decode/todo-list';
import {
  asArray,
  asNumber,
  asRecord,
  asText,
  at,
  cutTags,
  headOf,
  type JsonRecord,
  parseJson,
  printed,
  textOf,
  timeOf,
  type ToolTable,
} from '../shared/decode';
import { Conversation, createDocument, type RunningCall, type ToolResult } from '../shared/conversation';
import { companionState } from './folder';
import { taskOf } from './locate';
import { xmlCalls } from './xml-tools';

export const TOOLS: ToolTable = {
  loadmcpdocumentation: 'look',
  subagents: 'delegate',
  runcommands: 'shell',
  readfiles: 'read',
  editor: 'edit',
  attemptcompletion: 'other',
  planmoderespond: 'ask',
  switchmode: 'other',
  condense: 'other',
  usemcptool: 'other',
  browseraction: 'other',
  insertcontent: 'edit',
};
const CONTEXT =
  /^\s{0,40}(?:<(?:environment_details|explicit_instructions|user_instructions|file_content|hook_context)\b|# (?:task_progress|TODO LIST|Todo List)\b|Files attached by the user:|\(The user did not provide a new message)/;
const RESUMED = '[TASK RESUMPTION]';
const QUESTIONS = new Set(['ask_followup_question', 'ask_question', 'plan_mode_respond']);
const RESULT = /^\[(\w{1,60})(?: for [\s\S]{0,4000}?)?\] Result:\s*/;

/**
 * Decodes the conversation of a task, one document: messages in the form of the model's API. Written from the documented types; one real file of the
 * new form was available.
 */
export function createDecoder({ file, readSmall }: DecoderContext): DocumentDecoder {
  const conversation = new Conversation({
    agent: 'cline',
    file,
    session: taskOf(file),
    tools: TOOLS,
    namesStrayResults: true,
    shown({ name, args }) {
      const commands = asArray(at(args, 'commands'));
      if (!commands) return { name, args };
      return {
        name,
        args: { command: commands.map((one) => (typeof one === 'string' ? one : printed(one))).join('\n') },
      };
    },
    answered,
  });
  /** The newest message of the model: a result without an id answers one of its calls by name. */
  let batch = '';
  let prompted = false;
  return createDocument<JsonRecord>(
    {
      agent: 'cline',
      file,
      session: taskOf(file),
      read(text) {
        const document = parseJson(text);
        const messages = asArray(document) ?? asArray(at(document, 'messages'));
        if (!messages) return document === undefined ? 'not a JSON document' : 'a document without messages';
        const session = asText(at(document, 'sessionId'));
        return {
          records: messages.map((message) => asRecord(message) ?? {}),
          begin(emitter) {
            if (session !== undefined) emitter.session = session;
            const { cwd } = companionState(file, readSmall);
            emitter.emit({ type: 'session_info', mode: 'interactive', ...(cwd !== undefined && { cwd }) });
            conversation.facts.update({ cwd });
          },
        };
      },
      record(_, message, index, once) {
        conversation.timed(timeOf(message['ts']));
        if (!once('message')) return;
        conversation.learn({
          model: asText(at(message, 'modelInfo', 'id')) ?? asText(at(message, 'modelInfo', 'modelId')),
        });
        if (message['role'] === 'assistant') assistant(message, index);
        else if (message['role'] === 'user') user(message);
        else conversation.emit({ type: 'other', name: asText(message['role']) ?? 'message' });
      },
    },
    conversation,
  );

  function assistant(message: JsonRecord, index: number): void {
    batch = `message ${index}`;
    let calls = 0;
    for (const block of blocksOf(message['content'])) {
      if (block['type'] === 'tool_use') {
        call(asText(block['id']) ?? `${batch}.${calls}`, asText(block['name']) ?? 'unknown', block['input'] ?? {});
        calls++;
      } else if (block['type'] === 'text') {
        const written = xmlCalls(asText(block['text']) ?? '');
        const spoken = cutTags(written.text, '<thinking>', '</thinking>').rest.trim();
        if (spoken !== '') conversation.emit({ type: 'assistant', text: spoken, chunk: false });
        for (const one of written.calls) call(`${batch}.${calls++}`, one.name, one.args);
      }
    }
    const metrics = asRecord(message['metrics']);
    const counts = asRecord(metrics?.['tokens']);
    const input = asNumber(metrics?.['inputTokens']) ?? asNumber(counts?.['prompt']);
    const output = asNumber(metrics?.['outputTokens']) ?? asNumber(counts?.['completion']);
    if (input !== undefined && input > 0) conversation.usage({ input, output, cost: asNumber(metrics?.['cost']) });
    // In the newer form, a message without a call means that the model is done; in the older one, the model is then told to use a tool.
    if (calls === 0 && metrics && !counts) conversation.emit({ type: 'turn_end', reason: 'done' });
  }

  function call(id: string, name: string, args: unknown): void {
    conversation.call({ id, name, args, batch });
    const question = QUESTIONS.has(name)
      ? (asText(at(args, 'question')) ?? asText(at(args, 'response')) ?? '')
      : undefined;
    if (question !== undefined) conversation.emit({ type: 'waiting', for: 'input', ...(question && { question }) });
  }

  function user(message: JsonRecord): void {
    let answering: RunningCall | undefined;
    let output = '';
    const close = (): void => {
      if (answering) conversation.result(answering.id, readResult(output, false));
      answering = undefined;
      output = '';
    };
    for (const block of blocksOf(message['content'])) {
      if (block['type'] === 'tool_result') {
        close();
        const id = asText(block['tool_use_id']);
        if (id === undefined) conversation.emit({ type: 'other', name: 'result without a call' });
        else conversation.result(id, readResult(resultText(block['content']), block['is_error'] === true));
        continue;
      }
      const text = asText(block['text']);
      if (text === undefined) continue;
      if (CONTEXT.test(text)) {
        if (text.trimStart().startsWith('<hook_context')) conversation.marks(text);
        learnFolder(text);
        continue;
      }
      const result = RESULT.exec(text);
      if (result) {
        close();
        answering = [...conversation.calls.running].find((one) => one.batch === batch && answers(one, result[1] ?? ''));
        output = text.slice(result[0].length);
      } else if (answering) output += `${output === '' ? '' : '\n'}${text}`;
      else spoken(text);
    }
    close();
  }

  function spoken(text: string): void {
    if (/^\[ERROR\] You did not use a tool|^\[ERROR\] /.test(text)) {
      return conversation.emit({ type: 'error', kind: 'validation', message: text });
    }
    if (text.startsWith(RESUMED)) return conversation.prompt(text, true);
    const task = wrapped(text) ?? text;
    if (task.trim() === '') return;
    conversation.prompt(task);
    prompted = true;
  }

  function answered(call: RunningCall, result: ToolResult): void {
    if (result.isError) return;
    if (/^(?:update_todo_list|todo|todo_write)$/.test(call.name)) {
      const items = todoItems(call.args);
      if (items) conversation.emit({ type: 'plan', items });
    }
    if (/^(?:attempt_completion|submit_and_exit)$/.test(call.name)) {
      conversation.emit({ type: 'completion', claim: asText(at(call.args, 'result')) ?? call.name });
      if (prompted) conversation.emit({ type: 'turn_end', reason: 'done' });
    }
  }

  function learnFolder(text: string): void {
    const found = /# Current (?:Working Directory|Workspace Directory) \(([^()\n]{1,4000})\)/.exec(text)?.[1];
    if (!conversation.learn({ cwd: found })) conversation.emit({ type: 'other', name: 'context' });
  }
}

/** Parses the extension's answer to a call; the extension sets no flag for a command that failed. */
export function readResult(text: string, failedByFlag: boolean): ToolResult {
  const start = text.length > 600 ? text.slice(0, 600) : text;
  const code =
    /(?:^|\n| )Exit code: (-?\d{1,10})\b|^\[Command exited with code (-?\d{1,10})\]|"exit_?[cC]ode":(-?\d{1,10})\b|^Command (?:failed|executed successfully|execution was not successful)[^\n]{0,80}?exit code (-?\d{1,10})/.exec(
      start,
    );
  const exitCode = code ? Number(code[1] ?? code[2] ?? code[3] ?? code[4]) : undefined;
  const missing = /Missing value for required parameter '([^'\n]{1,100})'/.exec(start)?.[1];
  const unknown = /^(?:\[ERROR\] )?(?:Unknown tool|Tool) "?([\w.-]{1,200})"? (?:is not|does not|not found)/i.exec(
    start,
  )?.[1];
  const validation =
    missing !== undefined
      ? { kind: 'invalid_arguments' as const, expected: missing, error: headOf(start, 600) }
      : unknown !== undefined
        ? { kind: 'unknown_tool' as const, received: unknown, error: headOf(start, 600) }
        : undefined;
  const denied = /^(?:The user denied this operation|\{"status":"denied"|User rejected)/.test(start);
  const failed =
    /^(?:The tool execution failed with the following error|<error>|Error:|\[ERROR\]|<error_details>|\{"status":"error"|\{"error":)/.test(
      start,
    );
  const running = start.startsWith('Command is still running');
  return {
    output: text,
    isError: failedByFlag || denied || failed || validation !== undefined || (exitCode !== undefined && exitCode !== 0),
    ...(exitCode !== undefined && { exitCode }),
    ...(validation && { validation }),
    ...(denied && { denied: 'user' as const }),
    ...(running && { running: true }),
  };
}

/** True if this call can have such a result. Some results are named after a part of their tool: `subagents` answers `use_subagents`. */
function answers(call: RunningCall, name: string): boolean {
  return call.name === name || call.name === `use_${name}`;
}

/** Returns the text of a result. The newer form has records `{query, result, success, error}`, alone, in a list, or printed into a string. */
function resultText(content: unknown): string {
  const parsed = typeof content === 'string' && /^\s*[[{]/.test(content) ? (parseJson(content) ?? content) : content;
  const list = asArray(parsed) ?? [parsed];
  const texts = list.map((value) => {
    const record = asRecord(value);
    if (!record || record['type'] === 'text' || record['result'] === undefined) {
      if (record?.['error'] !== undefined) return `Error: ${textOf(record['error'])}`;
      return typeof value === 'string' ? value : textOf(value);
    }
    const result = asText(record['result']) ?? textOf(record['result']);
    // A failed command says so in brackets, before its output.
    if (result.startsWith('[Command exited with code ')) return result;
    return record['success'] === false ? `Error: ${asText(record['error']) ?? result}` : result;
  });
  return texts.join('\n');
}

/** Returns the person's words from inside the tag that the extension puts around them. */
function wrapped(text: string): string | undefined {
  const open = /<(?:task|feedback|user_message|answer|user_input mode="\w{1,20}")>/.exec(text);
  if (!open) return undefined;
  const rest = text.slice(open.index + open[0].length);
  const close = rest.search(/<\/(?:task|feedback|user_message|answer|user_input)>/);
  return close < 0 ? undefined : rest.slice(0, close).trim();
}

function blocksOf(content: unknown): readonly JsonRecord[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return (asArray(content) ?? []).map((block) => asRecord(block) ?? {});
}
