import { asNumber, asText, headOf, type JsonRecord, malformed, parseRecord } from '../shared/decode';
import type { ToolResult } from '../shared/conversation';

const READ = 600;
const CODE = /(?:^|\n)Exit code (-?\d{1,10})\s{0,8}$/;
/** The folder in which a command ran, at the end of its output. */
const WORKPLACE = /\n{0,4}<cwd>[^<>\n]{0,4000}<\/cwd>\s{0,8}$/;

/** Parses the result of a call. To Crush, a failed command is not an error: its exit code is in words at the end of the output. */
export function resultOf(data: JsonRecord): ToolResult {
  const content = asText(data['content']) ?? '';
  const metadata = parseRecord(asText(data['metadata']) ?? '');
  const end = content.length > 4_200 ? content.length - 4_200 : 0;
  const output = content.slice(0, end) + content.slice(end).replace(WORKPLACE, '');
  const isError = data['is_error'] === true;
  const code = isError ? undefined : CODE.exec(output.slice(-READ))?.[1];
  const started = asNumber(metadata?.['start_time']);
  const ended = asNumber(metadata?.['end_time']);
  const start = headOf(output, READ);
  const unknown = /^Tool not found: (\S{1,200})/.exec(start)?.[1];
  const denied = isError && /^(?:Permission denied|User denied permission)/i.test(start);
  return {
    output,
    isError: isError || (code !== undefined && code !== '0'),
    ...(code !== undefined && { exitCode: Number(code) }),
    ...(started !== undefined && ended !== undefined && ended >= started && { durationMs: ended - started }),
    ...(unknown !== undefined && malformed('unknown_tool', output, 'the name of an available tool', unknown)),
    ...(isError &&
      /^(?:error parsing parameters|invalid parameters)/i.test(start) &&
      malformed('invalid_arguments', output)),
    ...(denied && { denied: 'user' as const }),
    ...(isError && /^Tool execution canceled by user/i.test(start) && { interrupted: true }),
  };
}
