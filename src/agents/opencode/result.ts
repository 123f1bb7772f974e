import type { ToolResult } from '../shared/conversation';
import { fullLength, isCut } from '../../base/util/cut';
import {
  asNumber,
  asRecord,
  asText,
  at,
  copied,
  headOf,
  isOwnMessage,
  type JsonRecord,
  malformed,
  textOf,
} from '../shared/decode';

const SHOWN = 600;
/** The tool to which OpenCode redirects calls that it cannot understand. The arguments name the intended tool. */
const INVALID = 'invalid';

/** Returns a call as the model intended it: OpenCode records a call that it cannot understand as one of its tool `invalid`. */
export function wantedCall(name: string, input: unknown): { name: string; args: unknown; malformed?: string } {
  const record = asRecord(input);
  if (name !== INVALID || !record) return { name, args: input ?? {} };
  const error = asText(record['error']) ?? 'not a call that OpenCode understands';
  const raw = receivedIn(error);
  return { name: asText(record['tool']) ?? name, args: raw ?? {}, malformed: headOf(error, SHOWN) };
}

/** Returns the result from a tool's state, whose status is `completed` or `error`. */
export function resultOf(name: string, state: JsonRecord): ToolResult {
  const output = asText(state['error']) ?? textOf(state['output']);
  const metadata = asRecord(state['metadata']);
  const spilled = asText(metadata?.['outputPath']);
  const exit = asNumber(metadata?.['exit']);
  // A stopped command has `exit: null`.
  const stopped = metadata !== undefined && metadata['exit'] === null;
  const failed = state['status'] === 'error';
  const start = asNumber(at(state, 'time', 'start'));
  const end = asNumber(at(state, 'time', 'end'));
  const why = name === INVALID ? invalidOf(state, output) : failed || stopped ? failureOf(output, metadata) : {};
  return {
    output,
    ...why,
    isError: failed || stopped || why.validation !== undefined || (exit !== undefined && exit !== 0),
    ...(exit !== undefined && { exitCode: exit }),
    ...(start !== undefined && end !== undefined && end >= start && { durationMs: Math.round(end - start) }),
    ...(output.length > 1000 && isCut(output) && { size: fullLength(output) }),
    ...(spilled !== undefined && { spilledTo: copied(spilled) }),
  };
}

function invalidOf(state: JsonRecord, output: string): Partial<ToolResult> {
  const error = asText(at(state, 'input', 'error')) ?? output;
  const received = receivedIn(error);
  const unknown = /unavailable tool '([^'\n]{1,200})'/.exec(error.slice(0, 2000))?.[1];
  if (unknown !== undefined) return malformed('unknown_tool', error, 'the name of an available tool', unknown);
  if (/JSON pars(?:ing|e)/i.test(error.slice(0, 2000)))
    return malformed('unparsable', error, 'arguments in JSON', received);
  return malformed('invalid_arguments', error, undefined, received);
}

/** Returns the arguments that could not be parsed, as quoted in OpenCode's message. */
function receivedIn(error: string): string | undefined {
  const before = 'JSON parsing failed: Text: ';
  const start = error.indexOf(before);
  const end = start < 0 ? -1 : error.indexOf('\nError message:', start);
  if (end < 0) return undefined;
  const quoted = error.slice(start + before.length, error[end - 1] === '.' ? end - 1 : end);
  return quoted === '' ? undefined : headOf(quoted, 200);
}

/** Returns why a call failed: it was malformed, refused or stopped; empty if the tool itself failed. */
function failureOf(output: string, metadata: JsonRecord | undefined): Partial<ToolResult> {
  const head = output.slice(0, SHOWN);
  if (/was called with invalid arguments/.test(head)) {
    const missing = /Missing key\s+at \["([^"\]\n]{1,200})"/.exec(head)?.[1];
    return malformed('invalid_arguments', head, missing);
  }
  // The text of a message that refused the call.
  if (isOwnMessage(output)) return { denied: 'hook' };
  if (head.startsWith('The user rejected permission')) return { denied: 'user' };
  if (head.startsWith('The user has specified a rule which prevents')) return { denied: 'policy' };
  if (metadata?.['interrupted'] === true || head.startsWith('Tool execution aborted')) return { interrupted: true };
  return /User aborted the command\s*(?:<\/\w{1,40}>\s*)?$/.test(output.slice(-SHOWN)) ? { interrupted: true } : {};
}
