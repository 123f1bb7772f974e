/**
 * Small hand-written checks of data that comes from another world. A reader returns the value it understood, cleaned and cut to its
 * limit, and never the object that it was given; it throws `Mismatch`, which `attempt` turns into a problem.
 */
import { signs, signsInLine } from '../util/showable';

export type Read<T> = (value: unknown, path: string) => T;

class Mismatch extends Error {}

export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** Runs a reader. `problem` names the place and what was expected, without any of the data. */
export function attempt<T>(read: Read<T>, value: unknown): Parsed<T> {
  try {
    return { ok: true, value: read(value, 'message') };
  } catch (error) {
    if (error instanceof Mismatch) return { ok: false, problem: error.message };
    throw error;
  }
}

function mismatch(path: string, expected: string): never {
  throw new Mismatch(`${path}: expected ${expected}`);
}

/** A text of one line: control characters become signs, what is longer than `max` is cut with `…`. */
export function line(max: number): Read<string> {
  return (value, path) => cut(signsInLine(string(value, path, max)), max);
}

/** A text of several lines, like `line`. */
export function text(max: number): Read<string> {
  return (value, path) => cut(signs(string(value, path, max)), max);
}

/** An id or a path: taken as it is or not at all. */
export function exact(max: number): Read<string> {
  return (value, path) => {
    if (typeof value !== 'string' || value.length > max) mismatch(path, `a string of at most ${max} characters`);
    return value;
  };
}

function string(value: unknown, path: string, max: number): string {
  if (typeof value !== 'string') mismatch(path, 'a string');
  // Cut before the work: nobody pays for a text that is not shown.
  return value.length > max + 1 ? value.slice(0, max + 1) : value;
}

function cut(value: string, max: number): string {
  return value.length > max ? `${value.slice(0, max - 1)}…` : value;
}

export const number: Read<number> = (value, path) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) mismatch(path, 'a finite number');
  return value;
};

/** A whole number of at least 0. */
export const index: Read<number> = (value, path) => {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) mismatch(path, 'a whole number');
  return value;
};

export const boolean: Read<boolean> = (value, path) => {
  if (typeof value !== 'boolean') mismatch(path, 'true or false');
  return value;
};

export function literal<const T extends string | number | boolean>(expected: T): Read<T> {
  return (value, path) => (value === expected ? expected : mismatch(path, String(expected)));
}

export function oneOf<const T extends string>(values: readonly T[]): Read<T> {
  return (value, path) => {
    const found = values.find((one) => one === value);
    return found ?? mismatch(path, `one of ${values.length} known words`);
  };
}

export function nullable<T>(read: Read<T>): Read<T | null> {
  return (value, path) => (value === null ? null : read(value, path));
}

/** A list; what is longer than `max` is refused, for it would be shown half. */
export function list<T>(read: Read<T>, max: number): Read<readonly T[]> {
  return (value, path) => {
    if (!Array.isArray(value) || value.length > max) mismatch(path, `a list of at most ${max}`);
    return value.map((one: unknown, at) => read(one, `${path}[${at}]`));
  };
}

/** Marks a field that may be absent. */
export interface Optional<T> {
  readonly optional: Read<T>;
}

export function optional<T>(read: Read<T>): Optional<T> {
  return { optional: read };
}

type Shape<T> = {
  readonly [K in keyof T]-?: undefined extends T[K] ? Optional<Exclude<T[K], undefined>> : Read<T[K]>;
};

/** An object with the fields of `T`, each with its reader; unknown fields are dropped. */
export function object<T extends object>(shape: Shape<T>): Read<T> {
  const fields = Object.entries<Read<unknown> | Optional<unknown>>(shape);
  return (value, path) => {
    const source = record(value, path);
    const result: Record<string, unknown> = {};
    for (const [key, field] of fields) {
      const found = source[key];
      if (typeof field === 'function') result[key] = field(found, `${path}.${key}`);
      else if (found !== undefined) result[key] = field.optional(found, `${path}.${key}`);
    }
    return result as T;
  };
}

/** An object that is nothing but its word in `key`. */
export function only<K extends string, const T extends string>(key: K, word: T): Read<{ readonly [P in K]: T }> {
  const read = literal(word);
  return (value, path) => ({ [key]: read(record(value, path)[key], `${path}.${key}`) }) as { readonly [P in K]: T };
}

/** One of several objects that are told apart by the word in `key`. */
export function tagged<K extends string, T extends Readonly<Record<K, string>>>(
  key: K,
  shapes: { readonly [Tag in T[K]]: Read<Extract<T, Readonly<Record<K, Tag>>>> },
): Read<T> {
  const readers = new Map<unknown, Read<unknown>>(Object.entries(shapes));
  return (value, path) => {
    const read = readers.get(record(value, path)[key]);
    if (!read) mismatch(`${path}.${key}`, `one of ${readers.size} known words`);
    return read(value, path) as T;
  };
}

/** A map with some of the keys. */
export function partial<K extends string, T>(keys: readonly K[], read: Read<T>): Read<Partial<Record<K, T>>> {
  return (value, path) => {
    const source = record(value, path);
    const result: Partial<Record<K, T>> = {};
    for (const key of keys) {
      const found = source[key];
      if (found !== undefined) result[key] = read(found, `${path}.${key}`);
    }
    return result;
  };
}

export function pair(read: Read<number>): Read<readonly [number, number]> {
  return (value, path) => {
    if (!Array.isArray(value) || value.length !== 2) mismatch(path, 'a pair');
    return [read(value[0], path), read(value[1], path)];
  };
}

/** A typed array, or the buffer of one; `max` entries at most. */
export function typed<T extends Float64Array | Uint32Array | Uint8Array>(
  type: { new (buffer: ArrayBufferLike): T; readonly BYTES_PER_ELEMENT: number },
  max: number,
): Read<T> {
  return (value, path) => {
    let result: T | undefined;
    if (value instanceof type) result = value;
    else if (value instanceof ArrayBuffer && value.byteLength % type.BYTES_PER_ELEMENT === 0) result = new type(value);
    if (!result || result.length > max) mismatch(path, `at most ${max} numbers in a typed array`);
    return result;
  };
}

function record(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) mismatch(path, 'an object');
  return value as Readonly<Record<string, unknown>>;
}

/** Joins a reader and a check of the whole. */
export function checked<T>(read: Read<T>, holds: (value: T) => boolean, expected: string): Read<T> {
  return (value, path) => {
    const result = read(value, path);
    return holds(result) ? result : mismatch(path, expected);
  };
}
