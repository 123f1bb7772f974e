import type { DecoderContext, DocumentDecoder } from '../decoder';
import {
  argumentsIn,
  asArray,
  asNumber,
  asRecord,
  asText,
  at,
  headOf,
  type JsonRecord,
  malformed,
  parseJson,
  sessionOfFile,
  textOf,
} from '../shared/decode';
import { todoItems } from '../shared/decode/todo-list';
import { Conversation, createDocument, type ToolResult } from '../shared/conversation';
import { workplaceOf } from './places';

const READ = 400;
/** States of a call that has ended. */
const ENDED: ReadonlySet<unknown> = new Set(['done', 'errored', 'canceled']);

/** Decodes a session of Continue: messages in order, each with its calls and their results (written from runs of its command line 1.5.47). */
export function createDecoder({ file }: DecoderContext): DocumentDecoder {
  const conversation = new Conversation({
    agent: 'continue',
    file,
    session: sessionOfFile(file),
    isReadOnce: true,
    tools: { checkbackgroundjob: 'wait', checklist: 'plan', askquestion: 'ask', exit: 'other' },
    callOpensTurn: true,
    shown: ({ name, args }) => ({ name, args: { path: at(args, 'filepath'), ...asRecord(args) } }),
    answered(call, result) {
      const todos = call.name === 'Checklist' && !result.isError ? at(call.args, 'checklist') : undefined;
      const items = todos === undefined ? null : todoItems({ todos });
      if (items) conversation.emit({ type: 'plan', items });
    },
  });

  const assistant = (message: JsonRecord, states: readonly unknown[], once: (part: string) => boolean): void => {
    conversation.learn({ model: asText(at(message, 'usage', 'model')) });
    const text = textOf(message['content']);
    if (text.trim() !== '' && once('text')) conversation.emit({ type: 'assistant', text, chunk: false });
    const usage = asRecord(message['usage']);
    if (usage && once('usage')) {
      const counts = { input: asNumber(usage['prompt_tokens']), output: asNumber(usage['completion_tokens']) };
      conversation.usage(counts);
    }
    for (const state of states) call(state, once);
    if (states.length === 0 && text.trim() !== '' && once('end')) conversation.endTurn('done');
  };

  const call = (state: unknown, once: (part: string) => boolean): void => {
    const id = asText(at(state, 'toolCallId'));
    if (id === undefined) return conversation.unread({ why: 'a call without an id', call: true });
    if (once(`call ${id}`)) {
      const name = asText(at(state, 'toolCall', 'function', 'name')) ?? 'unknown';
      const args = asText(at(state, 'toolCall', 'function', 'arguments')) ?? '';
      conversation.call({ id, name, ...argumentsIn(args) });
    }
    const status = at(state, 'status');
    if (!ENDED.has(status) || !once(`result ${id}`)) return;
    const output = textOf(at(state, 'output'));
    conversation.result(id, resultOf(output, status === 'errored', status === 'canceled'));
    if (status === 'canceled') conversation.endTurn('interrupted');
  };

  return createDocument<JsonRecord>(
    {
      agent: 'continue',
      file,
      session: conversation.session,
      read(text) {
        const document = parseJson(text);
        const history = asArray(at(document, 'history'));
        if (!history) return document === undefined ? 'not a JSON document' : 'a document without a history';
        return {
          records: history.map((one) => asRecord(one) ?? {}),
          begin(emitter) {
            emitter.session = asText(at(document, 'sessionId')) ?? emitter.session;
            const title = asText(at(document, 'title'));
            conversation.learn({ cwd: workplaceOf(asText(at(document, 'workspaceDirectory'))), mode: 'interactive' });
            if (title !== undefined && !/^(?:Untitled|New) Session$/.test(title))
              emitter.emit({ type: 'session_info', title });
          },
        };
      },
      record(_emitter, entry, _index, once) {
        const message = asRecord(entry['message']) ?? {};
        switch (message['role']) {
          case 'user':
            return once('prompt') ? conversation.prompt(textOf(message['content'])) : undefined;
          case 'assistant':
            return assistant(message, asArray(entry['toolCallStates']) ?? [], once);
          default:
            // The result is stored next to the call, too.
            return once('other') ? conversation.emit({ type: 'other', name: nameOf(message) }) : undefined;
        }
      },
    },
    conversation,
  );
}

function nameOf(message: JsonRecord): string {
  return headOf(asText(message['role']) ?? 'message', 60);
}

/** Parses the result of a call: a failed command states its exit code. */
function resultOf(output: string, hasFailed: boolean, isDenied: boolean): ToolResult {
  const unknown = hasFailed ? /^Tool (\S{1,200}) not found$/.exec(headOf(output, READ))?.[1] : undefined;
  const code = hasFailed ? /: Error \(exit code (\d{1,10})\)/.exec(headOf(output, READ))?.[1] : undefined;
  return {
    output,
    isError: hasFailed || isDenied,
    ...(code !== undefined && { exitCode: Number(code) }),
    ...(unknown !== undefined && malformed('unknown_tool', output, 'the name of an available tool', unknown)),
    ...(isDenied && { denied: 'user' as const }),
  };
}
