import * as z from 'zod/mini';
import { presentable, presentableLine } from '../../base/util/redact';
import { isName, isSessionKey } from './names';

/** The parts of records, each with its limit. A longer one makes a record invalid: senders cut before they send. */

/** Characters of the text fields. */
export const LIMITS = {
  /** Ids, names of models and branches, reason codes. */
  word: 200,
  title: 120,
  path: 1_000,
  /** A call or a result in one line, and each clause of what would clear an incident. */
  line: 200,
  /** Why, what to try, what is asked. */
  sentence: 1_000,
  /** Longest text of a message to an agent. */
  message: 8_000,
} as const;

/** Evidence of all incidents of a record, lines. */
export const MOST_EVIDENCE = 20;

/** Texts from elsewhere, each with the function that prepares it for leaving this machine: redacted, and cut to its limit. */
export const texts = z.registry<{ readonly present: (text: string) => string }>();

/** A text of several lines. */
export const textOfLines = (limit: number) =>
  z
    .string()
    .check(z.maxLength(limit))
    .register(texts, { present: (value) => presentable(value, limit) });
export const line = (limit: number) =>
  z
    .string()
    .check(z.maxLength(limit))
    .register(texts, { present: (value) => presentableLine(value, limit) });
export const word = z
  .string()
  .check(z.minLength(1), z.maxLength(LIMITS.word))
  .register(texts, { present: (value) => presentableLine(value, LIMITS.word) });
/** Milliseconds since the epoch, by the clock of the record's writer. */
export const time = z.number().check(z.gte(0), z.lte(8.64e15));
export const wholeNumber = z.number().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER));
export const list = <T extends z.ZodMiniType>(item: T, most: number) => z.array(item).check(z.maxLength(most));
export const name = z.string().check(z.refine(isName, 'not a name'));
export const key = z.string().check(z.refine(isSessionKey, 'not a key'));
/** A ULID: of a message, of an event, of a run of a relay. */
export const ulid = z.string().check(z.regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/));
/** A word of a vocabulary that a later version may extend: ids of detectors, reasons. */
export const codeWord = z.string().check(z.regex(/^[a-z0-9_:.-]{1,64}$/i));
