import { asNumber, asRecord, asString, asText, at, type JsonRecord, parseJson } from '../shared/decode';
import { innerCalls } from './script';

/** A call as it is in the transcript. */
export interface WrittenCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly args: unknown;
  readonly malformed?: string;
  /** Code mode: the calls that the script makes, as far as its text shows them. */
  readonly inner?: readonly InnerStep[];
  /** The record holds the result as well, or no result will follow. */
  readonly result?: unknown;
}

export interface InnerStep {
  readonly name: string;
  readonly args: unknown;
  /** True if the arguments were literals in the script; otherwise they are the script itself. */
  readonly literal: boolean;
}

/** Reads the call records of all versions; undefined for other records. */
export function writtenCall(payload: JsonRecord): WrittenCall | undefined {
  const id = asText(payload['call_id']) ?? asText(payload['id']);
  switch (payload['type']) {
    case 'function_call':
      return functionCall(id, payload);
    case 'custom_tool_call':
      return customCall(id, asText(payload['name']) ?? 'unknown', asString(payload['input']) ?? '');
    case 'local_shell_call':
      return { id, name: 'local_shell', args: asRecord(payload['action']) ?? {} };
    case 'web_search_call':
      return {
        id,
        name: 'web_search',
        args: asRecord(payload['action']) ?? {},
        result: asText(payload['status']) ?? '',
      };
    case 'image_generation_call':
      return {
        id,
        name: 'image_generation',
        args: { prompt: asText(payload['revised_prompt']) ?? '' },
        result: asText(payload['status']) ?? '',
      };
    case 'tool_search_call':
      return { id, name: 'tool_search', args: asRecord(payload['arguments']) ?? {} };
    case 'tool_call':
      return functionCall(id, payload);
    default:
      return undefined;
  }
}

function functionCall(id: string | undefined, payload: JsonRecord): WrittenCall {
  const bare = asText(payload['name']) ?? asText(at(payload, 'function', 'name')) ?? 'unknown';
  const namespace = asText(payload['namespace']);
  const name = namespace === undefined || bare.startsWith(namespace) ? bare : `${namespace}.${bare}`;
  const given = payload['arguments'];
  if (typeof given !== 'string') return { id, name, args: given ?? {} };
  if (given.trim() === '') return { id, name, args: {} };
  const parsed = parseJson(given);
  if (asRecord(parsed)) return { id, name, args: parsed };
  return {
    id,
    name,
    args: given,
    malformed: parsed === undefined ? 'the arguments are not valid JSON' : 'the arguments are no record',
  };
}

/** Reads a call of a freeform tool: `apply_patch` with a patch, `exec` with a script; some versions pass JSON to a tool this way. */
function customCall(id: string | undefined, name: string, input: string): WrittenCall {
  if (name === 'exec') {
    const found = innerCalls(input).map(
      (call): InnerStep =>
        call.args === undefined
          ? { name: 'exec', args: { input }, literal: false }
          : { name: call.name, args: argsOf(call.name, call.args), literal: true },
    );
    return { id, name, args: { input }, inner: found.length > 0 ? found : [{ name, args: { input }, literal: false }] };
  }
  const record = input.startsWith('{') ? asRecord(parseJson(input)) : undefined;
  return { id, name, args: record ?? { input } };
}

/** Returns the arguments as classic mode writes them: the only text of a freeform tool is its `input`. */
function argsOf(name: string, args: unknown): unknown {
  if (typeof args === 'string') return { input: args };
  const record = asRecord(args);
  if (!record) return { value: args };
  const patch = name === 'apply_patch' ? (asText(record['patch']) ?? asText(record['input'])) : undefined;
  return patch === undefined ? record : { input: patch };
}

/** Returns whether this is an empty `write_stdin`, which only polls a running command for output. */
export function isPoll(name: string, args: unknown): boolean {
  const record = asRecord(args);
  if (name === 'write_stdin') return (asString(record?.['chars']) ?? '') === '';
  return name === 'wait' && (record?.['cell_id'] !== undefined || asNumber(record?.['yield_time_ms']) !== undefined);
}
