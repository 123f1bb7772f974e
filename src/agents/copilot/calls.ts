import { planItems } from '../shared/decode/plan-items';
import type { Place, Teller } from '../shared/decode/teller';
import { asRecord, asText, Recent, describeCall, type JsonRecord, parseJson, type ToolTable } from '../shared/decode';
import { todoItems } from './plan';
import { type ReadResult, readResult } from './result';

/** Copilot CLI's tools whose common role does not fit. */
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
const EARLY = 50;

interface Request {
  readonly name: string;
  readonly args: unknown;
  readonly batch: string | undefined;
}

/** Pairs the calls that the model asked for, their starts and their results, which may come in any order. */
export interface Calls {
  requested(request: JsonRecord, message: string | undefined): void;
  started(session: string, data: JsonRecord): void;
  /** What a hook added to the result, '' where nothing. */
  completed(session: string, data: JsonRecord): string;
  cwd: string | undefined;
}

export function createCalls(teller: Teller): Calls {
  const requests = new Recent<string, Request>(REMEMBERED);
  /** Session and arguments of the calls that run. */
  const open = new Recent<string, Request & { readonly session: string }>(REMEMBERED);
  const done = new Recent<string, true>(REMEMBERED);
  const early = new Recent<string, { readonly data: JsonRecord; readonly place: Place }>(EARLY);

  const tellCall = (session: string, id: string, request: Request, place?: Place): void => {
    open.set(id, { ...request, session });
    const { name, args, batch } = request;
    const described = describeCall(name, args, { table: TOOLS, cwd: calls.cwd });
    teller.tellOf(
      session,
      { type: 'tool_call', id, name, args, ...(batch !== undefined && { batch }), ...described },
      place,
    );
  };

  const answer = (id: string, read: ReadResult, place?: Place): void => {
    const call = open.get(id);
    if (!call) return;
    open.delete(id);
    done.set(id, true);
    teller.tellOf(call.session, { type: 'tool_result', id, ...read.result }, place);
    if (read.result.isError) return;
    if (call.name === 'task_complete') {
      const claim = asText(asRecord(call.args)?.['summary']) ?? call.name;
      teller.tellOf(call.session, { type: 'completion', claim }, place);
    }
    const items =
      call.name === 'update_todo' ? todoItems(call.args) : call.name === 'TodoWrite' ? listOf(call.args) : null;
    if (items) teller.tellOf(call.session, { type: 'plan', items }, place);
  };

  const calls: Calls = {
    cwd: undefined,
    requested(request, message) {
      const id = asText(request['toolCallId']);
      if (id === undefined || requests.has(id)) return;
      const name = asText(request['name']) ?? 'unknown';
      requests.set(id, { name, args: argsOf(request['arguments']), batch: message });
    },
    started(session, data) {
      const id = asText(data['toolCallId']);
      if (id === undefined) return teller.problem('a call without an id');
      if (open.has(id) || done.has(id)) return teller.tell({ type: 'other', name: 'repeated call' });
      const asked = requests.get(id);
      const name = asText(data['toolName']) ?? asked?.name ?? 'unknown';
      tellCall(session, id, { name, args: argsOf(data['arguments'] ?? asked?.args), batch: asked?.batch });
      const came = early.get(id);
      if (!came) return;
      early.delete(id);
      answer(id, readResult(came.data), came.place);
    },
    completed(session, data) {
      const id = asText(data['toolCallId']);
      if (id === undefined) {
        teller.problem('a result without the id of a call');
        return '';
      }
      const asked = requests.get(id);
      // Older versions do not write when a call starts.
      if (!open.has(id) && !done.has(id) && asked) tellCall(session, id, asked);
      if (!open.has(id)) {
        if (!done.has(id)) early.set(id, { data, place: teller.place });
        teller.tell({ type: 'other', name: done.has(id) ? 'repeated result' : 'result before its call' });
        return '';
      }
      const read = readResult(data);
      answer(id, read);
      return read.added;
    },
  };
  return calls;
}

/** A record, or JSON printed into a string. */
function argsOf(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? {};
  return asRecord(parseJson(value)) ?? value;
}

function listOf(args: unknown) {
  return planItems(asRecord(args)?.['todos']);
}
