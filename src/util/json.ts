/** A parsed JSON object whose fields have not been checked. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** True for an object that is neither null nor an array. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is a record, else undefined. */
export function asRecord(value: unknown): JsonRecord | undefined {
  return isRecord(value) ? value : undefined;
}

/** The fields of a record; an empty record for any other value. */
export function fieldsOf(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

/** The parsed value, or undefined where the text is not JSON. JSON has no `undefined` of its own. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The parsed record, or undefined where the text is not JSON or holds another value. */
export function parseRecord(text: string): JsonRecord | undefined {
  return asRecord(parseJson(text));
}
