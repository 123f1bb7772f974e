import type { ReadResult, ToolResult } from '../shared/conversation';
import { sizeOfCut } from '../../base/util/cut';
import {
  asNumber,
  asRecord,
  asText,
  at,
  copied,
  type ExitCodeForm,
  exitCodeIn,
  type JsonRecord,
  malformed,
  textOf,
} from '../shared/decode';

const SHELL_END: ExitCodeForm = {
  where: 'tail',
  pattern: /<shellId: [^>\n]{1,80} completed with exit code (-?\d{1,10})>\s*$/,
};
const GUIDANCE = /\n{0,2}Tool "[^"\n]{1,200}" \w+\. Additional guidance from \w+ hooks:\n/;
const UNITS: Readonly<Record<string, number>> = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };
const READ = 600;

/** Reads the data of a `tool.execution_complete`. For a failed command it has `success: true`; the exit code shows the failure. */
export function readResult(data: JsonRecord): ReadResult {
  const error = asRecord(data['error']);
  const message = error === undefined ? undefined : (asText(error['message']) ?? textOf(error));
  let text = message ?? textOf(at(data, 'result', 'content') ?? data['result']);
  let added = '';
  const guidance = GUIDANCE.exec(text.length > 20_000 ? text.slice(-20_000) : text);
  if (guidance) {
    const start = text.length > 20_000 ? text.length - 20_000 + guidance.index : guidance.index;
    added = text.slice(start + guidance[0].length);
    text = text.slice(0, start);
  }
  const exitCode =
    asNumber(at(data, 'shellExecution', 'exitCode')) ??
    asNumber(at(data, 'toolTelemetry', 'metrics', 'exit_code')) ??
    exitCodeIn(text, [SHELL_END]);
  // The number of the shell differs each time.
  const output = text.replace(/\n?<shellId: [^>\n]{1,80} completed with exit code -?\d{1,10}>\s*$/, '');
  const failed = data['success'] === false;
  const failure = failed ? failureOf(data, output) : {};
  // A hook that refuses a call writes the whole result.
  if ('denied' in failure && failure.denied === 'hook') added = output;
  const spilled =
    /^[^\n]{0,200}?\(([\d.]{1,12}) ?(B|KB|MB|GB)\)[^\n]{0,80}?[Ss]aved to:? ([^\n]{1,4000}?)\.?(?:\n|$)/.exec(output);
  const size = spilled ? Math.round(Number(spilled[1]) * (UNITS[spilled[2] ?? ''] ?? 1)) : sizeOfCut(output);
  const running =
    /<(?:shellId: [^<>\n]{1,80}|command with [^<>\n]{1,120}) (?:is )?(?:still )?running[^<>\n]{0,200}>\s*$/.test(
      output.slice(-READ),
    );
  return {
    added,
    result: {
      output,
      ...failure,
      isError: failed || (exitCode !== undefined && exitCode !== 0),
      ...(exitCode !== undefined && { exitCode }),
      ...durationOf(data),
      ...(size !== undefined && { size }),
      ...(spilled?.[3] !== undefined && { spilledTo: copied(spilled[3]) }),
      ...(running && { running: true }),
    },
  };
}

function durationOf(data: JsonRecord): { durationMs?: number } {
  const ms = asNumber(at(data, 'toolTelemetry', 'metrics', 'durationMs'));
  return ms === undefined ? {} : { durationMs: Math.round(ms) };
}

/** Returns why a call failed: it was malformed or refused; empty if the tool itself failed. */
function failureOf(data: JsonRecord, output: string): Partial<ToolResult> {
  const start = output.length > READ ? output.slice(0, READ) : output;
  const code = asText(at(data, 'error', 'code')) ?? '';
  const unknown = /^Tool '([^'\n]{1,200})' does not exist/.exec(start)?.[1];
  if (unknown !== undefined) return malformed('unknown_tool', start, 'the name of an available tool', unknown);
  const syntax = at(data, 'toolTelemetry', 'properties', 'wasSyntaxError');
  if (syntax === 'true' || syntax === true) return malformed('unparsable', start, 'arguments in JSON');
  const field =
    /^"([^"\n]{1,100})": (Required|Expected [^\n,;]{1,100}|Invalid [^\n,;]{1,100}|Unrecognized [^\n,;]{1,100})/.exec(
      start,
    );
  if (field) {
    const expected = field[2] === 'Required' ? field[1] : `${field[1]}: ${field[2]}`;
    return malformed('invalid_arguments', start, expected);
  }
  if (/hook/i.test(start) && /denied|blocked/i.test(start)) return { denied: 'hook' };
  if (code === 'rejected' || /^The user rejected|rejected by (?:the )?user|user denied/i.test(start))
    return { denied: 'user' };
  if (code === 'denied' || /^Permission denied and could not request|denied by (?:a )?(?:rule|policy)/i.test(start)) {
    return { denied: 'policy' };
  }
  return /^(?:aborted|cancell?ed)|operation was (?:aborted|cancell?ed)/i.test(start) ? { interrupted: true } : {};
}
