import { asRecord, asText, headOf, type JsonRecord, malformed, textOf } from '../shared/decode';
import type { ToolResult } from '../shared/conversation';

const CODE = /(?:^|\n)Command failed with exit code: (-?\d{1,10})\.?\s{0,8}$/;
const READ = 400;

/** Parses the result of a call: a flag marks a failed tool; an exit code is in words at the end, or in a separate message. */
export function resultOf(output: string, failed: boolean, message = ''): ToolResult {
  const said = message === '' ? output : message;
  const code = CODE.exec(said.length > READ ? said.slice(-READ) : said)?.[1];
  const start = headOf(said, READ);
  const unknown = /^Tool `?([\w.-]{1,200})`? not found/.exec(start)?.[1];
  const denied = failed && /(?:rejected|denied|declined) by the user|user (?:rejected|denied|declined)/i.test(start);
  return {
    // The message is the agent's remark on the result: without an output it is all there is.
    output: output === '' ? message : output,
    isError: failed || (code !== undefined && code !== '0'),
    ...(code !== undefined && { exitCode: Number(code) }),
    ...(unknown !== undefined && malformed('unknown_tool', said, 'the name of an available tool', unknown)),
    ...(failed &&
      /^Invalid (?:arguments|parameters)|validation error/i.test(start) &&
      malformed('invalid_arguments', said)),
    ...(denied && { denied: 'user' as const }),
    ...(failed && start.startsWith('Command killed by timeout') && { interrupted: true }),
  };
}

/** Reads a `return_value` of the wire protocol. */
export function returned(value: unknown): ToolResult {
  const record: JsonRecord = asRecord(value) ?? {};
  return resultOf(textOf(record['output']), record['is_error'] === true, asText(record['message']) ?? '');
}
