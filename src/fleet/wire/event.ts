import * as z from 'zod/mini';
import { RECORDED_AGENT_IDS, DELIVERY_STATES } from '../../core/model';
import { LIMITS, codeWord, wholeNumber, key, line, name, textOfLines, time, ulid, word } from './fields';
import { incidentSchema } from './incident';
import { head } from './state';
import { FLEET_ACTIONS, WIRE_VERSION } from './names';

/** Events of an agent, one record each: the timeline that its machine sends. */
export const eventSchema = z.object({
  ...head,
  kind: z.literal('event'),
  id: ulid,
  key,
  session: word,
  agent: z.enum(RECORDED_AGENT_IDS),
  event: z.discriminatedUnion('type', [
    z.object({ type: z.literal('state'), state: codeWord, detail: z.exactOptional(codeWord), since: time }),
    /** It was raised, got worse, was answered or ended. */
    z.object({ type: z.literal('incident'), incident: incidentSchema, before: z.nullable(codeWord) }),
    z.object({
      type: z.literal('message'),
      message: ulid,
      action: z.enum(FLEET_ACTIONS),
      viewer: name,
      text: textOfLines(LIMITS.sentence),
    }),
    z.object({
      type: z.literal('receipt'),
      message: ulid,
      state: codeWord,
      by: word,
      reason: z.exactOptional(codeWord),
    }),
  ]),
});

/**
 * A message from a viewer to one agent. It contains words for the agent and the action, never a command line: only the agent's own machine knows how
 * it is started again.
 */
export const messageSchema = z.object({
  v: z.literal(WIRE_VERSION),
  kind: z.literal('message'),
  /** A ULID, also the name of its file in the inbox. The same id is written once. */
  id: ulid,
  machine: name,
  viewer: name,
  key,
  session: word,
  agent: z.enum(RECORDED_AGENT_IDS),
  /** Time by the clock of the viewer. */
  at: time,
  action: z.enum(FLEET_ACTIONS),
  text: textOfLines(LIMITS.message),
  incident: z.exactOptional(ulid),
  attempt: z.exactOptional(wholeNumber.check(z.gte(1))),
  restart: z.exactOptional(
    z.object({
      mode: z.enum(['resume', 'fork', 'fresh']),
      prompt: textOfLines(LIMITS.message),
      model: z.exactOptional(word),
      thinking: z.exactOptional(word),
    }),
  ),
  /** Milliseconds after the relay took it until no agent may take it any more. */
  expiresInMs: wholeNumber.check(z.gte(1_000), z.lte(10 * 60_000)),
});

/** `refused`: the relay does not write it into the inbox, and says why. The others are those of the inbox. */
const RECEIPT_STATES = [...DELIVERY_STATES, 'refused'] as const;

/** Why a relay refuses a message. */
const REFUSALS = ['not_allowed', 'no_such_agent', 'cannot_be_reached', 'invalid', 'version', 'inbox'] as const;
export type RelayRefusal = (typeof REFUSALS)[number];

/** Outcome of a message. */
export const receiptSchema = z.object({
  v: z.literal(WIRE_VERSION),
  kind: z.literal('receipt'),
  /** Id of the message. */
  id: ulid,
  machine: name,
  viewer: name,
  at: time,
  state: z.enum(RECEIPT_STATES),
  by: word,
  outcome: z.exactOptional(z.enum(['changed', 'same'])),
  reason: z.exactOptional(line(LIMITS.line)),
});

export type EventRecord = Readonly<z.infer<typeof eventSchema>>;
export type MessageRecord = Readonly<z.infer<typeof messageSchema>>;
export type ReceiptRecord = Readonly<z.infer<typeof receiptSchema>>;
export type ReceiptState = (typeof RECEIPT_STATES)[number];
