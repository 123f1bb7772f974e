/**
 * Writes any value as a descriptive text: a text as it is, an error by its name and message, everything else as JSON. Values that JSON cannot hold
 * are named in brackets. Never throws, and never returns `[object Object]`.
 */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined) return 'nothing';
  try {
    const around: unknown[] = [];
    const replaced = function (this: unknown, _key: string, inner: unknown): unknown {
      while (around.length > 0 && around.at(-1) !== this) around.pop();
      if (around.includes(inner)) return '[circular]';
      const plain = holdable(inner);
      if (typeof plain === 'object' && plain !== null) around.push(plain);
      return plain;
    };
    const text = JSON.stringify(value, replaced);
    return typeof holdable(value) === 'string' ? (JSON.parse(text) as string) : text;
  } catch {
    return '[cannot be shown]';
  }
}

/** Returns the nearest value that JSON can hold. */
function holdable(value: unknown): unknown {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value instanceof Map || value instanceof Set) return [...value];
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  return typeof value === 'function' ? `[function ${value.name}]` : value;
}
