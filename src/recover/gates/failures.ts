import { type Complaint, plainLines } from '../../base/checks/runners/lines';
import { type ParsedOutput, parseOutput } from '../../base/checks/runners/parse-output';
import type { GateFailure } from '../../core/model';
import { quotedLine } from '../quote';

/** Failures that are kept of one gate. */
const MOST = 50;
/** A gate prints up to 2 MB, and its report should name every place: more of it is read than of a tool's result. */
const BOUNDS = { head: 200_000, tail: 600_000 };

/** Parsed output of a gate, with failures that may be shown and sent: redacted, one line each, at most 50. */
export type GateOutput = Omit<ParsedOutput, 'failures'> & { readonly failures: readonly GateFailure[] };

/** Reads what a gate printed. Never throws. */
export function readGateOutput(printed: string): GateOutput {
  const parsed = parseOutput(plainLines(printed, BOUNDS));
  return { ...parsed, failures: parsed.failures.slice(0, MOST).map(shown) };
}

function shown({ file, line, column, message, test }: Complaint): GateFailure {
  return {
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    message: quotedLine(message) || 'failed',
    ...(test !== undefined && { test: quotedLine(test) }),
  };
}
