/** A parsed JSON object whose fields have not been checked. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** True for an object that is neither null nor an array. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is a record, otherwise undefined. */
export function asRecord(value: unknown): JsonRecord | undefined {
  return isRecord(value) ? value : undefined;
}

/** Returns the fields of a record; an empty record for any other value. */
export function fieldsOf(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

const SPACE = 0x20;
const QUOTE = 0x22;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BACKSLASH = 0x5c;

/** Limit of lists within lists. V8 takes 0.2 µs for each: a line of 1 MB of nothing else would hold up the event loop for 200 ms. */
const DEEPEST = 1_000;

/** Returns the parsed value, or undefined where the text is not JSON or nests too deeply. JSON itself has no `undefined`. */
export function parseJson(text: string): unknown {
  if (isCutOff(text) || (text.length > DEEPEST && isTooDeep(text))) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Returns whether a list or object begins and does not end. This quick check avoids an exception, which costs 10 µs, and a file may hold many such
 * texts.
 */
function isCutOff(text: string): boolean {
  const first = text.charCodeAt(0);
  const end = first === OPEN_OBJECT ? CLOSE_OBJECT : first === OPEN_LIST ? CLOSE_LIST : 0;
  const last = text.charCodeAt(text.length - 1);
  return end !== 0 && last !== end && last > SPACE;
}

/** Returns whether the text nests lists deeper than `DEEPEST`. Nearly all texts open fewer lists in total, so that is checked first. */
function isTooDeep(text: string): boolean {
  let opened = 0;
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1))
    if (++opened > DEEPEST) return depthOf(text) > DEEPEST;
  return false;
}

/** Measures the nesting of lists, up to one beyond `DEEPEST`. Brackets in strings do not count. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length && deepest <= DEEPEST; at++) {
    const letter = text.charCodeAt(at);
    if (letter === OPEN_LIST) deepest = Math.max(deepest, ++depth);
    else if (letter === CLOSE_LIST) depth--;
    else if (letter === QUOTE) {
      while (++at < text.length && text.charCodeAt(at) !== QUOTE) if (text.charCodeAt(at) === BACKSLASH) at++;
    }
  }
  return deepest;
}

/** Returns the parsed record, or undefined where the text is not JSON or holds another value. */
export function parseRecord(text: string): JsonRecord | undefined {
  return asRecord(parseJson(text));
}
