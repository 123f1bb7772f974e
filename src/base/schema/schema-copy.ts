import { isRecord, type JsonRecord } from '../util/json';

/** Limits on the size of a schema and on the work to check it. */
export interface SchemaLimits {
  /** Number of times that subschemas may be compared with values. */
  readonly visits: number;
  /** Whether `pattern` and `format` are checked. Both are regular expressions, and foreign ones may never end. */
  readonly patterns: boolean;
  /** Number of values within the checked value; one that has more is accepted unchecked. */
  readonly values: number;
}

/** Levels of a schema; deeper ones accept everything. */
const DEPTH = 64;
/** Subschemas of one schema. */
const SCHEMAS = 5_000;
/** Choices of one `enum`; a longer one accepts everything. */
const CHOICES = 500;
/** Number of values up to which `uniqueItems` compares each with each. */
const COMPARED = 1_000;

/** Thrown when a limit is reached: nothing is known to be wrong. */
class TooMuch extends Error {}

/**
 * Copies a JSON Schema without anything unknown: unknown keywords, and values that a keyword may not have, are left out, so that a sloppy schema does
 * not make a good value bad. The validator marks references in the schema that it receives, so it needs a copy anyway.
 *
 * @param values how many values will be compared
 */
export function copySchema(schema: unknown, limits: SchemaLimits, values: number): JsonRecord | boolean {
  let visits = 0;
  let schemas = 0;

  // The validator reads this keyword of draft 2019-09 each time it enters a schema. It is not supported here, so it serves to count visits.
  class Copy {
    get $recursiveAnchor(): undefined {
      if (++visits > limits.visits) throw new TooMuch();
      return undefined;
    }
  }

  function copied(one: unknown, depth: number): JsonRecord | boolean {
    if (typeof one === 'boolean') return one;
    if (!isRecord(one) || depth > DEPTH) return true;
    if (++schemas > SCHEMAS) throw new TooMuch();
    const copy = new Copy() as Copy & Record<string, unknown>;
    const all = (list: unknown) => (Array.isArray(list) ? list.map((entry) => copied(entry, depth + 1)) : undefined);
    for (const [key, value] of Object.entries(one)) {
      const kept = keyword(key, value, depth, all);
      if (kept !== undefined) copy[key] = kept;
    }
    return copy;
  }

  function keyword(key: string, value: unknown, depth: number, all: (list: unknown) => unknown[] | undefined): unknown {
    switch (key) {
      case '$id':
      case '$ref':
      case '$anchor':
      case '$schema':
        return typeof value === 'string' ? value : undefined;
      case 'type': {
        const known = [value].flat().filter((name) => TYPES.has(name as string));
        return known.length > 0 && known.length === [value].flat().length ? value : undefined;
      }
      case 'const':
        return value;
      case 'enum':
        return Array.isArray(value) && value.length <= CHOICES ? value : undefined;
      case 'required':
        return strings(value);
      case 'dependentRequired':
        return isRecord(value)
          ? Object.fromEntries(Object.entries(value).map(([name, names]) => [name, strings(names) ?? []]))
          : undefined;
      case 'minimum':
      case 'maximum':
      case 'exclusiveMinimum':
      case 'exclusiveMaximum':
      case 'multipleOf':
      case 'minLength':
      case 'maxLength':
      case 'minItems':
      case 'maxItems':
      case 'minContains':
      case 'maxContains':
      case 'minProperties':
      case 'maxProperties':
        // Draft 4 uses true or false for the exclusive limits.
        return typeof value === 'number' || (key.startsWith('exclusive') && typeof value === 'boolean')
          ? value
          : undefined;
      case 'uniqueItems':
        return typeof value === 'boolean' && values <= COMPARED ? value : undefined;
      case 'pattern':
        return limits.patterns && typeof value === 'string' && isPattern(value) ? value : undefined;
      case 'format':
        return limits.patterns && typeof value === 'string' ? value : undefined;
      case 'not':
      case 'if':
      case 'then':
      case 'else':
      case 'contains':
      case 'propertyNames':
      case 'additionalProperties':
      case 'additionalItems':
      case 'unevaluatedProperties':
      case 'unevaluatedItems':
        return copied(value, depth + 1);
      case 'items':
        return Array.isArray(value) ? all(value) : copied(value, depth + 1);
      case 'allOf':
      case 'anyOf':
      case 'oneOf':
      case 'prefixItems': {
        const list = all(value);
        return list && list.length > 0 ? list : undefined;
      }
      case 'patternProperties':
        return limits.patterns ? named(value, depth, isPattern) : undefined;
      case 'properties':
      case 'dependentSchemas':
      case '$defs':
      case 'definitions':
        return named(value, depth, () => true);
      case 'dependencies':
        return isRecord(value)
          ? Object.fromEntries(
              Object.entries(value).map(([name, one]) => [name, strings(one) ?? copied(one, depth + 1)]),
            )
          : undefined;
      default:
        return undefined;
    }
  }

  function named(value: unknown, depth: number, takes: (name: string) => boolean): JsonRecord | undefined {
    if (!isRecord(value)) return undefined;
    const entries = Object.entries(value).filter(([name]) => takes(name));
    return Object.fromEntries(entries.map(([name, one]) => [name, copied(one, depth + 1)]));
  }

  return copied(schema, 0);
}

const TYPES: ReadonlySet<string> = new Set(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']);

function strings(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : undefined;
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u').unicode;
  } catch {
    return false;
  }
}
