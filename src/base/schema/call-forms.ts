import { isRecord, type JsonRecord } from '../util/json';

/** A call in any form. `args` may be JSON as text. */
export interface ReadCall {
  readonly name: unknown;
  readonly args: unknown;
}

/**
 * Reads the name and arguments of a call in the form of Unstuck, Anthropic (`tool_use`), OpenAI (chat and responses), MCP (`tools/call`) or VS Code
 * (`callId`).
 */
export function readCall(call: JsonRecord): ReadCall {
  const own = [call.function, call.params].find(isRecord) ?? call;
  return { name: own.name, args: own.arguments ?? own.args ?? own.input ?? own.parameters ?? {} };
}
