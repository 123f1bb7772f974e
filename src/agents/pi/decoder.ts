import type { DecoderContext, LineDecoder } from '../adapter';
import {
  asArray,
  asNumber,
  asRecord,
  asText,
  at,
  createMarkFinder,
  Recent,
  describeCall,
  headOf,
  isOwnMessage,
  type JsonRecord,
  parseRecord,
  sessionOfFile,
  textOf,
  timeOf,
} from '../shared/decode';
import { Teller, type Place, sourceOf } from '../shared/decode/teller';

const REMEMBERED = 2000;
const EARLY = 50;
const EXIT =
  /(?:^|\n)(?:Command exited with code (-?\d{1,10})|Command timed out after [^\n]{1,40}|Command aborted)\s*$/;

/** Decodes a pi session: entries of a tree, appended; `message` entries hold the conversation. */
export function createDecoder({ file }: DecoderContext): LineDecoder {
  const teller = new Teller('pi', file, sessionOfFile(file));
  const open = new Recent<string, string>(REMEMBERED);
  const done = new Recent<string, true>(REMEMBERED);
  const early = new Recent<string, { readonly message: JsonRecord; readonly place: Place }>(EARLY);
  const seen = new Recent<string, true>(REMEMBERED);
  const marks = createMarkFinder();
  let cwd: string | undefined;
  let model: string | undefined;

  const findMarks = (text: string): void => {
    for (const message of marks.find(text)) teller.tell({ type: 'message_taken', message });
  };

  const header = (entry: JsonRecord): void => {
    const session = asText(entry['id']);
    if (session !== undefined) teller.session = session;
    cwd = asText(entry['cwd']) ?? cwd;
    const named = asText(entry['modelId']);
    const forked = asText(entry['parentSession']);
    teller.tell({
      type: 'session_info',
      ...(cwd !== undefined && { cwd }),
      ...(named !== undefined && { model: named }),
      ...(forked !== undefined && { forkedFrom: sessionOfFile(forked) }),
    });
  };

  const user = (text: string, automated: boolean): void => {
    if (text.trim() === '') return teller.tell({ type: 'other', name: 'empty message' });
    teller.tell({ type: 'user', text, automated: automated || isOwnMessage(text) });
    findMarks(text);
  };

  const assistant = (message: JsonRecord, entry: string): void => {
    const named = asText(message['model']);
    if (named !== undefined && named !== model) {
      model = named;
      teller.tell({ type: 'session_info', model: named });
    }
    for (const [index, value] of (asArray(message['content']) ?? []).entries()) {
      const block = asRecord(value);
      if (block?.['type'] === 'toolCall') toolCall(block, entry, index);
      else if (block?.['type'] === 'text') {
        const text = asText(block['text']) ?? '';
        if (text.trim() !== '') teller.tell({ type: 'assistant', text, chunk: false });
      }
    }
    usage(message);
    stopped(message);
  };

  const toolCall = (block: JsonRecord, entry: string, index: number): void => {
    const id = asText(block['id']) ?? `${entry}/${index}`;
    const name = asText(block['name']) ?? 'unknown';
    if (open.has(id) || done.has(id)) return teller.tell({ type: 'other', name: 'repeated call' });
    const args = block['arguments'] ?? {};
    open.set(id, teller.session);
    teller.tell({ type: 'tool_call', id, name, args, batch: entry, ...describeCall(name, args, { cwd }) });
    const came = early.get(id);
    if (!came) return;
    early.delete(id);
    answer(id, came.message, came.place);
  };

  const usage = (message: JsonRecord): void => {
    const counts = asRecord(message['usage']);
    const number = (name: string): number => asNumber(counts?.[name]) ?? 0;
    const input = number('input') + number('cacheRead') + number('cacheWrite');
    const output = number('output');
    if (input + output === 0) return;
    const cost = asNumber(at(counts, 'cost', 'total'));
    teller.tell({
      type: 'usage',
      contextTokens: input + output,
      inputTokens: input,
      outputTokens: output,
      ...(cost !== undefined && cost > 0 && { cost }),
    });
  };

  const stopped = (message: JsonRecord): void => {
    switch (message['stopReason']) {
      case 'stop':
        return teller.tell({ type: 'turn_end', reason: 'done' });
      case 'aborted':
        return teller.tell({ type: 'turn_end', reason: 'interrupted' });
      case 'length':
        return teller.tell({
          type: 'error',
          kind: 'validation',
          message: 'The answer was cut off at the limit of output tokens.',
        });
      case 'error': {
        const text = asText(message['errorMessage']) ?? 'error';
        const limited = /rate.?limit|overloaded|quota|\b429\b/i.test(text);
        teller.tell({ type: 'error', kind: limited ? 'rate_limit' : 'api', message: text });
        return teller.tell({ type: 'turn_end', reason: 'error' });
      }
    }
  };

  const answer = (id: string, message: JsonRecord, place?: Place): void => {
    const session = open.get(id);
    if (session === undefined) return;
    open.delete(id);
    done.set(id, true);
    const output = textOf(message['content']);
    const exit = EXIT.exec(output.length > 600 ? output.slice(-600) : output);
    const exitCode = exit?.[1] === undefined ? undefined : Number(exit[1]);
    const unknown = /^Tool (\S{1,200}) not found/.exec(output)?.[1];
    const invalid = output.startsWith('Validation failed for tool');
    const validation =
      unknown !== undefined
        ? {
            kind: 'unknown_tool' as const,
            expected: 'the name of an available tool',
            received: unknown,
            error: headOf(output, 600),
          }
        : invalid
          ? { kind: 'invalid_arguments' as const, error: headOf(output, 600) }
          : undefined;
    teller.tellOf(
      session,
      {
        type: 'tool_result',
        id,
        output,
        isError: message['isError'] === true || exit !== null,
        ...(exitCode !== undefined && { exitCode }),
        ...(validation && { validation }),
        ...(/(?:^|\n)Command aborted\s*$/.test(exit?.[0] ?? '') && { interrupted: true }),
      },
      place,
    );
  };

  const toolResult = (message: JsonRecord): void => {
    const id = asText(message['toolCallId']);
    if (id === undefined) return teller.problem('a result without the id of a call');
    if (open.has(id)) return answer(id, message);
    if (!done.has(id)) early.set(id, { message, place: teller.place });
    teller.tell({ type: 'other', name: done.has(id) ? 'repeated result' : 'result before its call' });
  };

  const decodeMessage = (message: JsonRecord, entry: string): void => {
    switch (message['role']) {
      case 'user':
        return user(textOf(message['content']), false);
      case 'assistant':
        return assistant(message, entry);
      case 'toolResult':
        return toolResult(message);
      default:
        return teller.tell({ type: 'other', name: asText(message['role']) ?? 'message' });
    }
  };

  return {
    unit: 'line',
    decode(line, sink) {
      teller.begin(sourceOf(file, line), sink);
      if (line.text.trim() === '') return;
      const entry = parseRecord(line.text);
      if (!entry) return teller.problem('not a JSON record');
      const message = asRecord(entry['message']);
      teller.timed(timeOf(entry['timestamp']) ?? timeOf(message?.['timestamp']));
      const type = asText(entry['type']);
      const id = asText(entry['id']) ?? String(line.offset);
      // A fork writes the entries that it goes on from once more.
      if (type !== 'session' && entry['id'] !== undefined) {
        if (seen.has(id)) return teller.tell({ type: 'other', name: 'repeated entry' });
        seen.set(id, true);
      }
      switch (type) {
        case 'session':
          return header(entry);
        case 'message':
          return message ? decodeMessage(message, id) : teller.problem('an entry without its message');
        case 'model_change': {
          model = asText(entry['modelId']) ?? model;
          return teller.tell({ type: 'session_info', ...(model !== undefined && { model }) });
        }
        case 'session_info': {
          const title = asText(entry['name']);
          return teller.tell({ type: 'session_info', ...(title !== undefined && { title }) });
        }
        case 'compaction': {
          const summary = asText(entry['summary']);
          const before = asNumber(entry['tokensBefore']);
          return teller.tell({
            type: 'compaction',
            ...(summary !== undefined && { summary }),
            ...(before !== undefined && { tokensBefore: before }),
          });
        }
        case 'custom_message':
          return user(textOf(entry['content']), true);
        case undefined:
          return teller.problem('an entry without a type');
        default:
          return teller.tell({ type: 'other', name: type });
      }
    },
  };
}
