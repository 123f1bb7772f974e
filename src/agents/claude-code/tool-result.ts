import type { ValidationKind } from '../../core/model';
import type { ToolResult } from '../shared/conversation';
import { sizeOfCut } from '../../base/util/cut';
import {
  asNumber,
  asRecord,
  asText,
  at,
  CLAUDE_FORM,
  copied,
  exitCodeIn,
  headOf,
  type JsonRecord,
  textOf,
} from '../shared/decode';

const REFUSED_BY_PERSON =
  /^(?:The user doesn't want to (?:proceed with this tool use|take this action)|Permission prompt was aborted|User rejected tool use)/;
const REFUSED_BY_RULE =
  /^(?:This command requires approval|Claude requested permissions|Permission to use \S+ (?:with .{0,400} )?has been denied|\S.{0,400} was blocked\. For security)/;
const REFUSED_BY_HOOK = /^\w+:[\w*|]+ hook (?:error|blocking error|stopped)/;
/** Marks that the harness puts around its own refusals. */
const OPENS = '<tool_use_error>';
const CLOSES = '</tool_use_error>';
const SESSION_ENDED = '[Tool call interrupted';
/** Answer to a call that never ran because another call in the same message failed. */
const CANCELLED = /^(?:Sibling tool call errored|Cancelled: parallel tool call )/;

/** File into which a background command writes. */
const OUTPUT_FILE = /Output is being written to: (\/[^\s]{1,1000}?)\.?(?:\s|$)/;

export function readToolResult(row: JsonRecord, block: JsonRecord): ToolResult {
  const written = textOf(block['content']);
  const output = withoutFrame(written);
  const structured = asRecord(row['toolUseResult']);
  const isRefused = output !== written;
  const validation = validationOf(output, isRefused, row['toolUseResult']);
  const refusal = refusalOf(row, output);
  const exitCode = exitCodeIn(output, [CLAUDE_FORM]);
  const isError =
    block['is_error'] === true ||
    structured?.['is_error'] === true ||
    isRefused ||
    validation !== undefined ||
    refusal.denied !== undefined ||
    (block['is_error'] === undefined && exitCode !== undefined && exitCode !== 0);
  const interrupted =
    refusal.interrupted === true ||
    // The CLI warms up a sub-agent, and answers its calls itself.
    (block['is_error'] === true && (output === 'Warmup' || CANCELLED.test(output))) ||
    structured?.['interrupted'] === true ||
    structured?.['wasInterrupted'] === true;
  const durationMs = durationOf(structured);
  const size = sizeOf(output, structured);
  const spilledTo = asText(structured?.['persistedOutputPath']) ?? spilledPath(output);
  const key = asText(structured?.['backgroundTaskId']);
  const isLaunch = structured?.['status'] === 'async_launched';
  const running = key !== undefined || isLaunch;
  // A workflow of several agents has one name for all of them.
  const subAgent = isLaunch ? (asText(structured['agentId']) ?? asText(structured['taskId'])) : undefined;
  const file = key === undefined ? undefined : OUTPUT_FILE.exec(output.slice(0, 2000))?.[1];
  return {
    output,
    isError,
    ...(exitCode !== undefined && { exitCode }),
    ...(durationMs !== undefined && { durationMs }),
    ...(size !== undefined && { size }),
    ...(spilledTo !== undefined && { spilledTo }),
    ...(validation && { validation }),
    ...(refusal.denied && { denied: refusal.denied }),
    ...(interrupted && { interrupted: true }),
    ...(running && { running: true }),
    ...(key !== undefined && { jobs: [{ key, ...(file !== undefined && { output: copied(file) }) }] }),
    ...(subAgent !== undefined && { jobs: [{ key: subAgent, wakes: true }] }),
  };
}

function withoutFrame(written: string): string {
  if (!written.startsWith(OPENS)) return written;
  const inside = written.slice(OPENS.length);
  const end = inside.trimEnd();
  return end.endsWith(CLOSES) ? end.slice(0, -CLOSES.length) : inside;
}

/**
 * Returns the origin of a refusal. In print mode the kind is `user-rejected` although no one was asked, so the source of the decision counts. A call
 * that a person stopped while it ran carries the same words, without `toolDenialBeforeRun`.
 */
function refusalOf(row: JsonRecord, output: string): { denied?: 'user' | 'hook' | 'policy'; interrupted?: true } {
  const kind = asText(row['toolDenialKind']);
  const source = asText(at(row, 'permissionDecision', 'source'));
  if (kind === 'interrupted' || output.startsWith(SESSION_ENDED)) return { interrupted: true };
  if (kind === 'user-rejected') {
    if (source === 'config' || REFUSED_BY_RULE.test(output)) return { denied: 'policy' };
    if (source === 'hook') return { denied: 'hook' };
    return row['toolDenialBeforeRun'] === true || !REFUSED_BY_PERSON.test(output)
      ? { denied: 'user' }
      : { interrupted: true };
  }
  if (kind !== undefined) return { denied: source === 'hook' || REFUSED_BY_HOOK.test(output) ? 'hook' : 'policy' };
  if (REFUSED_BY_PERSON.test(output)) return { denied: 'user' };
  if (REFUSED_BY_RULE.test(output)) return { denied: 'policy' };
  return REFUSED_BY_HOOK.test(output) ? { denied: 'hook' } : {};
}

/** Returns only what was wrong with the call itself; an edit whose text is not in the file is a call that ran and failed. */
function validationOf(output: string, isRefused: boolean, structured: unknown): ToolResult['validation'] | undefined {
  if (!isRefused && !output.startsWith('InputValidationError') && !output.startsWith('Error: No such tool')) {
    return undefined;
  }
  const error = headOf(output, 1000);
  const unknown = /^(?:Error: )?No such tool available: ([^\n]{1,200})/.exec(error)?.[1];
  if (unknown !== undefined) {
    return { kind: 'unknown_tool', expected: 'the name of an available tool', received: headOf(unknown, 200), error };
  }
  if (!error.startsWith('InputValidationError')) return undefined;
  const raw = /could not be parsed as JSON[\s\S]{0,200}?bytes\): ([^\n]*)/.exec(error);
  if (raw) return made('unparsable', ['arguments in JSON'], [raw[1] ?? ''], error);
  const expected: string[] = [];
  const received: string[] = [];
  for (const line of error.split('\n')) {
    const missing = /required parameter `([^`]+)` is missing/.exec(line)?.[1];
    const surplus = /unexpected parameter `([^`]+)` was provided/.exec(line)?.[1];
    const type = /parameter `([^`]+)` type is expected as `([^`]+)` but provided as `([^`]+)`/.exec(line);
    if (missing) expected.push(missing);
    if (surplus) received.push(surplus);
    if (type) {
      expected.push(`${type[1]}: ${type[2]}`);
      received.push(`${type[1]}: ${type[3]}`);
    }
  }
  if (typeof structured === 'string' && expected.length === 0) {
    const issue = /"message": "([^"]{1,200})"/.exec(structured)?.[1];
    if (issue) expected.push(issue);
  }
  return made('invalid_arguments', expected, received, error);
}

function made(kind: ValidationKind, expected: readonly string[], received: readonly string[], error: string) {
  return {
    kind,
    ...(expected.length > 0 && { expected: headOf(expected.join(', '), 200) }),
    ...(received.length > 0 && { received: headOf(received.join(', '), 200) }),
    error,
  };
}

function durationOf(structured: JsonRecord | undefined): number | undefined {
  const ms = asNumber(structured?.['durationMs']) ?? asNumber(structured?.['totalDurationMs']);
  if (ms !== undefined) return Math.round(ms);
  const seconds = asNumber(structured?.['durationSeconds']);
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
}

function sizeOf(output: string, structured: JsonRecord | undefined): number | undefined {
  const persisted = asNumber(structured?.['persistedOutputSize']);
  if (persisted !== undefined) return persisted;
  if (output.startsWith('<persisted-output>')) {
    const size = /^<persisted-output>\s*Output too large \(([\d.]+)\s*(B|KB|MB|GB)\)/.exec(output);
    const unit = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }[size?.[2] ?? ''];
    if (size && unit !== undefined) return Math.round(Number(size[1]) * unit);
  }
  return sizeOfCut(output);
}

function spilledPath(output: string): string | undefined {
  if (!output.startsWith('<persisted-output>')) return undefined;
  const path = /Full output saved to: ([^\n]{1,4000})/.exec(output.slice(0, 5000))?.[1];
  return path === undefined ? undefined : copied(path);
}
