import type { Problem } from '../../core/model';
import { asArray, asRecord, isBlank, type JsonRecord, parseJson, timeOf, whereJsonBreaks } from '../shared/decode';
import { type Field, type FieldKind, isGenericType, PLAN_STATUS, TYPES, VERSION } from './fields';

/** Largest number of entries; the last one counts the rest. */
const LISTED = 1000;

/**
 * Lists the problems of a generic transcript, line by line, in plain words (`unstuck check`). Stricter than the decoder: it names problems that the
 * decoder silently corrects. Empty if there are none. The text of the records is not quoted, except for names of types and fields.
 *
 * @param text The whole file.
 * @param latest The latest time that a record can have, milliseconds since the epoch.
 */
export function checkGeneric(text: string, latest = Number.POSITIVE_INFINITY): readonly Problem[] {
  const problems: Problem[] = [];
  let count = 0;
  const state: CheckState = { calls: new Set(), answered: new Set() };
  let offset = 0;
  let line = 0;
  let records = 0;
  for (const raw of text.split('\n')) {
    line++;
    const at = offset;
    offset += Buffer.byteLength(raw) + 1;
    const record = line === 1 && raw.startsWith('\uFEFF') ? raw.slice(1) : raw;
    if (isBlank(record)) continue;
    records++;
    for (const why of checkLine(record, state, latest)) {
      count++;
      if (count <= LISTED) problems.push({ line, offset: at, why });
    }
  }
  if (records === 0) problems.push({ line: 1, offset: 0, why: 'the file holds no events' });
  if (count > LISTED) problems.push({ line, offset, why: `and ${count - LISTED} more problems` });
  return problems;
}

interface CheckState {
  readonly calls: Set<string>;
  readonly answered: Set<string>;
}

function checkLine(text: string, state: CheckState, latest: number): readonly string[] {
  const place = whereJsonBreaks(text);
  if (place !== null) {
    return [
      place >= text.trimEnd().length ? 'not valid JSON: it ends too early' : `not valid JSON (character ${place + 1})`,
    ];
  }
  const value = parseJson(text);
  const row = asRecord(value);
  if (!row) return ['not a JSON object: each line must be one event'];
  const problems = commonProblems(row, latest);
  const type = row['type'];
  if (type === undefined) return [...problems, '"type" is missing'];
  if (typeof type !== 'string') return [...problems, '"type" must be a string'];
  if (!isGenericType(type)) return [...problems, `unknown type "${type.slice(0, 60)}"${suggestion(type)}`];
  const fields: Readonly<Record<string, Field>> = TYPES[type];
  for (const [name, field] of Object.entries(fields)) problems.push(...fieldProblems(type, name, field, row[name]));
  problems.push(...pairing(type, row, state));
  return problems;
}

function commonProblems(row: JsonRecord, latest: number): string[] {
  const problems: string[] = [];
  const at = timeOf(row['t']);
  if (row['v'] === undefined) problems.push(`"v" is missing: it must be ${VERSION}`);
  else if (row['v'] !== VERSION) problems.push(`"v" must be ${VERSION}`);
  if (row['t'] === undefined) problems.push('"t" is missing: the time, ISO 8601 or milliseconds since the epoch');
  else if (at === undefined) problems.push('"t" is not a time: ISO 8601 or milliseconds since the epoch');
  else if (at > latest) problems.push('"t" is more than a day ahead of the clock and of the file');
  else if (typeof row['t'] === 'number' && row['t'] < 1e11)
    problems.push('"t" looks like seconds: it must be milliseconds');
  for (const name of ['session', 'agent']) {
    if (row[name] !== undefined && (typeof row[name] !== 'string' || row[name] === '')) {
      problems.push(`"${name}" must be a string that is not empty`);
    }
  }
  return problems;
}

function fieldProblems(type: string, name: string, field: Field, value: unknown): readonly string[] {
  if (value === undefined) return field.required ? [`${type}: "${name}" is missing`] : [];
  if (field.kind === 'items') return itemProblems(type, value);
  if (field.kind === 'tools') return toolProblems(type, value);
  const wanted = wantedOf(field.kind, value);
  return wanted === null ? [] : [`${type}: "${name}" must be ${wanted}`];
}

/** Describes the expected value, or returns null if the value is valid. */
function wantedOf(kind: Exclude<FieldKind, 'items' | 'tools'>, value: unknown): string | null {
  if (typeof kind !== 'string') {
    return typeof value === 'string' && kind.includes(value) ? null : `one of ${kind.join(', ')}`;
  }
  switch (kind) {
    case 'string':
      return typeof value === 'string' ? null : 'a string';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? null : 'a number';
    case 'boolean':
      return typeof value === 'boolean' ? null : 'true or false';
    case 'args':
      return typeof value === 'string' || asRecord(value) ? null : 'an object, or a string of JSON';
    case 'output':
      return null;
  }
  return null;
}

function itemProblems(type: string, value: unknown): readonly string[] {
  const list = asArray(value);
  if (!list) return [`${type}: "items" must be a list`];
  return list.flatMap((entry, index) => {
    const item = asRecord(entry);
    if (!item) return [`${type}: item ${index + 1} must be an object`];
    const problems: string[] = [];
    if (typeof item['id'] !== 'string') problems.push(`${type}: item ${index + 1}: "id" must be a string`);
    if (typeof item['title'] !== 'string') problems.push(`${type}: item ${index + 1}: "title" must be a string`);
    if (!PLAN_STATUS.some((status) => status === item['status'])) {
      problems.push(`${type}: item ${index + 1}: "status" must be one of ${PLAN_STATUS.join(', ')}`);
    }
    const blockedBy = item['blockedBy'];
    if (blockedBy !== undefined && !asArray(blockedBy)?.every((id) => typeof id === 'string')) {
      problems.push(`${type}: item ${index + 1}: "blockedBy" must be a list of ids`);
    }
    return problems;
  });
}

function toolProblems(type: string, value: unknown): readonly string[] {
  const list = asArray(value);
  if (!list) return [`${type}: "tools" must be a list`];
  return list.flatMap((entry, index) =>
    typeof asRecord(entry)?.['name'] === 'string' ? [] : [`${type}: tool ${index + 1}: "name" must be a string`],
  );
}

/** Checks that each result answers an earlier call, once. A call without a result is still running: nothing is wrong with it. */
function pairing(type: string, row: JsonRecord, { calls, answered }: CheckState): readonly string[] {
  const id = row['id'];
  if (typeof id !== 'string' || (type !== 'tool_call' && type !== 'tool_result')) return [];
  const key = `${typeof row['session'] === 'string' ? row['session'] : ''}\n${id}`;
  if (type === 'tool_call') {
    if (calls.has(key) && !answered.has(key)) return ['tool_call: "id" is that of an earlier call without a result'];
    calls.add(key);
    answered.delete(key);
    return [];
  }
  if (!calls.has(key)) return ['tool_result: "id" is not that of an earlier call'];
  if (answered.has(key)) return ['tool_result: the call has a result already'];
  answered.add(key);
  return [];
}

/** Returns `, did you mean "tool_call"?` for names that differ in letter case, separators, or one or two letters. */
function suggestion(type: string): string {
  const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');
  const wanted = plain(type.slice(0, 60));
  const near = Object.keys(TYPES).find((name) => distance(plain(name), wanted) <= (wanted.length > 5 ? 2 : 1));
  return near === undefined ? '' : `, did you mean "${near}"?`;
}

/** Returns the edit distance (insert, delete, replace). */
function distance(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const current = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[other.length] ?? 0;
}
