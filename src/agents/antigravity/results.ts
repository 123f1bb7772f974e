import { asNumber, asText, copied, headOf, type JsonRecord, timeOf } from '../shared/decode';
import type { ToolResult } from '../shared/conversation';

/** The kinds of records that answer a tool. Unlisted tools are answered by a record of kind `GENERIC`, or of a kind of their own. */
const KINDS: Readonly<Record<string, string>> = {
  run_command: 'RUN_COMMAND',
  view_file: 'VIEW_FILE',
  write_to_file: 'CODE_ACTION',
  replace_file_content: 'CODE_ACTION',
  multi_replace_file_content: 'CODE_ACTION',
  grep_search: 'GREP_SEARCH',
  list_dir: 'LIST_DIRECTORY',
  search_web: 'SEARCH_WEB',
  read_url_content: 'READ_URL_CONTENT',
  invoke_subagent: 'INVOKE_SUBAGENT',
};
const NAMED = new Set(Object.values(KINDS));

/** True if a record of this kind can be the answer to a call of this tool. */
export function answers(kind: string, tool: string): boolean {
  const own = KINDS[tool];
  return own === undefined ? !NAMED.has(kind) : own === kind;
}

const TIMES = /^Created At: ([^\n]{10,40})\n(?:Completed At: ([^\n]{10,40})\n)?/;
const CODE =
  /^\s{0,40}The command (?:failed with exit code: (-?\d{1,10})|exited with code (-?\d{1,10})|(completed successfully))/;
const READ = 400;
/** Id of a sub-agent that was started in the background: it writes to the agent when it is done. */
const SUB_AGENT = /"conversationId":\s{0,4}"([\w-]{1,100})"/g;
/** Characters in which sub-agents are looked for, at some 600 each. */
const SUB_AGENTS_READ = 20_000;

/** Returns the result of a call, with the time at which it ended (milliseconds since the epoch). */
export function resultOf(record: JsonRecord): { readonly result: ToolResult; readonly endedAt: number | undefined } {
  const content = asText(record['content']) ?? '';
  const times = TIMES.exec(content);
  const [begun, ended] = [timeOf(times?.[1]), timeOf(times?.[2])];
  const output = content.slice(times?.[0].length ?? 0);
  const written = CODE.exec(output.length > READ ? output.slice(0, READ) : output);
  const exitCode =
    asNumber(record['exit_code']) ?? (written ? (written[3] ? 0 : Number(written[1] ?? written[2])) : undefined);
  const jobs = record['type'] === 'INVOKE_SUBAGENT' ? subAgentsIn(output) : [];
  const running = record['status'] === 'RUNNING' || jobs.length > 0;
  const broke = record['status'] === 'ERROR';
  const error = asText(record['error']);
  const refused = /(?:user|permission)[^\n]{0,40} (?:denied|rejected|declined)/i.test(headOf(error ?? output, READ));
  return {
    result: {
      output: output === '' && error !== undefined ? error : output,
      isError: broke || (exitCode !== undefined && exitCode !== 0),
      ...(exitCode !== undefined && { exitCode }),
      ...(begun !== undefined && ended !== undefined && ended >= begun && { durationMs: ended - begun }),
      ...(running && { running: true }),
      ...(jobs.length > 0 && { jobs }),
      ...(broke && refused && { denied: 'user' as const }),
      ...(record['status'] === 'CANCELED' && { interrupted: true }),
    },
    endedAt: ended,
  };
}

function subAgentsIn(output: string): NonNullable<ToolResult['jobs']> {
  return [...output.slice(0, SUB_AGENTS_READ).matchAll(SUB_AGENT)].map(([, key = '']) => ({
    key: copied(key),
    wakes: true,
  }));
}
