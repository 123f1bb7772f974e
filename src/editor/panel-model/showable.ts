import { signs, signsInLine } from '../../base/util/showable';
import { MESSAGE_LENGTH } from './messages';

/** Ids and paths. They come back in intents, so they stay as they are. */
const EXACT: ReadonlySet<string> = new Set(['id', 'session', 'file', 'order']);
/** Texts with several lines: results, drafts and messages. */
const SEVERAL_LINES: ReadonlySet<string> = new Set(['text', 'draft', 'command']);

/**
 * Returns a copy of what goes to the panel with texts that are safe to show. Hidden characters become signs one for one, so that ranges of a text
 * stay correct. A text longer than a message may be is cut. Typed arrays are passed on as they are.
 */
export function showable<T>(value: T): T {
  return copyOf(value, '') as T;
}

function copyOf(value: unknown, key: string): unknown {
  if (typeof value === 'string') return EXACT.has(key) ? value : textOf(value, key);
  if (Array.isArray(value)) return value.map((one: unknown) => copyOf(one, key));
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copyOf(one, name)]));
}

function textOf(text: string, key: string): string {
  const cut = text.length > MESSAGE_LENGTH ? `${text.slice(0, MESSAGE_LENGTH - 1)}…` : text;
  return SEVERAL_LINES.has(key) ? signs(cut) : signsInLine(cut);
}
