import { isRecord } from '../util/json';
import { valueText } from '../util/value-text';
import { readCall } from './call-forms';
import { FOREIGN, OWN, schemaProblem } from './json-schema';
import type { SchemaLimits } from './schema-copy';
import { readTool, type ToolDescription } from './tool-forms';

/** Result of a check. */
export interface ValidationResult {
  readonly valid: boolean;
  /** Side that has to be changed: the model's answer, or the caller's list of tools. Absent where the value is valid. */
  readonly fault?: 'answer' | 'tools';
  readonly error?: string;
  readonly expected?: string;
  /** At most 200 characters. */
  readonly received?: string;
  readonly suggestion?: string;
  readonly parsed?: unknown;
}

const RECEIVED = 200;
// The lookaheads prevent the search from retrying shorter names and blanks.
const FENCE = /^```[\w-]*(?![\w-])[ \t]*(?![ \t])\r?\n?([\s\S]*)$/;
const FENCE_END = /\r?\n?```$/;

/**
 * Checks that a call is well-formed: JSON with the name of one of the tools, and arguments that fit its schema. Takes tools and calls in the
 * forms of `readTool` and `readCall`; arguments may be JSON as text, and a code fence around the call is removed.
 */
export function validateToolCall(raw: unknown, tools: readonly unknown[]): ValidationResult {
  const call = typeof raw === 'string' ? parsed(unfenced(raw)) : { value: raw };
  if (call.error !== undefined) return invalid(call.error, 'a call in JSON', raw, 'Send the call as valid JSON.');
  if (!isRecord(call.value))
    return invalid('not an object', 'an object with name and arguments', raw, 'Send one call as an object.');
  const { name, args: given } = readCall(call.value);
  if (typeof name !== 'string' || name === '')
    return invalid('no tool is named', 'the name of a tool', raw, 'Name the tool in "name".');
  const args = typeof given === 'string' ? parsed(given) : { value: given };
  if (args.error !== undefined)
    return invalid(args.error, 'arguments in JSON', given, 'Send the arguments as valid JSON.');
  if (!Array.isArray(tools)) return unreadable('the tools are not a list', tools);
  const read = tools.map(readTool);
  const nameless = read.indexOf(null);
  if (nameless >= 0) return unreadable(`tool ${nameless + 1} has no name`, tools[nameless]);
  const known = read.filter((tool) => tool !== null);
  const index = known.findIndex((tool) => tool.name === name);
  if (index >= 0 && known[index]?.schema === undefined)
    return unreadable(`the tool "${name}" has no schema that can be read`, tools[index]);
  return problemOf(name, args.value, known, OWN) ?? { valid: true, parsed: { name, arguments: args.value } };
}

/** Reports an error of the caller, which no answer of a model can fix. */
function unreadable(error: string, received: unknown): ValidationResult {
  const expected = 'tools with a name and a JSON Schema in schema, input_schema, inputSchema or function.parameters';
  const suggestion = 'Correct the list of tools. A tool that takes anything has the schema {}.';
  return { ...invalid(error, expected, received, suggestion), fault: 'tools' };
}

/**
 * Checks a call in a transcript against the catalogue in the same transcript; null where nothing is wrong. Without tools, nothing is known to be
 * wrong.
 */
export function callProblem(name: string, args: unknown, tools: readonly ToolDescription[]): ValidationResult | null {
  return tools.length === 0 ? null : problemOf(name, args, tools, FOREIGN);
}

function problemOf(
  name: string,
  args: unknown,
  tools: readonly ToolDescription[],
  limits: SchemaLimits,
): ValidationResult | null {
  const tool = tools.find((one) => one.name === name);
  if (!tool) {
    const names = tools.map((one) => one.name);
    return invalid(
      `there is no tool "${name}"`,
      names.length === 0 ? 'no call: there are no tools' : `one of ${names.slice(0, 12).join(', ')}`,
      name,
      'Use the exact name of a tool that there is.',
    );
  }
  const found = tool.schema === undefined ? null : schemaProblem(args, tool.schema, limits);
  return (
    found && invalid(found.error, found.expected, found.received, `Send "${name}" again with all required fields.`)
  );
}

/** Checks that an answer is JSON and fits the schema. A code fence around it is removed, even one that was not closed. */
export function validateJsonResponse(raw: unknown, schema?: unknown): ValidationResult {
  if (typeof raw !== 'string')
    return invalid('not a text', 'JSON as text', raw, 'Respond with only valid JSON, no markdown or explanation.');
  const { value, error } = parsed(unfenced(raw));
  if (error !== undefined) {
    return invalid(error, 'valid JSON', raw, 'Respond with only valid JSON, no markdown or explanation.');
  }
  const found = schema === undefined ? null : schemaProblem(value, schema);
  if (found)
    return invalid(found.error, found.expected, found.received, 'Respond again with JSON that fits the schema.');
  return { valid: true, parsed: value };
}

/** Returns the text without the code fence around it, closed or not. */
function unfenced(raw: string): string {
  const text = raw.trim();
  return FENCE.exec(text)?.[1]?.replace(FENCE_END, '') ?? text;
}

function parsed(text: string): { readonly value?: unknown; readonly error?: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { error: `not valid JSON: ${error instanceof Error ? error.message : String(error)}`.slice(0, 300) };
  }
}

function invalid(error: string, expected: string, received: unknown, suggestion: string): ValidationResult {
  const text = valueText(received);
  return {
    valid: false,
    fault: 'answer',
    error,
    expected,
    received: text.length > RECEIVED ? `${text.slice(0, RECEIVED - 1)}…` : text,
    suggestion,
  };
}
