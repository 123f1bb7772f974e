import { asArray, asRecord, asText, headOf, type JsonRecord, malformed, printed } from '../shared/decode';
import type { ToolResult } from '../shared/conversation';

const READ = 600;

/** Parses the result of a call. A failed command has the status `success`: its exit code is in the content, in words (`exit status: 128`). */
export function resultOf(block: JsonRecord): ToolResult {
  const parts = asArray(block['content']) ?? [];
  const texts: string[] = [];
  let exitCode: number | undefined;
  for (const part of parts) {
    const data = asRecord(part)?.['data'];
    const command = asRecord(data);
    if (command && ('exit_status' in command || 'stdout' in command)) {
      exitCode = codeOf(command['exit_status']) ?? exitCode;
      const streams = [asText(command['stdout']), asText(command['stderr'])].filter((text) => text !== undefined);
      texts.push(streams.join('\n'));
    } else texts.push(typeof data === 'string' ? data : data === undefined ? '' : printed(data));
  }
  const output = texts.join('\n');
  const broke = block['status'] !== undefined && block['status'] !== 'success';
  const start = headOf(output, READ);
  const denied = broke && /(?:user|permission)[^\n]{0,60}(?:denied|rejected|declined|cancel)/i.test(start);
  const unfit = broke && /schema|missing field|invalid type|failed to (?:parse|deserialize)|validat/i.test(start);
  return {
    output,
    isError: broke || (exitCode !== undefined && exitCode !== 0),
    ...(exitCode !== undefined && { exitCode }),
    ...(unfit && malformed('invalid_arguments', output)),
    ...(denied && { denied: 'user' as const }),
    ...(block['status'] === 'cancelled' && { interrupted: true }),
  };
}

function codeOf(status: unknown): number | undefined {
  if (typeof status === 'number') return Number.isInteger(status) ? status : undefined;
  const code = /^(?:exit (?:status|code): )?(-?\d{1,10})$/.exec(asText(status) ?? '')?.[1];
  return code === undefined ? undefined : Number(code);
}
