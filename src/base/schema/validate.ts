import { isRecord } from '../util/json';
import { FOREIGN, OWN, schemaProblem } from './json-schema';
import type { SchemaLimits } from './schema-copy';

/** A tool that an agent may call. `schema`: JSON Schema of its arguments. */
export interface ToolDescription {
  readonly name: string;
  readonly schema?: unknown;
}

/** Result of a check. */
export interface ValidationResult {
  readonly valid: boolean;
  readonly error?: string;
  readonly expected?: string;
  /** At most 200 characters. */
  readonly received?: string;
  readonly suggestion?: string;
  readonly parsed?: unknown;
}

const RECEIVED = 200;
// The lookaheads keep the search from retrying shorter names and blanks.
const FENCE = /^```[\w-]*(?![\w-])[ \t]*(?![ \t])\r?\n?([\s\S]*)$/;
const FENCE_END = /\r?\n?```$/;

/**
 * Checks that a call is well-formed: JSON with the name of an existing tool, and arguments that fit its schema. Accepts `{
 * name, arguments }` with `args`, `input` or `parameters` for the arguments, which may be JSON as text.
 */
export function validateToolCall(raw: unknown, tools: readonly ToolDescription[]): ValidationResult {
  const call = typeof raw === 'string' ? parsed(raw) : { value: raw };
  if (call.error !== undefined) return invalid(call.error, 'a call in JSON', raw, 'Send the call as valid JSON.');
  if (!isRecord(call.value))
    return invalid('not an object', 'an object with name and arguments', raw, 'Send one call as an object.');
  const { name } = call.value;
  if (typeof name !== 'string' || name === '')
    return invalid('no tool is named', 'the name of a tool', raw, 'Name the tool in "name".');
  const given = call.value.arguments ?? call.value.args ?? call.value.input ?? call.value.parameters ?? {};
  const args = typeof given === 'string' ? parsed(given) : { value: given };
  if (args.error !== undefined)
    return invalid(args.error, 'arguments in JSON', given, 'Send the arguments as valid JSON.');
  const found = problemOf(name, args.value, tools, OWN);
  return found ?? { valid: true, parsed: { name, arguments: args.value } };
}

/**
 * Checks a call of a transcript against the catalogue in the same transcript; null where nothing is wrong. Without tools
 * nothing is known to be wrong.
 */
export function callProblem(name: string, args: unknown, tools: readonly ToolDescription[]): ValidationResult | null {
  return problemOf(name, args, tools, FOREIGN);
}

function problemOf(
  name: string,
  args: unknown,
  tools: readonly ToolDescription[],
  limits: SchemaLimits,
): ValidationResult | null {
  if (tools.length === 0) return null;
  const tool = tools.find((one) => one.name === name);
  if (!tool) {
    const names = tools.map((one) => one.name);
    return invalid(
      `there is no tool "${name}"`,
      `one of ${names.slice(0, 12).join(', ')}`,
      name,
      'Use the exact name of a tool that there is.',
    );
  }
  const found = tool.schema === undefined ? null : schemaProblem(args, tool.schema, limits);
  return (
    found && invalid(found.error, found.expected, found.received, `Send "${name}" again with all required fields.`)
  );
}

/** Checks that an answer is JSON and fits the schema. A code fence around it is removed, also one that was not closed. */
export function validateJsonResponse(raw: unknown, schema?: unknown): ValidationResult {
  if (typeof raw !== 'string')
    return invalid('not a text', 'JSON as text', raw, 'Respond with only valid JSON, no markdown or explanation.');
  const text = raw.trim();
  const fenced = FENCE.exec(text)?.[1]?.replace(FENCE_END, '');
  const { value, error } = parsed(fenced ?? text);
  if (error !== undefined) {
    return invalid(error, 'valid JSON', raw, 'Respond with only valid JSON, no markdown or explanation.');
  }
  const found = schema === undefined ? null : schemaProblem(value, schema);
  if (found)
    return invalid(found.error, found.expected, found.received, 'Respond again with JSON that fits the schema.');
  return { valid: true, parsed: value };
}

function parsed(text: string): { readonly value?: unknown; readonly error?: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { error: `not valid JSON: ${error instanceof Error ? error.message : String(error)}`.slice(0, 300) };
  }
}

function invalid(error: string, expected: string, received: unknown, suggestion: string): ValidationResult {
  const text = typeof received === 'string' ? received : asText(received);
  return {
    valid: false,
    error,
    expected,
    received: text.length > RECEIVED ? `${text.slice(0, RECEIVED - 1)}…` : text,
    suggestion,
  };
}

/** As JSON, or by its name where JSON cannot hold it. */
function asText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
