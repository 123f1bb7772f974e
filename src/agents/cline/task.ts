import type { DecoderContext, DocumentDecoder } from '../decoder';
import { todoItems } from '../shared/decode/todo-list';
import {
  asArray,
  asNumber,
  asRecord,
  asText,
  headOf,
  type JsonRecord,
  parseJson,
  parseRecord,
  requestErrorKind,
  timeOf,
} from '../shared/decode';
import { Conversation, createDocument, type RunningCall } from '../shared/conversation';
import { readResult, TOOLS } from './decoder';
import { taskOf } from './locate';
import { answersIn } from './task-results';

/** Tool names for the model, by the name that the extension shows. Several if they share a shown name. */
const SHOWN: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    readFile: ['read_file'],
    editedExistingFile: ['replace_in_file', 'write_to_file', 'apply_diff', 'new_rule', 'apply_patch'],
    appliedDiff: ['apply_diff', 'replace_in_file'],
    newFileCreated: ['write_to_file', 'new_rule', 'apply_patch'],
    fileDeleted: ['delete_file', 'apply_patch'],
    searchFiles: ['search_files'],
    listFilesTopLevel: ['list_files'],
    listFilesRecursive: ['list_files'],
    listCodeDefinitionNames: ['list_code_definition_names'],
    webFetch: ['web_fetch'],
    webSearch: ['web_search'],
  }),
);
/** Entries that are calls although they are not a `tool`. */
const CALLS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    command: ['execute_command'],
    use_mcp_server: ['use_mcp_tool', 'access_mcp_resource'],
    browser_action_launch: ['browser_action'],
    browser_action: ['browser_action'],
    load_mcp_documentation: ['load_mcp_documentation'],
    use_subagents: ['use_subagents', 'subagents'],
  }),
);
const MOST_UNCOUNTED = 20;
/** Largest number of characters kept of streamed output. */
const LONGEST_OUTPUT = 100_000;
/** Questions to the person that end the turn. */
const QUESTIONS = new Set([
  'followup',
  'plan_mode_respond',
  'act_mode_respond',
  'mistake_limit_reached',
  'new_task',
  'condense',
  'report_bug',
]);

/**
 * Decodes the extension's view of a task (`ui_messages.json`): calls, permission requests, errors of the model's server, times. The result of a call
 * is in the text of the request after it; streamed output counts if that text is left out.
 */
export function createViewDecoder({ file }: DecoderContext): DocumentDecoder {
  const names = new Map<string, readonly string[]>();
  const streamed = new Map<string, string>();
  const conversation = new Conversation({
    agent: 'cline',
    file,
    session: taskOf(file),
    tools: TOOLS,
    callOpensTurn: true,
  });
  /** Requests whose tokens are not counted yet: the tokens are added to the entry once the answer is there. */
  const uncounted = new Set<number>();
  let batch = 'first';
  /** A permission request is open. Text after the question shows that it was answered. */
  let asking = false;

  const call = (index: number, entry: JsonRecord, kind: string, text: string): void => {
    const shown = kind === 'tool' ? parseRecord(text) : undefined;
    const { tool, ...given } = shown ?? {};
    const known = SHOWN.get(asText(tool) ?? '') ?? CALLS.get(kind);
    const name = known?.[0] ?? asText(tool) ?? kind;
    const id = `${index}`;
    names.set(id, known ?? [name]);
    const args = shown ? given : kind === 'command' ? { command: commandOf(text) } : (parseRecord(text) ?? { text });
    conversation.call({ id, name, args, batch });
    if (entry['type'] !== 'ask') return;
    asking = true;
    conversation.emit({ type: 'waiting', for: 'permission' });
  };

  const request = (index: number, text: string): void => {
    const body = parseRecord(text);
    if (!count(body)) uncounted.add(index);
    if (uncounted.size > MOST_UNCOUNTED) uncounted.delete(Math.min(...uncounted));
    batch = String(index);
    const asked = asText(body?.['request']) ?? '';
    learnFolder(asked);
    conversation.marks(asked);
    const answers = answersIn(asked);
    for (const answer of answers) {
      const found = [...conversation.calls.running].find(({ id }) => names.get(id)?.includes(answer.tool));
      if (found) answered(found, answer.text);
    }
    for (const running of conversation.calls.running) {
      const output = streamed.get(running.id);
      if (output !== undefined) answered(running, output);
    }
    conversation.startTurn();
    conversation.emit({ type: 'request' });
  };

  const answered = (running: RunningCall, text: string): void => {
    names.delete(running.id);
    streamed.delete(running.id);
    conversation.result(running.id, readResult(text, false));
  };

  const output = (text: string): void => {
    const running = [...conversation.calls.running].at(-1);
    if (!running || text === '') return conversation.emit({ type: 'other', name: 'output' });
    const before = streamed.get(running.id);
    if (before === undefined || before.length < LONGEST_OUTPUT)
      streamed.set(running.id, before === undefined ? text : `${before}\n${text}`);
    conversation.emit({ type: 'other', name: 'output' });
  };

  const learnFolder = (asked: string): void => {
    const begin = asked.lastIndexOf('# Current Working Directory (');
    const found =
      begin < 0
        ? undefined
        : /^# Current Working Directory \(([^()\n]{1,4000})\)/.exec(asked.slice(begin, begin + 4100))?.[1];
    conversation.learn({ cwd: found });
  };

  const failed = (text: string): void => {
    const message = asText(parseRecord(text)?.['message']) ?? (text || 'The request to the model failed.');
    conversation.emit({ type: 'error', kind: requestErrorKind(message), message });
  };

  const retried = (text: string): void => {
    const body = parseRecord(text);
    const seconds = asNumber(body?.['delaySeconds']);
    const message = asText(body?.['errorMessage']) ?? `attempt ${asNumber(body?.['attempt']) ?? 1} failed`;
    conversation.emit({
      type: 'error',
      kind: requestErrorKind(message),
      message,
      ...(seconds !== undefined && seconds > 0 && body?.['failed'] !== true && { retryInMs: seconds * 1000 }),
    });
  };

  const asked = (kind: string, text: string): void => {
    const question = asText(parseRecord(text)?.['question']) ?? asText(parseRecord(text)?.['response']) ?? text;
    if (kind === 'plan_mode_respond') conversation.emit({ type: 'assistant', text: question, chunk: false });
    if (kind === 'mistake_limit_reached') conversation.emit({ type: 'error', kind: 'validation', message: question });
    conversation.turnOpen = false;
    conversation.emit({ type: 'waiting', for: 'input', ...(question !== '' && { question: headOf(question, 2000) }) });
  };

  const entry = (one: JsonRecord, index: number): void => {
    const kind = asText(one['say']) ?? asText(one['ask']) ?? 'entry';
    const isAsk = one['type'] === 'ask';
    const text = asText(one['text']) ?? '';
    if (asking) conversation.emit({ type: 'turn_start' });
    asking = false;
    if (kind === 'tool' || CALLS.has(kind)) return call(index, one, kind, text);
    if (isAsk && QUESTIONS.has(kind)) return asked(kind, text);
    switch (kind) {
      case 'api_req_started':
        return request(index, text);
      case 'task':
      case 'user_feedback':
      case 'user_feedback_diff':
        return conversation.prompt(text);
      case 'text':
        if (index === 0) return conversation.prompt(text);
        return conversation.emit(
          text.trim() === '' ? { type: 'other', name: kind } : { type: 'assistant', text, chunk: false },
        );
      case 'command_output':
      case 'mcp_server_response':
      case 'browser_action_result':
        return output(text);
      case 'completion_result':
        if (text === '') return conversation.emit({ type: 'other', name: kind });
        conversation.emit({ type: 'completion', claim: text });
        conversation.endTurn('done');
        return;
      case 'task_progress': {
        const items = todoItems({ todos: text });
        return conversation.emit(items ? { type: 'plan', items } : { type: 'other', name: kind });
      }
      case 'error_retry':
        return retried(text);
      case 'api_req_retried':
        conversation.startTurn();
        return conversation.emit({ type: 'request' });
      case 'api_req_failed':
        failed(text);
        conversation.endTurn('error');
        return;
      case 'error':
      case 'diff_error':
        return conversation.emit({ type: 'error', kind: 'other', message: text || kind });
      case 'resume_task':
        if (!conversation.endTurn('interrupted')) conversation.emit({ type: 'other', name: kind });
        return;
      case 'auto_approval_max_req_reached':
        return conversation.emit({ type: 'waiting', for: 'permission', ...(text !== '' && { question: text }) });
      case 'condense':
      case 'summarize_task':
        return conversation.emit({ type: 'compaction', trigger: 'auto' });
      default:
        return conversation.emit({ type: 'other', name: headOf(kind, 60) });
    }
  };

  return createDocument<JsonRecord>(
    {
      agent: 'cline',
      file,
      session: taskOf(file),
      read(text) {
        const list = asArray(parseJson(text));
        if (!list) return 'not a JSON list';
        return {
          records: list.map((one) => asRecord(one) ?? {}),
          begin: (emitter) => emitter.emit({ type: 'session_info', mode: 'interactive' }),
        };
      },
      record(_, one, index, once) {
        conversation.timed(timeOf(one['ts']));
        // An entry that is still being written is replaced by the complete one; it is read then, or when something follows it.
        if (one['partial'] === true && isCall(one)) return;
        if (!once('entry')) return;
        conversation.learn({ model: asText(asRecord(one['modelInfo'])?.['modelId']) });
        entry(one, index);
      },
      ended(_, { records }) {
        for (const index of uncounted) {
          const body = parseRecord(asText(records[index]?.['text']) ?? '');
          if (count(body)) uncounted.delete(index);
        }
      },
    },
    conversation,
  );

  function count(body: JsonRecord | undefined): boolean {
    const number = (name: string): number => asNumber(body?.[name]) ?? 0;
    const input = number('tokensIn') + number('cacheReads') + number('cacheWrites');
    return conversation.usage({ input, output: number('tokensOut'), cost: asNumber(body?.['cost']) });
  }
}

function isCall(entry: JsonRecord): boolean {
  const kind = asText(entry['say']) ?? asText(entry['ask']) ?? '';
  return kind === 'tool' || CALLS.has(kind) || kind === 'completion_result' || kind === 'text' || QUESTIONS.has(kind);
}

/** Returns the command. Older versions append to it that it needs permission. */
function commandOf(text: string): string {
  return text.endsWith('REQ_APP') ? text.slice(0, -'REQ_APP'.length).trimEnd() : text;
}
