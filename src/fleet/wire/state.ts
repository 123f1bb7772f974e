import * as z from 'zod/mini';
import {
  RECORDED_AGENT_IDS,
  AGENT_STATE_KINDS,
  DELIVERY_STATES,
  MESSAGE_KINDS,
  SESSION_MODES,
  WAITED_FOR,
} from '../../core/model';
import { LIMITS, codeWord, wholeNumber, key, line, list, name, textOfLines, time, ulid, word } from './fields';
import { incidentSchema } from './incident';
import { FLEET_ACTIONS, WIRE_VERSION } from './names';

/**
 * Common fields of all records of a machine. `run` is the ULID of the relay's start, `n` counts its publications: the newer of two records is the one
 * with the later run, then the one with the higher `n`, whatever the clocks say.
 */
export const head = {
  v: z.literal(WIRE_VERSION),
  machine: name,
  run: ulid,
  n: wholeNumber,
  /** Time by the clock of the machine. */
  at: time,
};

/** The heartbeat of a machine. */
export const machineSchema = z.object({
  ...head,
  kind: z.literal('machine'),
  /** The host's own name, to detect whether a window runs on it. */
  host: word,
  /** Version of Unstuck. */
  version: word,
  platform: codeWord,
  startedAt: time,
  allow: list(z.enum(FLEET_ACTIONS), FLEET_ACTIONS.length),
  agents: wholeNumber,
  /** Milliseconds until the next heartbeat. */
  everyMs: wholeNumber,
  /** The relay ended, and announced it. */
  stopped: z.exactOptional(z.literal(true)),
});

const stateSchema = z.object({
  kind: z.enum(AGENT_STATE_KINDS),
  since: time,
  waitingFor: z.exactOptional(z.enum(WAITED_FOR)),
  question: z.exactOptional(textOfLines(LIMITS.sentence)),
  probable: z.exactOptional(z.literal(true)),
  calls: z.exactOptional(
    z
      .array(
        z.object({
          id: textOfLines(LIMITS.word),
          name: line(LIMITS.word),
          subject: line(LIMITS.line),
          command: z.exactOptional(textOfLines(LIMITS.line)),
        }),
      )
      .check(z.maxLength(20)),
  ),
  until: z.exactOptional(time),
  error: z.exactOptional(textOfLines(LIMITS.sentence)),
  interrupted: z.exactOptional(z.literal(true)),
  ended: z.exactOptional(z.enum(['clean', 'interrupted', 'died', 'error'])),
});

const healthSchema = z.object({
  calls: wholeNumber,
  callsByTool: z
    .record(line(64), wholeNumber)
    .check(z.refine((tools) => Object.keys(tools).length <= 20, 'more than 20 tools')),
  failures: wholeNumber,
  failuresInARow: wholeNumber,
  validationFailures: wholeNumber,
  validationFailuresInARow: wholeNumber,
  gateAttempts: wholeNumber,
  contextTokens: z.exactOptional(wholeNumber),
  contextWindow: z.exactOptional(wholeNumber),
  totalTokens: z.exactOptional(wholeNumber),
  startedAt: time,
  lastEventAt: time,
  lastNewAt: z.exactOptional(time),
  lastProgress: z.exactOptional(
    z.object({
      kind: z.enum(['edit', 'check_passed', 'plan_item', 'commit']),
      at: time,
      line: wholeNumber,
      text: line(LIMITS.line),
    }),
  ),
});

const deliverySchema = z.object({
  id: ulid,
  kind: z.enum(MESSAGE_KINDS),
  text: textOfLines(LIMITS.sentence),
  automated: z.boolean(),
  state: z.enum(DELIVERY_STATES),
  times: z.record(codeWord, time).check(z.refine((times) => Object.keys(times).length <= DELIVERY_STATES.length)),
  by: z.exactOptional(word),
  outcome: z.exactOptional(z.enum(['changed', 'same'])),
  reason: z.exactOptional(line(LIMITS.line)),
});

/** The state of one agent: everything that a row, a hover and the panel show of it. Never its transcript. */
export const agentSchema = z.object({
  ...head,
  kind: z.literal('agent'),
  key,
  session: word,
  agent: z.enum(RECORDED_AGENT_IDS),
  agentName: word,
  title: line(LIMITS.title),
  model: z.exactOptional(word),
  branch: z.exactOptional(word),
  role: z.exactOptional(word),
  cwd: z.exactOptional(line(LIMITS.path)),
  version: z.exactOptional(word),
  mode: z.exactOptional(z.enum(SESSION_MODES)),
  parent: z.exactOptional(word),
  state: stateSchema,
  doing: z.exactOptional(z.object({ kind: z.enum(['model', 'tool']), subject: line(LIMITS.line), since: time })),
  health: healthSchema,
  plan: z.exactOptional(
    z.object({ done: wholeNumber, total: wholeNumber, current: z.exactOptional(line(LIMITS.line)) }),
  ),
  incidents: list(incidentSchema, 5),
  usageLimit: z.exactOptional(z.object({ since: time, opensAt: z.exactOptional(time) })),
  deliveries: list(deliverySchema, 10),
  history: z.boolean(),
  /** Actions that it accepts now; empty if no message can reach it. */
  accepts: list(z.enum(FLEET_ACTIONS), FLEET_ACTIONS.length),
});

export type MachineRecord = Readonly<z.infer<typeof machineSchema>>;
export type AgentRecord = Readonly<z.infer<typeof agentSchema>>;
