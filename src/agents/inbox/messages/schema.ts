import * as z from 'zod/mini';
import {
  RECORDED_AGENT_IDS,
  DELIVERY_STATES,
  type InboxMessage,
  MESSAGE_KINDS,
  type Receipt,
} from '../../../core/model';
import { fieldsOf, parseJson } from '../../../base/util/json';
import { fail, ok, type Result } from '../../../base/util/result';
import { isMessageId } from './mark';

/** Longest text of a message in characters, including its mark. */
const LONGEST_TEXT = 100_000;
/** Size limit in bytes for a message's file. */
export const LARGEST_MESSAGE = 1024 * 1024;
/** Default time for which a message waits, in milliseconds (docs/inbox.md). */
export const DEFAULT_EXPIRY = 10 * 60_000;

const text = z.string().check(z.maxLength(LONGEST_TEXT));
const id = z.string().check(z.refine(isMessageId, 'not a ULID'));
const time = z.string().check(
  z.maxLength(64),
  z.refine((value) => !Number.isNaN(Date.parse(value)), 'not a time'),
);
const name = z.string().check(z.minLength(1), z.maxLength(1000));

/** A message of an inbox, version 1 (docs/inbox.md). Unknown fields are ignored. */
const messageSchema = z.object({
  v: z.literal(1),
  id,
  t: time,
  session: name,
  agent: z.enum(RECORDED_AGENT_IDS),
  kind: z.enum(MESSAGE_KINDS),
  // A restart may have all it needs in `restart`.
  text: z._default(text, ''),
  incident: z.exactOptional(name),
  attempt: z.exactOptional(z.int().check(z.gte(1))),
  from: z.literal('unstuck'),
  via: z.exactOptional(name),
  automated: z.boolean(),
  expires: time,
  task: z.exactOptional(z.object({ to: z.nullable(name), avoid: z.array(text).check(z.maxLength(100)), prompt: text })),
  restart: z.exactOptional(
    z.object({
      mode: z.enum(['resume', 'fork', 'fresh']),
      prompt: text,
      model: z.exactOptional(name),
      thinking: z.exactOptional(name),
    }),
  ),
  call: z.exactOptional(z.object({ name, args: z.unknown() })),
});

const receiptSchema = z.object({
  v: z.literal(1),
  t: time,
  id,
  state: z.enum(DELIVERY_STATES),
  by: name,
  outcome: z.exactOptional(z.enum(['changed', 'same'])),
  reason: z.exactOptional(z.string().check(z.maxLength(1000))),
});

/** Reason why a file is not a message for us. `version`: made by a later version, and left to that version until it expires. */
export interface NotAMessage {
  readonly code: 'json' | 'version' | 'schema' | 'name';
  /** One short sentence without the file's text. */
  readonly why: string;
  /** Expiry of a message of a later version, if it contains one: milliseconds since the epoch. */
  readonly expires?: number;
}

/** Reads the text of `<id>.json`. Never throws. */
export function parseMessage(fileText: string, expectedId: string): Result<InboxMessage, NotAMessage> {
  const value = parseJson(fileText);
  if (value === undefined) return fail({ code: 'json', why: 'not valid JSON' });
  const { v: version, expires } = fieldsOf(value);
  if (typeof version === 'number' && version > 1) {
    const until = z.safeParse(time, expires);
    const why = `version ${version} is not known`;
    return fail({ code: 'version', why, ...(until.success && { expires: Date.parse(until.data) }) });
  }
  const parsed = z.safeParse(messageSchema, value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const where = issue?.path.join('.') ?? '';
    return fail({
      code: 'schema',
      why: `${where === '' ? 'the message' : `"${where}"`} is not as the format says`,
    });
  }
  if (parsed.data.id !== expectedId) return fail({ code: 'name', why: 'its id is not the name of its file' });
  const misses = missing(parsed.data);
  return misses === null ? ok(parsed.data) : fail({ code: 'schema', why: `"${misses}" is missing` });
}

/** Returns the field that this kind requires and the message lacks. */
function missing(message: InboxMessage): 'restart' | 'call' | 'text' | null {
  switch (message.kind) {
    case 'restart':
    case 'escalate':
      return message.restart ? null : 'restart';
    case 'block':
      return message.call ? null : 'call';
    case 'nudge':
    case 'gate':
    case 'reassign':
    case 'checkpoint':
    case 'stop':
      return message.text.trim() === '' ? 'text' : null;
  }
}

/** Reads one line of `receipts.jsonl`; null for a line that is not a receipt. */
export function parseReceipt(line: string): Receipt | null {
  const parsed = z.safeParse(receiptSchema, parseJson(line));
  return parsed.success ? parsed.data : null;
}
