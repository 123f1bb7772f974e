import * as z from 'zod/mini';
import { DELIVERY_STATES, MESSAGE_KINDS } from '../../core/model';
import { LIMITS, MOST_EVIDENCE, codeWord, wholeNumber, line, list, textOfLines, time, ulid, word } from './fields';

const evidenceSchema = z.object({
  at: time,
  /** Line of the transcript on its own machine. */
  line: wholeNumber,
  endLine: z.exactOptional(wholeNumber),
  role: z.enum(['first', 'repeat', 'between']),
  letter: z.exactOptional(z.string().check(z.regex(/^[A-H]$/))),
  subject: line(LIMITS.line),
  text: line(LIMITS.line),
});

const attemptSchema = z.object({
  attempt: wholeNumber,
  kind: z.enum(MESSAGE_KINDS),
  message: word,
  at: time,
  automated: z.boolean(),
  state: z.enum(DELIVERY_STATES),
  outcome: z.exactOptional(z.enum(['changed', 'same'])),
});

/** An incident as it is sent: its words and at most 20 lines of evidence, without samples of results. */
export const incidentSchema = z.object({
  id: ulid,
  detector: codeWord,
  rule: z.nullable(codeWord),
  reason: codeWord,
  exhaustion: z.nullable(z.enum(['time', 'tokens', 'attempts'])),
  certainty: z.enum(['counted', 'guessed']),
  level: z.enum(['warn', 'stuck']),
  confidence: z.number().check(z.gte(0), z.lte(1)),
  state: z.enum(['open', 'nudged', 'recovered', 'escalated', 'muted', 'ended', 'unknown']),
  count: wholeNumber,
  firstAt: time,
  openedAt: time,
  stuckAt: z.nullable(time),
  resolvedAt: z.nullable(time),
  updatedAt: time,
  firstLine: wholeNumber,
  alertLine: wholeNumber,
  stuckLine: z.nullable(wholeNumber),
  subject: line(LIMITS.line),
  why: textOfLines(LIMITS.sentence),
  suggestion: textOfLines(LIMITS.sentence),
  clears: list(line(LIMITS.line), 8),
  situations: z.exactOptional(list(codeWord, 8)),
  outcome: z.nullable(z.enum(['nudge', 'restart', 'block', 'gate', 'by_itself', 'user', 'not_stuck'])),
  cleared: z.nullable(codeWord),
  reopened: wholeNumber,
  evidence: list(evidenceSchema, MOST_EVIDENCE),
  attempts: list(attemptSchema, 10),
  tokensSinceFirst: z.exactOptional(wholeNumber),
  model: z.exactOptional(word),
});

export type WireIncident = Readonly<z.infer<typeof incidentSchema>>;
