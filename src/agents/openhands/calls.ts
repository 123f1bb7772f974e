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
  /** `keys`: all ids under which a result may name the call, the event's own last: providers may use those of their calls again. */
  call(keys: readonly string[], name: string, args: unknown, batch: string | undefined): void;
  result(keys: readonly string[], result: ToolResult): void;
}

/** Pairs actions with observations by the id of the call or of the event. */
export function createCalls(emitter: RecordEmitter): Calls {
  const open = new Recent<string, { readonly keys: readonly string[]; readonly id: string; readonly args: unknown }>(
    2000,
  );
  const done = new Recent<string, true>(4000);
  const early = new Recent<string, { readonly result: ToolResult; readonly place: RecordPlace }>(50);

  const answer = (keys: readonly string[], result: ToolResult, place?: RecordPlace): boolean => {
    const call = keys.map((key) => open.get(key)).find((one) => one !== undefined);
    if (!call) return false;
    for (const key of [...call.keys, ...keys]) {
      open.delete(key);
      done.set(key, true);
    }
    emitter.emit({ type: 'tool_result', id: call.id, ...result }, place);
    const items = result.isError ? null : planItems(asRecord(call.args)?.['task_list']);
    if (items) emitter.emit({ type: 'plan', items }, place);
    return true;
  };

  return {
    call(keys, name, args, batch) {
      const [id] = keys;
      const own = keys.at(-1);
      if (id === undefined || own === undefined || open.has(own) || done.has(own))
        return emitter.emit({ type: 'other', name: 'repeated call' });
      const call = { keys, id, args };
      for (const key of keys) open.set(key, call);
      const described = describeCall(name, args, { table: TOOLS });
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
}
