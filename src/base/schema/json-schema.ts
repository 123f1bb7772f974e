import { type SchemaDraft, dereference, validate } from '@cfworker/json-schema';
import { isRecord } from '../util/json';
import { copySchema, type SchemaLimits } from './schema-copy';
import { problemInWords, type SchemaProblem } from './schema-problem';

/** Limits for the schema of a caller in this process, whose patterns can be trusted. */
export const OWN: SchemaLimits = { visits: 200_000, patterns: true, values: 100_000 };
/** Limits for a schema from a transcript: a few milliseconds at most, and no foreign regular expressions. */
export const FOREIGN: SchemaLimits = { visits: 5_000, patterns: false, values: 5_000 };

/** Longest string on which patterns and formats are tried. Characters. */
const LONGEST = 10_000;

/**
 * Finds the first place where a JSON value breaks a JSON Schema (drafts 4, 7, 2019-09 and 2020-12); null where it fits.
 *
 * Anything undecidable passes: a `$ref` to elsewhere, an invalid schema, more work than the limits allow.
 */
export function schemaProblem(value: unknown, schema: unknown, limits: SchemaLimits = OWN): SchemaProblem | null {
  const size = measure(value, limits.values);
  if (size === null) return null;
  const patterns = limits.patterns && size.longest <= LONGEST;
  try {
    const copy = copySchema(schema, { ...limits, patterns }, size.values);
    const lookup = dereference(copy);
    const { valid, errors } = validate(value, copy, draftOf(schema), lookup);
    return valid ? null : problemInWords(value, copy, lookup, errors);
  } catch {
    // Too much work, a reference that leads nowhere or in a circle, or a value that JSON cannot represent.
    return null;
  }
}

/** Counts the values in a value and measures its longest string; null where there are more values than `most`. */
function measure(value: unknown, most: number): { readonly values: number; readonly longest: number } | null {
  let values = 0;
  let longest = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    if (++values > most) return null;
    const one = waiting.pop();
    if (typeof one === 'string') longest = Math.max(longest, one.length);
    else if (typeof one === 'object' && one !== null) {
      const inside: unknown[] = Array.isArray(one) ? one : Object.values(one);
      if (values + inside.length > most) return null;
      waiting.push(...inside);
    }
  }
  return { values, longest };
}

/** Returns the draft that a schema names. One that names none counts as 2019-09 if `items` is a list, which later drafts do not allow. */
function draftOf(schema: unknown): SchemaDraft {
  const { $schema, items } = isRecord(schema) ? schema : {};
  const name = typeof $schema === 'string' ? $schema : '';
  if (name.includes('draft-04')) return '4';
  if (name.includes('draft-06') || name.includes('draft-07')) return '7';
  return name.includes('2019-09') || (name === '' && Array.isArray(items)) ? '2019-09' : '2020-12';
}
