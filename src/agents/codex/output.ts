import type { ToolResult } from '../shared/conversation';
import { sizeOfCut } from '../../base/util/cut';
import {
  asArray,
  asBoolean,
  asNumber,
  asRecord,
  asString,
  at,
  malformed,
  parseRecord,
  printed,
} from '../shared/decode';

/** Lines that Codex puts above an output. They differ in each run (`Chunk ID`, `Wall time`), so they are read and removed. */
const HEADER =
  /^(?:(?:Chunk ID: [^\n]{1,80}|Wall time:? [\d.]+ seconds|Process exited with code -?\d+|Process running with session ID \d+|Original token count: \d+|Total output lines: \d+|Exit code: -?\d+|Script (?:completed|failed|running with cell ID [^\n]{1,256}))\n)+(?:(?:Final output|Output):\n?)?/;
const TRUNCATED = /^Warning: truncated output \(original token count: (\d+)\)\nTotal output lines: \d+\n\n?/;
const READ = 600;
/** Codex counts a token as four bytes. */
const CHARACTERS_A_TOKEN = 4;

/** Reads the output of a `function_call_output` or `custom_tool_call_output` in any of the forms since 2025. */
export function readOutput(value: unknown): ToolResult {
  const record = asRecord(value);
  const success = asBoolean(record?.['success']);
  const text = textOfOutput(value);
  const wrapped = text.startsWith('{"output":') ? wrappedOutput(text) : undefined;
  if (wrapped) return finish(wrapped.output, wrapped.exitCode, wrapped.durationMs, success);

  const head = HEADER.exec(text.length > READ ? text.slice(0, READ) : text)?.[0] ?? '';
  let body = head === '' ? text : text.slice(head.length);
  let exitCode = numberIn(head, /(?:^|\n)(?:Process exited with code|Exit code:) (-?\d+)\n/);
  const seconds = numberIn(head, /(?:^|\n)Wall time:? ([\d.]+) seconds\n/);
  let tokens = numberIn(head, /(?:^|\n)Original token count: (\d+)\n/);
  const failedScript = head.startsWith('Script failed\n');
  let key = /(?:^|\n)Process running with session ID (\d{1,20})/.exec(head)?.[1];
  let running = head.startsWith('Script running with cell ID ') || key !== undefined;

  if (head.startsWith('Script ')) {
    const cut = TRUNCATED.exec(body)?.[0];
    if (cut) body = body.slice(cut.length);
    const printedResult = innerResult(body);
    if (printedResult) {
      exitCode = printedResult.exitCode;
      tokens = printedResult.tokens ?? tokens;
      key = printedResult.process;
      running = running || key !== undefined;
      body = printedResult.output ?? body;
    }
    if (failedScript) body = body.replace(/^Script error:\n/, '');
  }
  const isFromCodex = head === '' || failedScript;
  const result = finish(body, exitCode, seconds === undefined ? undefined : seconds * 1000, success, isFromCodex);
  const size = sizeOf(body, tokens);
  return {
    ...result,
    ...(failedScript && { isError: true }),
    ...(size !== undefined && { size }),
    ...(running && { running: true }),
    ...(key !== undefined && { jobs: [{ key }] }),
  };
}

/** Returns the number of characters of the whole output, if Codex passed less to its model, or kept less. */
export function sizeOf(output: string, tokens: number | undefined): number | undefined {
  if (tokens !== undefined && tokens * CHARACTERS_A_TOKEN > output.length + 1000) return tokens * CHARACTERS_A_TOKEN;
  return sizeOfCut(output);
}

function finish(
  output: string,
  exitCode: number | undefined,
  durationMs: number | undefined,
  success: boolean | undefined,
  isFromCodex = false,
): ToolResult {
  const judged = exitCode === undefined && isFromCodex ? judge(output) : {};
  const isError = success === false || (exitCode !== undefined && exitCode !== 0) || judged.isError === true;
  return {
    output,
    ...judged,
    isError,
    ...(exitCode !== undefined && { exitCode }),
    ...(durationMs !== undefined && { durationMs: Math.round(durationMs) }),
  };
}

/**
 * Parses Codex's answer without an exit code when a call did not run, or failed. It sets no flag, so its words decide
 * (docs/agents.md, "Codex CLI").
 */
export function judge(text: string): Partial<ToolResult> {
  const start = text.length > READ ? text.slice(0, READ) : text;
  const unknown =
    /^unsupported (?:custom tool )?call: ([^\n]{1,200})/.exec(start)?.[1] ??
    /^TypeError: tools\.([\w$]{1,200}) is not a function/.exec(start)?.[1];
  if (unknown !== undefined) {
    const expected = 'the name of an available tool';
    return { isError: true, ...malformed('unknown_tool', start, expected, unknown) };
  }
  const parsing = /^(?:failed to parse (?:function )?arguments|failed to parse \S{1,60} arguments): ?([^\n]*)/.exec(
    start,
  );
  if (parsing) {
    const field = /(?:missing|unknown) field `([^`]{1,100})`/.exec(parsing[1] ?? '');
    const kind = /EOF while parsing|expected (?:value|ident|`[,:}\]"])|control character|trailing/.test(
      parsing[1] ?? '',
    )
      ? 'unparsable'
      : 'invalid_arguments';
    const expected = kind === 'unparsable' ? 'arguments in JSON' : field?.[1];
    return { isError: true, ...malformed(kind, start, expected) };
  }
  if (start.startsWith('SyntaxError: ')) {
    return { isError: true, ...malformed('unparsable', start, 'a script in JavaScript') };
  }
  if (
    /^(?:apply_patch verification failed: |apply_patch handler received )?(?:invalid (?:patch|hunk)|non-apply_patch|missing patch)/i.test(
      start,
    )
  ) {
    const expected = 'a patch between *** Begin Patch and *** End Patch';
    return { isError: true, ...malformed('format', start, expected) };
  }
  if (/^(?:\w+ )?(?:command |patch |call )?blocked by \w+ hook/i.test(start)) return { isError: true, denied: 'hook' };
  if (/^(?:exec command |patch |command |MCP tool call )?(?:rejected|denied|declined) by (?:the )?user/i.test(start)) {
    return { isError: true, denied: 'user' };
  }
  if (
    /^(?:Rejected\(|rejected: |(?:command|patch) (?:was )?rejected|blocked by policy|approval (?:policy|is not))/i.test(
      start,
    )
  ) {
    return { isError: true, denied: /by user/i.test(start) ? 'user' : 'policy' };
  }
  if (/^(?:aborted by user|aborted$|command was aborted)/i.test(start)) return { isError: true, interrupted: true };
  const failed =
    /^(?:apply_patch verification failed: |write_stdin failed: |exec_command failed|execution error: |failed in sandbox|sandbox error|Failed to (?:apply|create|read|spawn)|tool call error: |resources\/\w+ failed|collab \w+ failed|err: |(?:Type|Reference|Range)?Error: )/.test(
      start,
    );
  return failed ? { isError: true } : {};
}

/** Parses a script's output about a command, if the whole result is one JSON record. */
function innerResult(
  body: string,
): { output?: string; exitCode: number | undefined; tokens: number | undefined; process?: string } | undefined {
  if (!/^\{"(?:chunk_id|wall_time_seconds|exit_code|session_id)":/.test(body)) return undefined;
  const record = parseRecord(body);
  const start = body.slice(0, READ);
  const output = asString(record?.['output']);
  const process = /"session_id":(\d{1,20})/.exec(start)?.[1];
  const exitCode = record ? asNumber(record['exit_code']) : numberIn(start, /"exit_code":(-?\d+)/);
  return {
    ...(output !== undefined && { output }),
    exitCode,
    tokens: record ? asNumber(record['original_token_count']) : numberIn(start, /"original_token_count":(\d+)/),
    ...(exitCode === undefined && process !== undefined && { process }),
  };
}

/** Reads `{"output":"…","metadata":{"exit_code":1,"duration_seconds":0.1}}`, printed into the string (2025). */
function wrappedOutput(
  text: string,
): { output: string; exitCode: number | undefined; durationMs: number | undefined } | undefined {
  const record = parseRecord(text);
  const output = asString(record?.['output']);
  if (record && output === undefined) return undefined;
  const tail = text.slice(-300);
  const seconds = record
    ? asNumber(at(record, 'metadata', 'duration_seconds'))
    : numberIn(tail, /"duration_seconds":([\d.]+)/);
  const exitCode = record ? asNumber(at(record, 'metadata', 'exit_code')) : numberIn(tail, /"exit_code":(-?\d+)/);
  if (!record && exitCode === undefined) return undefined;
  return { output: output ?? text, exitCode, durationMs: seconds === undefined ? undefined : seconds * 1000 };
}

function textOfOutput(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  const list = asArray(value);
  // The blocks follow each other with nothing in between: a header ends with its own line break.
  if (list) return list.map(textOfOutput).join('');
  const record = asRecord(value);
  if (!record) return printed(value);
  const text = asString(record['text']) ?? asString(record['content']) ?? asString(record['output']);
  if (text !== undefined) return text;
  if (record['content'] !== undefined) return textOfOutput(record['content']);
  if (record['stdout'] !== undefined || record['stderr'] !== undefined) {
    return `${asString(record['stdout']) ?? ''}${asString(record['stderr']) ?? ''}`;
  }
  const type = asString(record['type']);
  return type === undefined ? printed(record) : `[${type.replace(/^input_/, '')}]`;
}

function numberIn(text: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
