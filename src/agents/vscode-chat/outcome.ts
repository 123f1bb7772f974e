import type { ReadResult } from '../shared/conversation';
import { asArray, asRecord, asText, cutTags, type JsonRecord, malformed, timeOf } from '../shared/decode';
import { withoutEscapes } from '../../base/util/showable';

/** Events whose hooks add text to a result, in a tag that the model sees. */
const CONTEXTS = ['PreToolUse', 'PostToolUse'];
const ERROR = /^ERROR(?: while calling tool)?: /;
const DENIED = /^Tool execution denied: ?/;
/** A result is a tree of texts; a deeper one, or one with more leaves, is cut. */
const DEEPEST = 24;
const MOST_LEAVES = 5_000;

/** Returns a call's result as the model receives it: plain text, or a tree whose leaves are joined. */
export function textOfResult(value: unknown): string {
  const texts: string[] = [];
  collect(asRecord(value)?.['content'] ?? value, texts, 0);
  return texts.join('');
}

function collect(value: unknown, texts: string[], depth: number): void {
  if (depth > DEEPEST || texts.length >= MOST_LEAVES) return;
  if (typeof value === 'string') {
    texts.push(value);
    return;
  }
  const list = asArray(value);
  if (list) {
    for (const one of list) collect(one, texts, depth + 1);
    return;
  }
  const record = asRecord(value);
  if (!record) return;
  const text = asText(record['text']);
  if (text !== undefined) {
    // Leaves are on separate lines if they say so.
    const last = texts.at(-1);
    if (record['lineBreakBefore'] === true && last !== undefined && !last.endsWith('\n')) texts.push('\n');
    texts.push(text);
  }
  for (const key of ['value', 'node', 'children'])
    if (record[key] !== undefined) collect(record[key], texts, depth + 1);
}

/**
 * Parses the text that the model received for a call. It does not show whether a command failed; `exitCode` is given if it is known from elsewhere.
 */
export function readResult(text: string, exitCode?: number): ReadResult {
  let output = text;
  const added: string[] = [];
  for (const name of CONTEXTS) {
    const cut = cutTags(output, `<${name}-context>`, `</${name}-context>`, { linesBefore: 2, blanksAfter: true });
    output = cut.rest;
    added.push(...cut.inside);
  }
  output = withoutEscapes(output.replaceAll('\r\n', '\n')).trimEnd();
  const failed = ERROR.test(output) || output.startsWith('String replacement failed');
  const failure = failureOf(output);
  if (failure.denied === 'hook') added.push(output);
  return {
    added: added.join('\n'),
    result: {
      output,
      ...failure,
      isError: failed || failure.denied === 'hook' || (exitCode !== undefined && exitCode !== 0),
      ...(exitCode !== undefined && exitCode >= 0 && { exitCode }),
    },
  };
}

/** Returns why a call did not run: it was malformed, refused, or stopped. */
function failureOf(output: string): Partial<ReadResult['result']> & { denied?: 'user' | 'hook' } {
  const start = output.slice(0, 600);
  const unknown = /^ERROR: The tool "([^"\n]{1,200})" does not exist/.exec(start)?.[1];
  if (unknown !== undefined) return malformed('unknown_tool', start, 'the name of an available tool', unknown);
  const invalid = /^ERROR: Your input to the tool was invalid \(([^\n]{1,300}?)\)\s*(?:\n|$)/.exec(start)?.[1];
  if (invalid !== undefined) return malformed('invalid_arguments', start, invalid);
  if (DENIED.test(start)) return { denied: 'hook' };
  if (start.startsWith('The user chose to skip the tool call')) return { denied: 'user' };
  return start.startsWith('The user cancelled the tool call') ? { interrupted: true } : {};
}

/** The terminal part of a call: its exit code and what it printed, as far as the log has them. */
export interface Terminal {
  readonly command?: string;
  /** Absent for an ended command without shell integration. */
  readonly exitCode?: number;
  readonly output?: string;
  /** Known once the command has ended. */
  readonly durationMs?: number;
  /** Time of its end, in milliseconds since the epoch. */
  readonly at?: number;
}

export function readTerminal(data: JsonRecord): Terminal {
  const state = asRecord(data['terminalCommandState']);
  const exitCode = state?.['exitCode'];
  const duration = state?.['duration'];
  const began = timeOf(state?.['timestamp']);
  const text = asRecord(data['terminalCommandOutput'])?.['text'];
  const command = asText(asRecord(data['commandLine'])?.['original']);
  return {
    ...(command !== undefined && { command }),
    ...(typeof exitCode === 'number' && { exitCode }),
    ...(typeof text === 'string' && { output: text }),
    ...(typeof duration === 'number' && duration >= 0 && { durationMs: Math.round(duration) }),
    ...((typeof exitCode === 'number' || typeof duration === 'number') &&
      began !== undefined && { at: began + (typeof duration === 'number' ? duration : 0) }),
  };
}
