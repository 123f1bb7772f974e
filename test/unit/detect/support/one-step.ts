import type { ToolCallEvent, ToolResultEvent } from '../../../../src/core/model';
import { type Saying, sayingOf } from '../../../../src/detect/sayings/saying';
import { classify, failedIn } from '../../../../src/detect/steps/weight';

const base = { agent: 'generic' as const, session: 's', at: 0, source: { file: 'f', line: 1, offset: 0 } };

/** A call of a tool; a shell command by default. */
export const callOf = (more: Partial<ToolCallEvent> = {}): ToolCallEvent => ({
  ...base,
  type: 'tool_call',
  id: 'c',
  name: 'Bash',
  args: {},
  kind: 'ran',
  subject: '',
  ...more,
});

export const resultOf = (more: Partial<ToolResultEvent> = {}): ToolResultEvent => ({
  ...base,
  type: 'tool_result',
  id: 'c',
  output: '',
  isError: false,
  ...more,
});

export const commandCall = (command: string): ToolCallEvent => callOf({ command, subject: command });

/** An exit code as records hold it: above 0 the result is flagged as an error. */
export const exited = (output: string, exitCode = 0): ToolResultEvent =>
  resultOf({ output, exitCode, isError: exitCode !== 0 });

/** Reads what a call with its result says, including what that depends on: whether the call is a check, and whether it failed. */
export const saying = (call: ToolCallEvent, result: ToolResultEvent): Saying =>
  sayingOf(call, result, failedIn(call, result), classify(call).command);
