import { isRecord, type JsonRecord } from '../util/json';

/** Where a value is not what its schema asks for. */
export interface SchemaProblem {
  /** What the schema asks for there, for example `a string`, `one of "a", "b"`. */
  readonly expected: string;
  /** What is there instead, for example `a number`, `nothing`. */
  readonly received: string;
  /** One sentence, for example `"path" is missing`. */
  readonly error: string;
}

/** Levels below the value that are looked at; deeper ones are taken as they are. */
const DEPTH = 12;
/** Array items that are looked at. */
const ITEMS = 1000;

/**
 * The first place where a JSON value breaks a JSON Schema, null where it fits.
 *
 * Knows what catalogues of tools use: type, required, properties, additionalProperties, items, enum, const, anyOf, oneOf, allOf and
 * the lengths. What it does not know (`$ref`, formats, patterns) it lets pass: a catalogue is no reason to call a good call bad.
 */
export function schemaProblem(value: unknown, schema: unknown, path = '', depth = 0): SchemaProblem | null {
  if (schema === false) return problem(path, 'nothing', value);
  if (!isRecord(schema) || depth > DEPTH) return null;
  if ('const' in schema && !same(value, schema.const)) return problem(path, literal(schema.const), value);
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => same(value, one))) {
    return problem(path, `one of ${schema.enum.slice(0, 8).map(literal).join(', ')}`, value);
  }
  const types = typesOf(schema.type);
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    return problem(path, types.map((type) => article(type)).join(' or '), value);
  }
  return (
    alternativesProblem(value, schema, path, depth) ??
    (Array.isArray(value) ? arrayProblem(value, schema, path, depth) : null) ??
    (isRecord(value) ? objectProblem(value, schema, path, depth) : null) ??
    (typeof value === 'string'
      ? lengthProblem(value.length, 'minLength', 'maxLength', 'characters', schema, path)
      : null)
  );
}

type Schema = JsonRecord;

function alternativesProblem(value: unknown, schema: Schema, path: string, depth: number): SchemaProblem | null {
  for (const one of Array.isArray(schema.allOf) ? schema.allOf : []) {
    const found = schemaProblem(value, one, path, depth + 1);
    if (found) return found;
  }
  for (const any of [schema.anyOf, schema.oneOf]) {
    if (!Array.isArray(any) || any.length === 0) continue;
    const found = any.map((one) => schemaProblem(value, one, path, depth + 1));
    if (!found.includes(null)) return found[0] ?? null;
  }
  return null;
}

function arrayProblem(value: readonly unknown[], schema: Schema, path: string, depth: number): SchemaProblem | null {
  const wrong = lengthProblem(value.length, 'minItems', 'maxItems', 'items', schema, path);
  if (wrong || schema.items === undefined) return wrong;
  for (const [index, item] of value.slice(0, ITEMS).entries()) {
    const found = schemaProblem(item, schema.items, `${path}[${index}]`, depth + 1);
    if (found) return found;
  }
  return null;
}

function objectProblem(value: Schema, schema: Schema, path: string, depth: number): SchemaProblem | null {
  for (const name of Array.isArray(schema.required) ? schema.required : []) {
    if (typeof name === 'string' && !Object.hasOwn(value, name)) {
      return { expected: at(path, name), received: keysOf(value), error: `"${at(path, name)}" is missing` };
    }
  }
  const properties = isRecord(schema.properties) ? schema.properties : {};
  for (const [name, item] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name);
    const own = known ? properties[name] : schema.additionalProperties;
    if (!known && own === false) {
      const expected = Object.keys(properties).slice(0, 8).join(', ');
      return { expected, received: at(path, name), error: `"${at(path, name)}" is not a field of it` };
    }
    const found = own === undefined || own === true ? null : schemaProblem(item, own, at(path, name), depth + 1);
    if (found) return found;
  }
  return null;
}

function lengthProblem(
  length: number,
  least: string,
  most: string,
  of: string,
  schema: Schema,
  path: string,
): SchemaProblem | null {
  const { [least]: min, [most]: max } = schema;
  if (typeof min === 'number' && length < min) {
    return { expected: `at least ${min} ${of}`, received: `${length}`, error: `${where(path)} has too few ${of}` };
  }
  if (typeof max === 'number' && length > max) {
    return { expected: `at most ${max} ${of}`, received: `${length}`, error: `${where(path)} has too many ${of}` };
  }
  return null;
}

function problem(path: string, expected: string, value: unknown): SchemaProblem {
  const received = value === undefined ? 'nothing' : article(typeOf(value));
  return { expected, received, error: `${where(path)} is ${received}, not ${expected}` };
}

function typesOf(type: unknown): string[] {
  return (Array.isArray(type) ? type : [type]).filter((one): one is string => typeof one === 'string');
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    case 'number':
    case 'string':
    case 'boolean':
    case 'array':
    case 'object':
    case 'null':
      return typeOf(value) === type;
    default:
      return true;
  }
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function article(type: string): string {
  return type === 'null' || type === 'undefined' ? 'nothing' : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`;
}

function literal(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 60);
}

function same(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && a !== null && JSON.stringify(a) === JSON.stringify(b));
}

function keysOf(value: Schema): string {
  const keys = Object.keys(value);
  return keys.length === 0 ? 'no fields' : keys.slice(0, 8).join(', ').slice(0, 200);
}

function at(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function where(path: string): string {
  return path === '' ? 'the value' : `"${path}"`;
}
