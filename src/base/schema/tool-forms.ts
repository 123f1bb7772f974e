import { isRecord, type JsonRecord } from '../util/json';

/** A tool that an agent may call. `schema`: JSON Schema of its arguments. */
export interface ToolDescription {
  readonly name: string;
  readonly schema?: unknown;
}

/** OpenAI: a function without `parameters` takes none. */
const TAKES_NOTHING = { type: 'object', properties: {}, additionalProperties: false };

/**
 * Reads the name and schema of a tool in the form of Unstuck (`schema`), Anthropic (`input_schema`), MCP or VS Code (`inputSchema`) or OpenAI (a
 * `function`, or its fields as in the responses API); null where it has no name. The schema is absent where none can be read.
 */
export function readTool(tool: unknown): ToolDescription | null {
  if (!isRecord(tool)) return null;
  const isFunction = tool.type === 'function';
  const own = isFunction && isRecord(tool.function) ? tool.function : tool;
  if (typeof own.name !== 'string' || own.name === '') return null;
  const schema = isFunction
    ? (own.parameters ?? TAKES_NOTHING)
    : (own.schema ?? own.input_schema ?? own.inputSchema ?? own.parameters);
  return isReadable(schema) ? { name: own.name, schema } : { name: own.name };
}

/** False for an instance of a class: it is the schema of a library, which no validator of JSON Schema understands. */
function isReadable(schema: unknown): schema is JsonRecord | boolean {
  if (typeof schema === 'boolean') return true;
  if (!isRecord(schema)) return false;
  const prototype: unknown = Object.getPrototypeOf(schema);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
