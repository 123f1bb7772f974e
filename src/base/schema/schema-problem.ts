import type { OutputUnit, Schema } from '@cfworker/json-schema';
import { isRecord, type JsonRecord } from '../util/json';

/** Mismatch between a value and its schema. */
export interface SchemaProblem {
  /** Expected value, for example `a string`, `one of "a", "b"`. */
  readonly expected: string;
  /** Actual value, for example `a number`, `nothing`. */
  readonly received: string;
  /** One sentence, for example `"path" is missing`. */
  readonly error: string;
}

type Lookup = Readonly<Record<string, Schema | boolean>>;

/** Keywords that only report that something within is wrong, where that is reported as well. */
const WRAPPERS: ReadonlySet<string> = new Set([
  '$ref',
  '$recursiveRef',
  'allOf',
  'anyOf',
  'oneOf',
  'then',
  'else',
  'if',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'dependentSchemas',
  'dependencies',
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
]);

/** Puts the validator's result into words for a model. Where none of several alternatives fits, the first is described. */
export function problemInWords(
  value: unknown,
  schema: Schema | boolean,
  lookup: Lookup,
  found: readonly OutputUnit[],
): SchemaProblem {
  const index = found.findIndex(({ keyword }) => !WRAPPERS.has(keyword));
  const unit = found[index] ?? found.at(-1);
  if (!unit) return problem('', 'what the schema asks for', value);
  const names = parts(unit.instanceLocation);
  const path = pathOf(names);
  const there = valueAt(value, names);
  if (unit.keyword === 'false') {
    const around = found[index - 1];
    const rules = around ? rulesAt(schema, lookup, around.keywordLocation) : {};
    const known = isRecord(rules.properties) ? Object.keys(rules.properties).slice(0, 8).join(', ') : 'nothing';
    return names.length === 0
      ? problem('', 'nothing', there)
      : { expected: known, received: path, error: `"${path}" is not a field of it` };
  }
  return words(unit, rulesAt(schema, lookup, unit.keywordLocation), path, there);
}

function words({ keyword, error }: OutputUnit, rules: JsonRecord, path: string, value: unknown): SchemaProblem {
  const limit = rules[keyword];
  const number = typeof limit === 'number' ? limit : 0;
  const size = typeof value === 'string' || Array.isArray(value) ? value.length : Object.keys(Object(value)).length;
  switch (keyword) {
    case 'type':
      return problem(
        path,
        [limit]
          .flat()
          .map((type) => article(String(type)))
          .join(' or '),
        value,
      );
    case 'const':
      return problem(path, literal(limit), value);
    case 'enum':
      return problem(path, `one of ${[limit].flat().slice(0, 8).map(literal).join(', ')}`, value);
    case 'required':
    case 'dependentRequired': {
      const needed = keyword === 'required' ? [limit].flat() : Object.values(Object(limit)).flat();
      const missing = needed.find((name) => !Object.hasOwn(Object(value), String(name)));
      const at = path === '' ? String(missing) : `${path}.${String(missing)}`;
      return { expected: at, received: keysOf(value), error: `"${at}" is missing` };
    }
    case 'minLength':
      return tooFew(path, number, 'characters', size);
    case 'minItems':
      return tooFew(path, number, 'items', size);
    case 'minProperties':
      return tooFew(path, number, 'fields', size);
    case 'maxLength':
      return tooMany(path, number, 'characters', size);
    case 'maxItems':
      return tooMany(path, number, 'items', size);
    case 'maxProperties':
      return tooMany(path, number, 'fields', size);
    case 'minimum':
      return asked(path, `at least ${number}`, value);
    case 'maximum':
      return asked(path, `at most ${number}`, value);
    case 'exclusiveMinimum':
      return asked(path, `more than ${number}`, value);
    case 'exclusiveMaximum':
      return asked(path, `less than ${number}`, value);
    case 'multipleOf':
      return asked(path, `a multiple of ${number}`, value);
    case 'pattern':
      return asked(path, `text that matches ${literal(limit)}`, value);
    case 'format':
      return asked(path, `text of the format ${literal(limit)}`, value);
    case 'uniqueItems':
      return asked(path, 'items that are all different', value);
    case 'contains':
    case 'minContains':
    case 'maxContains':
      return asked(path, 'other items', value);
    case 'not':
      return asked(path, 'something else: the schema forbids it', value);
    case 'oneOf':
      return asked(path, 'what exactly one alternative allows, not several', value);
    default:
      return { expected: 'what the schema asks for', received: literal(value), error: `${where(path)}: ${error}` };
  }
}

/** Returns the schema that holds the keyword at this place on the validator's path. */
function rulesAt(schema: Schema | boolean, lookup: Lookup, location: string): JsonRecord {
  let rules: unknown = schema;
  for (const part of parts(location).slice(0, -1)) {
    if (!isRecord(rules) && !Array.isArray(rules)) return {};
    const own = rules as Readonly<Record<string, unknown>>;
    rules = part === '$ref' ? lookup[String(own.__absolute_ref__ ?? own.$ref)] : own[part];
  }
  return isRecord(rules) ? rules : {};
}

/** Splits a pointer such as `#/a/0/b~1c` into its names. */
function parts(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => decoded(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decoded(part: string): string {
  try {
    return decodeURI(part);
  } catch {
    return part;
  }
}

function valueAt(value: unknown, names: readonly string[]): unknown {
  let there = value;
  for (const name of names) there = Object(there)[name] as unknown;
  return there;
}

/** Writes a path as `a.b[2].c`. */
function pathOf(names: readonly string[]): string {
  return names.map((name, index) => (/^\d+$/.test(name) ? `[${name}]` : index === 0 ? name : `.${name}`)).join('');
}

function tooFew(path: string, least: number, of: string, size: number): SchemaProblem {
  return { expected: `at least ${least} ${of}`, received: `${size}`, error: `${where(path)} has too few ${of}` };
}

function tooMany(path: string, most: number, of: string, size: number): SchemaProblem {
  return { expected: `at most ${most} ${of}`, received: `${size}`, error: `${where(path)} has too many ${of}` };
}

function asked(path: string, expected: string, value: unknown): SchemaProblem {
  const received = literal(value);
  return { expected, received, error: `${where(path)} is ${received}, not ${expected}` };
}

function problem(path: string, expected: string, value: unknown): SchemaProblem {
  const received = value === undefined ? 'nothing' : article(typeOf(value));
  return { expected, received, error: `${where(path)} is ${received}, not ${expected}` };
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

function keysOf(value: unknown): string {
  const keys = Object.keys(Object(value));
  return keys.length === 0 ? 'no fields' : keys.slice(0, 8).join(', ').slice(0, 200);
}

function where(path: string): string {
  return path === '' ? 'the value' : `"${path}"`;
}
