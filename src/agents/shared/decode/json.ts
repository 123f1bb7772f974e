import { asRecord, type JsonRecord, parseJson, parseRecord } from '../../../base/util/json';

export { asRecord, type JsonRecord, parseJson, parseRecord };

// Safe access to parsed JSON on the hot path, where a schema library would cost more than the decoding itself. Nothing here throws: a value of
// another type reads as undefined.

export function asArray(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? (value as readonly unknown[]) : undefined;
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns the string; undefined if it is empty, and for any other value. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns a finite number; numbers in strings do not count. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function asBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** Returns a value inside nested records: `at(row, 'message', 'usage', 'input_tokens')`. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let current: unknown = value;
  for (const key of path) {
    const record = asRecord(current);
    if (!record) return undefined;
    current = record[key];
  }
  return current;
}

/**
 * Returns the milliseconds since the epoch of an ISO 8601 time or of a number (taken as milliseconds, or below 1e11 as seconds), undefined for
 * anything else. A time without a zone is taken as UTC, as all agents write it.
 */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number') {
    if (!(value >= 0 && value <= LATEST)) return undefined;
    return value < 1e11 ? Math.round(value * 1000) : Math.round(value);
  }
  if (typeof value !== 'string' || value.length < 10 || value.length > 40) return undefined;
  const usual = usualTime(value);
  if (usual <= LATEST) return usual;
  const zoned = value.endsWith('Z') || /(?:z|[+-]\d\d:?\d\d)$/.test(value) || value.length === 10;
  const time = Date.parse(zoned ? value : `${value}Z`);
  return time <= LATEST ? time : undefined;
}

/** The most recent day, including the `T` after it, and its first millisecond. */
let day = '';
let dayStart = Number.NaN;

/**
 * Returns the milliseconds since the epoch of a time in the form that nearly all agents write, `2026-11-25T16:35:46.123Z`; `Date.parse` takes several
 * times as long. NaN for any other form.
 */
function usualTime(text: string): number {
  if (text.length !== 24 || text.charCodeAt(19) !== 0x2e || text.charCodeAt(23) !== 0x5a) return Number.NaN;
  if (day === '' || !text.startsWith(day)) {
    day = text.slice(0, 11);
    dayStart = Date.parse(`${day}00:00:00.000Z`);
  }
  if (text.charCodeAt(13) !== 0x3a || text.charCodeAt(16) !== 0x3a) return Number.NaN;
  const hour = digits(text, 11, 13);
  const minute = digits(text, 14, 16);
  const second = digits(text, 17, 19);
  if (!(hour < 24 && minute < 60 && second < 60)) return Number.NaN;
  return dayStart + ((hour * 60 + minute) * 60 + second) * 1000 + digits(text, 20, 23);
}

/** Reads the digits from `start` to `end` as a number, NaN if one of them is not a digit. */
function digits(text: string, start: number, end: number): number {
  let number = 0;
  for (let at = start; at < end; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

/** Milliseconds since the epoch, in the year 2286. A later value is not a time, and silence counted up to it would be a stall. */
const LATEST = 1e13;

/** Clocks of two machines, and time zones, differ by less. */
const AHEAD_MS = 86_400_000;

/**
 * Returns the latest time that a record can have: a day after the clock, or after its file if that is later.
 *
 * @param now milliseconds since the epoch, like all times here
 * @param modifiedAt time of the last write to the file
 */
export function latestTime(now: number, modifiedAt: number): number {
  return Math.max(now, modifiedAt) + AHEAD_MS;
}

/**
 * Returns the text of a message's content in any of the forms that agents write: a string, blocks with `text` or `content`, or a list of either.
 * Images and other blocks without text are named: `[image]`. Anything else is printed as JSON.
 */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  if (Array.isArray(content)) {
    if (content.length === 1) return blockText(content[0]);
    return content.map(blockText).join('\n');
  }
  return blockText(content);
}

function blockText(block: unknown): string {
  if (typeof block === 'string') return block;
  const record = asRecord(block);
  if (!record) return block === undefined || block === null ? '' : printed(block);
  if (typeof record['text'] === 'string') return record['text'];
  if (typeof record['content'] === 'string') return record['content'];
  if (Array.isArray(record['content'])) return textOf(record['content']);
  if (typeof record['type'] === 'string') return `[${record['type'].replace(/^input_/, '')}]`;
  return printed(record);
}

/** Returns the arguments of a call: a record, or JSON printed into a string. */
export function argsOf(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? {};
  return asRecord(parseJson(value)) ?? value;
}

/** Returns any value as JSON; never throws. */
export function printed(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

/** Returns whether the text is nothing but whitespace. */
export function isBlank(text: string): boolean {
  return text.trim() === '';
}
