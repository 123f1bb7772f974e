import type { AgentId, ToolResultEvent } from '../../model';
import type { DecoderContext, DocumentDecoder } from '../adapter';
import { todoItems } from '../copilot/plan';
import {
  asArray,
  asNumber,
  asRecord,
  asText,
  at,
  baseName,
  cutTags,
  describeCall,
  folderOf,
  headOf,
  isOwnMessage,
  type JsonRecord,
  parseJson,
  printed,
  sessionOfFile,
  textOf,
  timeOf,
  type ToolTable,
} from '../shared/decode';
import { createDocument } from '../shared/decode/document';
import type { Teller } from '../shared/decode/teller';
import { xmlCalls } from './xml-tools';

type ToolResult = Omit<ToolResultEvent, 'type' | 'agent' | 'session' | 'at' | 'source' | 'id'>;

const TOOLS: ToolTable = {
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
const CONTEXT = /^\s*<(?:environment_details|explicit_instructions|user_instructions|file_content|hook_context)\b/;
const RESULT = /^\[(\w{1,60})(?: for [\s\S]{0,4000}?)?\] Result:\s*/;

interface Open {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
}

/**
 * Decodes the conversation of a Cline or Roo Code task, one document: messages as the model's interface has them. Written from the
 * documented types; of Cline one real file of its new form was at hand, of Roo none.
 */
export function createTaskDecoder(agent: AgentId, { file }: DecoderContext): DocumentDecoder {
  let open: Open[] = [];
  let cwd: string | undefined;
  let model: string | undefined;
  let prompted = false;
  return createDocument<JsonRecord>({
    agent,
    file,
    session: taskOf(file),
    read(text) {
      const document = parseJson(text);
      const messages = asArray(document) ?? asArray(at(document, 'messages'));
      if (!messages) return document === undefined ? 'not a JSON document' : 'a document without messages';
      const session = asText(at(document, 'sessionId'));
      return {
        records: messages.map((message) => asRecord(message) ?? {}),
        begin(teller) {
          if (session !== undefined) teller.session = session;
          teller.tell({ type: 'session_info', mode: 'interactive' });
        },
      };
    },
    record(teller, message, index, once) {
      teller.timed(timeOf(message['ts']));
      if (!once('message')) return;
      const named = asText(at(message, 'modelInfo', 'id')) ?? asText(at(message, 'modelInfo', 'modelId'));
      if (named !== undefined && named !== model) {
        model = named;
        teller.tell({ type: 'session_info', model: named });
      }
      if (message['role'] === 'assistant') assistant(teller, message, index);
      else if (message['role'] === 'user') user(teller, message);
      else teller.tell({ type: 'other', name: asText(message['role']) ?? 'message' });
    },
  });

  function assistant(teller: Teller, message: JsonRecord, index: number): void {
    open = [];
    for (const block of blocksOf(message['content'])) {
      if (block['type'] === 'tool_use') {
        call(teller, asText(block['id']), asText(block['name']) ?? 'unknown', block['input'] ?? {}, index);
      } else if (block['type'] === 'text') {
        const { text, calls } = xmlCalls(asText(block['text']) ?? '');
        const spoken = cutTags(text, '<thinking>', '</thinking>').rest.trim();
        if (spoken !== '') teller.tell({ type: 'assistant', text: spoken, chunk: false });
        for (const one of calls) call(teller, undefined, one.name, one.args, index);
      }
    }
    const metrics = asRecord(message['metrics']);
    const input = asNumber(metrics?.['inputTokens']);
    const output = asNumber(metrics?.['outputTokens']);
    const cost = asNumber(metrics?.['cost']);
    if (input !== undefined && input > 0) {
      teller.tell({
        type: 'usage',
        contextTokens: input + (output ?? 0),
        inputTokens: input,
        ...(output !== undefined && { outputTokens: output }),
        ...(cost !== undefined && cost > 0 && { cost }),
      });
    }
    // The newer form goes on without a call only when it is done.
    if (open.length === 0 && metrics) teller.tell({ type: 'turn_end', reason: 'done' });
  }

  function call(teller: Teller, given: string | undefined, name: string, args: unknown, index: number): void {
    const id = given ?? `message ${index}.${open.length}`;
    const commands = asArray(at(args, 'commands'));
    const shown = commands
      ? { command: commands.map((one) => (typeof one === 'string' ? one : printed(one))).join('\n') }
      : args;
    open.push({ id, name, args });
    teller.tell({
      type: 'tool_call',
      id,
      name,
      args,
      batch: `message ${index}`,
      ...describeCall(name, shown, { table: TOOLS, cwd }),
    });
    const question =
      name === 'ask_followup_question' || name === 'ask_question' ? (asText(at(args, 'question')) ?? '') : undefined;
    if (question !== undefined) teller.tell({ type: 'waiting', for: 'input', ...(question && { question }) });
  }

  function user(teller: Teller, message: JsonRecord): void {
    let answering: Open | undefined;
    let output = '';
    const answered = (): void => {
      if (answering) answer(teller, answering, output, false);
      answering = undefined;
      output = '';
    };
    for (const block of blocksOf(message['content'])) {
      if (block['type'] === 'tool_result') {
        answered();
        const one = open.find((entry) => entry.id === block['tool_use_id']);
        if (one) answer(teller, one, resultText(block['content']), block['is_error'] === true);
        else teller.tell({ type: 'other', name: 'result without a call' });
        continue;
      }
      const text = asText(block['text']);
      if (text === undefined) continue;
      if (CONTEXT.test(text)) {
        learnFolder(teller, text);
        continue;
      }
      const result = RESULT.exec(text);
      if (result) {
        answered();
        answering = open.find((entry) => entry.name === result[1]);
        output = text.slice(result[0].length);
      } else if (answering) output += `${output === '' ? '' : '\n'}${text}`;
      else spoken(teller, text);
    }
    answered();
  }

  function spoken(teller: Teller, text: string): void {
    if (/^\[ERROR\] You did not use a tool|^\[ERROR\] /.test(text)) {
      return teller.tell({ type: 'error', kind: 'validation', message: text });
    }
    const task = wrapped(text) ?? text;
    if (task.trim() === '') return;
    teller.tell({ type: 'user', text: task, automated: isOwnMessage(task) });
    prompted = true;
  }

  function answer(teller: Teller, call: Open, text: string, isError: boolean): void {
    open = open.filter((entry) => entry !== call);
    const result = readResult(text, isError);
    teller.tell({ type: 'tool_result', id: call.id, ...result });
    if (result.isError) return;
    if (/^(?:update_todo_list|todo|todo_write)$/.test(call.name)) {
      const items = todoItems(call.args);
      if (items) teller.tell({ type: 'plan', items });
    }
    if (/^(?:attempt_completion|submit_and_exit)$/.test(call.name)) {
      teller.tell({ type: 'completion', claim: asText(at(call.args, 'result')) ?? call.name });
      if (prompted) teller.tell({ type: 'turn_end', reason: 'done' });
    }
  }

  function learnFolder(teller: Teller, text: string): void {
    const found = /# Current (?:Working Directory|Workspace Directory) \(([^()\n]{1,4000})\)/.exec(text)?.[1];
    if (found === undefined || found === cwd) return teller.tell({ type: 'other', name: 'context' });
    cwd = found;
    teller.tell({ type: 'session_info', cwd });
  }
}

/** What the extension answers to a call; it sets no flag for a command that failed. */
export function readResult(text: string, told: boolean): ToolResult {
  const start = text.length > 600 ? text.slice(0, 600) : text;
  const code =
    /(?:^|\n| )Exit code: (-?\d{1,10})\b|"exit_?[cC]ode":(-?\d{1,10})\b|^Command (?:failed|execution was not successful)[^\n]{0,80}?exit code (-?\d{1,10})/.exec(
      start,
    );
  const exitCode = code ? Number(code[1] ?? code[2] ?? code[3]) : undefined;
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
    isError: told || denied || failed || validation !== undefined || (exitCode !== undefined && exitCode !== 0),
    ...(exitCode !== undefined && { exitCode }),
    ...(validation && { validation }),
    ...(denied && { denied: 'user' as const }),
    ...(running && { running: true }),
  };
}

/** The newer form gives records `{query, result, success, error}`, alone, in a list, or printed into a string. */
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
    return record['success'] === false ? `Error: ${asText(record['error']) ?? result}` : result;
  });
  return texts.join('\n');
}

/** The words of the person inside the tag that the extension puts around them. */
function wrapped(text: string): string | undefined {
  const open = /<(?:task|feedback|user_message|answer)>/.exec(text);
  if (!open) return undefined;
  const rest = text.slice(open.index + open[0].length);
  const close = rest.search(/<\/(?:task|feedback|user_message|answer)>/);
  return close < 0 ? undefined : rest.slice(0, close).trim();
}

function blocksOf(content: unknown): readonly JsonRecord[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return (asArray(content) ?? []).map((block) => asRecord(block) ?? {});
}

/** The task is named by its folder, in the newer form by its file. */
export function taskOf(file: string): string {
  if (baseName(file) === 'api_conversation_history.json') return baseName(folderOf(file)) || 'task';
  return sessionOfFile(file).replace(/\.messages$/, '');
}
