import { asArray, asNumber, asRecord, type JsonRecord } from '../shared/decode';

/**
 * Place changed by an operation. The chat view keeps a session as a log of operations on one value: `{kind, k, v, i}`. 0 sets the whole, 1 sets the
 * value at path `k`, 2 cuts the array at `k` to `i` entries, if `i` is given, and adds `v`, 3 deletes. Measured with VS Code 1.139; the format is
 * internal.
 */
export type ChangedPlace =
  /** The whole value was replaced. */
  | { readonly what: 'all' }
  /** Part of a request; `from`: the new entries of its array `key` begin here. */
  | { readonly what: 'request'; readonly index: number; readonly key: string; readonly from: number }
  | { readonly what: 'requests'; readonly from: number }
  | { readonly what: 'other' };

/** Fields that are kept of the whole and of a request; the rest (attachments, agents, tool lists) would only take memory. */
const KEPT = new Set(['sessionId', 'customTitle', 'requests', 'inputState']);
const KEPT_OF_REQUEST = new Set([
  'timestamp',
  'message',
  'modelId',
  'modeInfo',
  'modelState',
  'promptTokens',
  'completionTokens',
  'response',
  'result',
]);
const LONGEST_PATH = 16;
/** Largest number of requests in a session, and of parts in a response. A larger number is damage, not an index. */
const MOST_ENTRIES = 20_000;

type Key = string | number;

/** The value built from the operations. A log that begins in the middle is followed as far as its paths allow. */
export class ChatState {
  private whole: Record<string, unknown> = {};

  get requests(): readonly (JsonRecord | undefined)[] {
    return (asArray(this.whole['requests']) ?? []).map(asRecord);
  }

  get(key: string): unknown {
    return this.whole[key];
  }

  request(index: number): JsonRecord | undefined {
    return asRecord(asArray(this.whole['requests'])?.[index]);
  }

  /** Applies an operation and returns what it changed, or a sentence if it is invalid. */
  apply(operation: JsonRecord): ChangedPlace | string {
    const { kind, v: value } = operation;
    if (kind === 0) {
      const whole = asRecord(value);
      if (!whole) return 'a state that is not a record';
      this.whole = kept(whole, KEPT);
      const requests = asArray(this.whole['requests']) ?? [];
      this.whole['requests'] = requests.slice(0, MOST_ENTRIES).map(keptRequest);
      return { what: 'all' };
    }
    if (kind !== 1 && kind !== 2 && kind !== 3) return `unknown operation ${String(kind).slice(0, 20)}`;
    const path = pathOf(operation['k']);
    if (!path) return 'an operation without a path';
    const [first, index, key] = path;
    if (typeof first !== 'string' || !KEPT.has(first)) return { what: 'other' };
    if (first === 'requests' && typeof key === 'string' && !KEPT_OF_REQUEST.has(key)) return { what: 'other' };
    const from = this.change(kind, path, value, asNumber(operation['i']));
    if (from === null) return 'an operation whose path does not fit';
    if (first !== 'requests') return { what: 'other' };
    if (typeof index !== 'number') return { what: 'requests', from };
    if (typeof key !== 'string') return { what: 'requests', from: index };
    // Deeper than an entry of the array: that entry changed.
    const entry = path[3];
    return { what: 'request', index, key, from: typeof entry === 'number' ? entry : from };
  }

  /** Frees the content of a request that is over. */
  release(index: number): void {
    const requests = asArray(this.whole['requests']) as unknown[] | undefined;
    const request = this.request(index);
    if (requests && request) requests[index] = { ...request, response: [], result: undefined };
  }

  /** Returns the index of the array's new entries, 0 for other values; null if the path does not fit. */
  private change(kind: 1 | 2 | 3, path: readonly Key[], value: unknown, cut: number | undefined): number | null {
    const last = path.at(-1);
    let holder: Container = this.whole;
    for (const [depth, key] of path.slice(0, -1).entries()) {
      const next = containerAt(holder, key, typeof path[depth + 1] === 'number');
      if (!next) return null;
      holder = next;
    }
    if (last === undefined) return null;
    const of = path[0] === 'requests' && path.length <= 2 ? keptRequest : (one: unknown) => one;
    switch (kind) {
      case 1:
        return put(holder, last, path.length === 1 && path[0] === 'requests' ? listOf(value).map(of) : of(value));
      case 2: {
        const list = containerAt(holder, last, true);
        if (!Array.isArray(list)) return null;
        if (cut !== undefined && cut >= 0 && cut < list.length) list.length = Math.floor(cut);
        const from = list.length;
        for (const one of listOf(value)) if (list.length < MOST_ENTRIES) list.push(of(one));
        return from;
      }
      case 3:
        if (Array.isArray(holder) && typeof last === 'number') holder.splice(last, 1);
        else if (!Array.isArray(holder) && typeof last === 'string') delete holder[last];
        return 0;
    }
  }
}

type Container = Record<string, unknown> | unknown[];

function pathOf(value: unknown): readonly Key[] | undefined {
  const path = asArray(value);
  if (!path || path.length === 0 || path.length > LONGEST_PATH) return undefined;
  const isKey = (key: unknown): key is Key =>
    typeof key === 'string'
      ? key !== '__proto__'
      : typeof key === 'number' && Number.isInteger(key) && key >= 0 && key < MOST_ENTRIES;
  return path.every(isKey) ? path : undefined;
}

/** Returns the record or array at a key, creating it if nothing is there. */
function containerAt(holder: Container, key: Key, isList: boolean): Container | null {
  const present: unknown = Array.isArray(holder)
    ? typeof key === 'number'
      ? holder[key]
      : undefined
    : holder[String(key)];
  if (typeof present === 'object' && present !== null) return present as Container;
  const made: Container = isList ? [] : {};
  return put(holder, key, made) === null ? null : made;
}

function put(holder: Container, key: Key, value: unknown): 0 | null {
  if (Array.isArray(holder)) {
    if (typeof key !== 'number') return null;
    holder[key] = value;
  } else holder[String(key)] = value;
  return 0;
}

function listOf(value: unknown): readonly unknown[] {
  return asArray(value) ?? (value === undefined || value === null ? [] : [value]);
}

function kept(record: JsonRecord, keys: ReadonlySet<string>): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const key of keys) if (record[key] !== undefined) made[key] = record[key];
  return made;
}

function keptRequest(value: unknown): unknown {
  const record = asRecord(value);
  return record ? kept(record, KEPT_OF_REQUEST) : undefined;
}
