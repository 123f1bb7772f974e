import { Conversation } from '../shared/conversation';
import { argsOf, asText, at, Recent, type JsonRecord, type ToolTable } from '../shared/decode';
import { sessionOfPath } from './locate';
import { todoItems } from '../shared/decode/todo-list';
import { readResult } from './result';

/** Roles of Copilot CLI's tools for which the common one does not fit. */
const TOOLS: ToolTable = {
  readbash: 'wait',
  writebash: 'shell',
  stopbash: 'other',
  listbash: 'look',
  readpowershell: 'wait',
  writepowershell: 'shell',
  reportintent: 'look',
  taskcomplete: 'other',
  readagent: 'wait',
  listagents: 'look',
};
const REMEMBERED = 2000;

interface Request {
  readonly name: string;
  readonly args: unknown;
  readonly batch: string | undefined;
}

/** Joins the model's calls with the records of their start and their result. */
export interface Calls {
  requested(request: JsonRecord, message: string | undefined): void;
  started(session: string, data: JsonRecord): void;
  completed(session: string, data: JsonRecord): void;
}

export function createConversation(file: string): Conversation {
  const conversation: Conversation = new Conversation({
    agent: 'copilot-cli',
    file,
    session: sessionOfPath(file),
    tools: TOOLS,
    namesStrayResults: true,
    answered(call, result, added, place) {
      conversation.marks(added);
      if (result.isError || call.name !== 'task_complete') return;
      const claim = asText(at(call.args, 'summary')) ?? call.name;
      conversation.emitFor(call.session, { type: 'completion', claim }, place);
    },
    plan: ({ name, args }) => (name === 'update_todo' || name === 'TodoWrite' ? todoItems(args) : null),
  });
  return conversation;
}

export function createCalls(conversation: Conversation): Calls {
  const requests = new Recent<string, Request>(REMEMBERED);
  return {
    requested(request, message) {
      const id = asText(request['toolCallId']);
      if (id === undefined) return;
      const name = asText(request['name']) ?? 'unknown';
      requests.set(id, { name, args: argsOf(request['arguments']), batch: message });
    },
    started(session, data) {
      const id = asText(data['toolCallId']);
      if (id === undefined) return conversation.problem('a call without an id');
      const asked = requests.get(id);
      const name = asText(data['toolName']) ?? asked?.name ?? 'unknown';
      const args = argsOf(data['arguments'] ?? asked?.args);
      conversation.call({ id, name, args, batch: asked?.batch, session });
      // 1.0.102 writes no other record of a question while it is open.
      if (name !== 'ask_user') return;
      const question = asText(at(args, 'question')) ?? asText(at(args, 'message'));
      conversation.emitFor(session, { type: 'waiting', for: 'input', ...(question !== undefined && { question }) });
    },
    completed(session, data) {
      const id = asText(data['toolCallId']);
      if (id === undefined) return conversation.problem('a result without the id of a call');
      const asked = requests.get(id);
      // Older versions do not write when a call starts.
      if (asked && !conversation.calls.has(id, conversation.place.at)) conversation.call({ id, ...asked, session });
      const { result, added } = readResult(data);
      conversation.result(id, result, added);
    },
  };
}
