import type { ReadResult, ToolResult } from '../shared/conversation';
import { sizeOfCut } from '../../base/util/cut';
import {
  asArray,
  asRecord,
  asString,
  asText,
  copied,
  cutTags,
  exitCodeIn,
  GEMINI_FORM,
  headOf,
  type JsonRecord,
  malformed,
  printed,
} from '../shared/decode';

const READ = 600;
/** Text that a hook added to a result. Qwen Code escapes the characters of a tag, as in a web page. */
const HOOK_CONTEXT = [
  ['<hook_context>', '</hook_context>'],
  ['&lt;hook_context&gt;', '&lt;/hook_context&gt;'],
] as const;

/** Reads one of the `toolCalls` of a chat record; undefined while the tool has not ended. */
export function resultOf(call: JsonRecord): ReadResult | undefined {
  const status = asText(call['status']);
  const responses = (asArray(call['result']) ?? []).map((part) => asRecord(asRecord(part)?.['functionResponse']));
  if (responses.length === 0 && status !== 'success' && status !== 'error' && status !== 'cancelled') return undefined;
  const texts: string[] = [];
  let failed = false;
  for (const response of responses) {
    const body = asRecord(response?.['response']);
    if (!body) continue;
    if (body['error'] !== undefined) failed = true;
    const value = body['error'] ?? body['output'] ?? body;
    texts.push(typeof value === 'string' ? value : printed(value));
  }
  if (texts.length === 0) texts.push(displayed(call['resultDisplay']));
  const error = failed || status === 'error' || status === 'cancelled';
  return readResult(texts.join('\n'), { error, cancelled: status === 'cancelled' });
}

/** Facts besides the text. `type` is the vendor's kind of error, in stream-json only. */
export interface ResultStatus {
  readonly error: boolean;
  readonly cancelled?: boolean;
  readonly type?: string | undefined;
}

/** Parses a result. To Gemini CLI a failed command is a success: only the line `Exit Code: n` in its text shows the failure. */
export function readResult(text: string, status: ResultStatus): ReadResult {
  let added = '';
  let output = text;
  for (const [open, close] of HOOK_CONTEXT) {
    if (!output.includes(open)) continue;
    const cut = cutTags(output, open, close, { linesBefore: 2, blanksAfter: true });
    output = cut.rest;
    added += cut.inside.map((context) => `${context}\n`).join('');
  }
  output = withoutWrapper(output);
  const exitCode = exitCodeIn(output, [GEMINI_FORM]);
  const spilledTo = /^Output too large\. [^\n]{0,200}For full output see: ([^\n]{1,4000})/.exec(output)?.[1];
  const size = sizeOf(output, spilledTo !== undefined);
  const failure = status.error ? failureOf(output, status.type) : {};
  const timedOut = /^Command (?:was automatically cancelled|timed out)/.test(output);
  return {
    added,
    result: {
      output,
      ...failure,
      isError: status.error || timedOut || (exitCode !== undefined && exitCode !== 0),
      ...(exitCode !== undefined && { exitCode }),
      ...(size !== undefined && { size }),
      ...(spilledTo !== undefined && { spilledTo: copied(spilledTo) }),
      ...(status.cancelled && !('denied' in failure) && { interrupted: true }),
    },
  };
}

function withoutWrapper(text: string): string {
  const open = /^\s*<untrusted_context>\n?/.exec(text)?.[0];
  if (open === undefined) return text.trimEnd();
  return text.slice(open.length).replace(/\n?<\/untrusted_context>\s*$/, '');
}

function sizeOf(output: string, spilled: boolean): number | undefined {
  if (spilled) {
    const omitted = /\.\.\. \[([\d,]{1,20}) characters omitted\] \.\.\./.exec(output)?.[1];
    if (omitted !== undefined) return output.length + Number(omitted.replaceAll(',', ''));
  }
  return sizeOfCut(output);
}

function failureOf(output: string, type: string | undefined): Partial<ToolResult> {
  const start = output.length > READ ? output.slice(0, READ) : output;
  const unknown = /^(?:Error: )?Tool "([^"\n]{1,200})" not found/.exec(start)?.[1];
  if (unknown !== undefined || type === 'tool_not_registered') {
    return malformed('unknown_tool', start, 'the name of an available tool', unknown);
  }
  const missing = /must have required property '([^'\n]{1,100})'/.exec(start)?.[1];
  const schema = /^(?:Error: )?params(?:\/[^\n]{0,200})? must /.test(start);
  if (missing !== undefined || schema || type === 'invalid_tool_params') {
    const rule = /^(?:Error: )?params\/?([^\n]{0,100}? must [^\n]{1,100})/.exec(start)?.[1];
    return malformed('invalid_arguments', start, missing ?? (rule && headOf(rule, 200)));
  }
  if (/did not allow tool call|denied by (?:the )?user|rejected by (?:the )?user/i.test(start))
    return { denied: 'user' };
  if (type === 'policy_violation' || /denied by policy/i.test(start)) return { denied: 'policy' };
  if (/^(?:Tool execution blocked|Execution blocked|Blocked by hook)/i.test(start)) return { denied: 'hook' };
  return {};
}

function displayed(value: unknown): string {
  if (typeof value === 'string') return value;
  return asString(asRecord(value)?.['fileDiff']) ?? (value === undefined || value === null ? '' : printed(value));
}
