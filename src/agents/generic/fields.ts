/** The generic transcript, version 1 (docs/transcript.md): its types and their fields, for the decoder and for `unstuck check`. */

export const VERSION = 1;

/** Kinds of value. `args`: an object, or a string of JSON. `output`: any JSON. A list contains the allowed words. */
export type FieldKind = 'string' | 'number' | 'boolean' | 'args' | 'output' | 'tools' | 'items' | readonly string[];

export interface Field {
  readonly kind: FieldKind;
  readonly required: boolean;
}

const needs = (kind: FieldKind): Field => ({ kind, required: true });
const may = (kind: FieldKind): Field => ({ kind, required: false });

export const TURN_END_REASONS = ['done', 'waiting', 'interrupted', 'error'] as const;
export const SESSION_END_REASONS = ['clean', 'interrupted', 'died', 'error'] as const;
export const ERROR_KINDS = ['api', 'rate_limit', 'validation', 'timeout', 'other'] as const;
const WAITING_FOR = ['input', 'permission'] as const;
export const PLAN_STATUS = ['pending', 'in_progress', 'completed', 'blocked'] as const;

export const TYPES = {
  session_start: {
    cwd: may('string'),
    model: may('string'),
    role: may('string'),
    contextWindow: may('number'),
    pid: may('number'),
    parent: may('string'),
    tools: may('tools'),
  },
  user: { text: needs('string'), automated: may('boolean'), scheduled: may('boolean') },
  assistant: { text: needs('string'), chunk: may('boolean') },
  tool_call: { id: needs('string'), name: needs('string'), args: needs('args'), batch: may('string') },
  tool_result: {
    id: needs('string'),
    output: needs('output'),
    isError: may('boolean'),
    exitCode: may('number'),
    durationMs: may('number'),
    size: may('number'),
    merged: may('boolean'),
  },
  error: { message: needs('string'), kind: may(ERROR_KINDS) },
  usage: {
    contextTokens: may('number'),
    contextWindow: may('number'),
    inputTokens: may('number'),
    outputTokens: may('number'),
    totalTokens: may('number'),
    tokenLimit: may('number'),
    cost: may('number'),
  },
  compaction: { summary: may('string'), trigger: may('string') },
  plan: { items: needs('items') },
  turn_start: {},
  turn_end: { reason: may(TURN_END_REASONS) },
  waiting: { for: needs(WAITING_FOR), question: may('string') },
  completion: { claim: needs('string') },
  message_taken: { message: needs('string') },
  clock: {},
  session_end: { reason: may(SESSION_END_REASONS) },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Field>>>>;

export type GenericType = keyof typeof TYPES;

export function isGenericType(value: unknown): value is GenericType {
  return typeof value === 'string' && Object.hasOwn(TYPES, value);
}
