import { asNumber, asString, asText, headOf, malformed, parseRecord } from '../shared/decode';
import type { ToolResult } from '../shared/conversation';

const READ = 600;

/** Parses the result of a call: a JSON record with `output` and `exit_code` for a command, or with `error`, if the tool writes one. */
export function resultOf(content: string): ToolResult {
  const record = parseRecord(content);
  const error = asText(record?.['error']);
  const code = asNumber(record?.['exit_code']);
  const printed = asString(record?.['output']);
  const output = printed === undefined ? content : [printed, error].filter(Boolean).join('\n');
  const start = headOf(error ?? content, READ);
  const unknown = /^Tool '([\w.-]{1,200})' does not exist/.exec(start)?.[1];
  const denied = start.startsWith('BLOCKED: User denied');
  return {
    output,
    isError:
      error !== undefined ||
      denied ||
      unknown !== undefined ||
      record?.['success'] === false ||
      (code !== undefined && code !== 0),
    ...(code !== undefined && { exitCode: code }),
    ...(unknown !== undefined && malformed('unknown_tool', start, 'the name of an available tool', unknown)),
    ...(denied && { denied: 'user' as const }),
  };
}
