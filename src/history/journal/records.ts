import * as z from 'zod/mini';
import { RECORDED_AGENT_IDS, type Incident } from '../../core/model';
import type { Learning, SessionSeen, StoreEvent } from '../types';

/** A person's last word on muting an incident, with its time. It outlasts the detectors' reports. */
export interface Mute {
  readonly on: boolean;
  readonly at: number;
}

/** An incident as one window sees it, with the times by which the views of several windows are joined. */
export interface StoredIncident {
  readonly incident: Incident;
  /** When it entered its state, milliseconds since the epoch. */
  readonly stateAt: number;
  readonly mute: Mute | null;
}

/** First line of each journal, with its writer. */
interface JournalHead {
  readonly k: 'journal';
  /** Version of the records. A journal with a higher one is left alone. */
  readonly v: number;
  readonly window: string;
  readonly at: number;
}

/** One line of a journal. Applying a record twice, or two records in either order, has the same result. */
export type StoreRecord =
  | JournalHead
  | ({ readonly k: 'incident' } & StoredIncident)
  | { readonly k: 'event'; readonly event: StoreEvent }
  | { readonly k: 'learning'; readonly learning: Learning }
  | { readonly k: 'session'; readonly session: SessionSeen }
  /** A person deleted the incident. */
  | { readonly k: 'remove'; readonly id: string; readonly at: number; readonly reopened: number };

export const RECORD_VERSION = 1;

const text = z.string();
const number = z.number();
const numberOrNull = z.nullable(number);
const anyRecord = z.record(z.string(), z.unknown());

const incident = z.object({
  id: text,
  key: text,
  agent: z.enum(RECORDED_AGENT_IDS),
  agentName: text,
  session: text,
  title: text,
  file: text,
  detector: text,
  reason: text,
  level: text,
  confidence: number,
  state: text,
  count: number,
  firstAt: number,
  openedAt: number,
  stuckAt: numberOrNull,
  resolvedAt: numberOrNull,
  updatedAt: number,
  firstLine: number,
  alertLine: number,
  stuckLine: numberOrNull,
  resolvedLine: numberOrNull,
  subject: text,
  why: text,
  suggestion: text,
  clears: z.array(z.unknown()),
  cleared: z.optional(z.nullable(text)),
  outcome: z.optional(z.nullable(text)),
  evidence: z.array(z.object({ source: anyRecord, subject: text, text })),
  attempts: z.array(z.object({ message: text, kind: text, at: number })),
  reopened: number,
});

const kept = z.object({
  incident,
  stateAt: number,
  mute: z.nullable(z.object({ on: z.boolean(), at: number })),
});

const event = z.object({ id: text, t: number, type: text, session: text, agent: text, data: anyRecord });

const learning = z.object({
  id: text,
  at: number,
  session: text,
  agent: text,
  title: text,
  content: text,
  confidence: text,
  sourceTask: text,
  tags: z.array(text),
  state: text,
  tried: text,
});

const session = z.object({ agent: text, session: text, firstAt: number, lastAt: number });

/**
 * Fields that this version relies on. Detectors, states and kinds are plain text here: a record of another version may contain one that this version
 * does not know, and is kept nevertheless.
 */
const record = z.discriminatedUnion('k', [
  z.object({ k: z.literal('journal'), v: number }),
  z.extend(kept, { k: z.literal('incident') }),
  z.object({ k: z.literal('event'), event }),
  z.object({ k: z.literal('learning'), learning }),
  z.object({ k: z.literal('session'), session }),
  z.object({ k: z.literal('remove'), id: text, at: number, reopened: number }),
]);

/**
 * Returns the record in a parsed line; undefined if it is none of this version. A file on disk is input like any other.
 *
 * Returns the value itself, not a copy with only the fields named here: fields of a later version survive a compaction.
 */
export function asStoreRecord(value: unknown): StoreRecord | undefined {
  return z.safeParse(record, value).success ? (value as StoreRecord) : undefined;
}

/** Does the same as `asStoreRecord` for the value of an incident's row. */
export function asStoredIncident(value: unknown): StoredIncident | undefined {
  return z.safeParse(kept, value).success ? (value as StoredIncident) : undefined;
}
