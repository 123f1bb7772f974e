import type { Problem } from '../../../core/model';
import type { JsonRecord } from './json';

/** Fields that only tool calls and their results have, in the formats of all vendors. */
const OF_CALLS = /^(?:input|args|arguments|parameters|tool_?input|tool_?name|(?:tool_?)?call_?id|tool_?use_?id)$/i;

/** Describes a record or a block of a type that is unknown to this version. It may be a call: then a step is missing. */
export function unknownType(what: string, type: unknown, record: JsonRecord): Pick<Problem, 'why' | 'call'> {
  const name = typeof type === 'string' ? `"${type.slice(0, 60)}"` : 'none';
  return {
    why: `unknown ${what} ${name}`,
    ...(Object.keys(record).some((key) => OF_CALLS.test(key)) && { call: true }),
  };
}
