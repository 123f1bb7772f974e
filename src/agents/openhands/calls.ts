import { asRecord, Recent, describeCall, type ToolTable } from '../shared/decode';
import { planItems } from '../shared/decode/plan-items';
import type { RecordPlace, RecordEmitter, ToolResult } from '../shared/conversation';

const TOOLS: ToolTable = {
  terminal: 'shell',
  run: 'shell',
  executebash: 'shell',
  runipython: 'code',
  fileeditor: 'editor',
  tasktracker: 'plan',
  browseurl: 'fetch',
  browse: 'fetch',
  think: 'look',
  recall: 'look',
  calltoolmcp: 'other',
};

export interface Calls {
  /** `keys`: all ids under which a result may name the call. */
  call(keys: readonly string[], name: string, args: unknown, batch: string | undefined): void;
  /** Returns true if a call was waiting for this result. */
  result(keys: readonly string[], result: ToolResult): void;
  cwd: string | undefined;
}

/** Pairs actions with observations by the id of the call or of the event. */
export function createCalls(emitter: RecordEmitter): Calls {
  const open = new Recent<
    string,
    { readonly id: string; readonly name: string; readonly args: unknown; readonly session: string }
  >(2000);
  const done = new Recent<string, true>(4000);
  const early = new Recent<string, { readonly result: ToolResult; readonly place: RecordPlace }>(50);

  const answer = (keys: readonly string[], result: ToolResult, place?: RecordPlace): boolean => {
    const call = keys.map((key) => open.get(key)).find((one) => one !== undefined);
    if (!call || done.has(call.id)) return false;
    done.set(call.id, true);
    for (const key of keys) done.set(key, true);
    emitter.emitFor(call.session, { type: 'tool_result', id: call.id, ...result }, place);
    const items = result.isError ? null : planItems(asRecord(call.args)?.['task_list']);
    if (items) emitter.emitFor(call.session, { type: 'plan', items }, place);
    return true;
  };

  const calls: Calls = {
    cwd: undefined,
    call(keys, name, args, batch) {
      const [id] = keys;
      if (id === undefined || open.has(id) || done.has(id))
        return emitter.emit({ type: 'other', name: 'repeated call' });
      const call = { id, name, args, session: emitter.session };
      for (const key of keys) open.set(key, call);
      const described = describeCall(name, args, { table: TOOLS, cwd: calls.cwd });
      emitter.emit({ type: 'tool_call', id, name, args, ...(batch !== undefined && { batch }), ...described });
      for (const key of keys) {
        const came = early.get(key);
        if (!came) continue;
        early.delete(key);
        answer(keys, came.result, came.place);
      }
    },
    result(keys, result) {
      if (answer(keys, result)) return;
      const [key] = keys;
      const known = keys.some((one) => done.has(one));
      if (key !== undefined && !known) early.set(key, { result, place: emitter.place });
      emitter.emit({ type: 'other', name: known ? 'repeated result' : 'result before its call' });
    },
  };
  return calls;
}
