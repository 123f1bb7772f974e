import type {
  AgentState,
  AgentStateKind,
  Doing,
  Presence,
  SessionEndReason,
  UsageLimit,
  WaitedFor,
} from '../../src/core/model';
import type { RepeatFacts, Watch } from '../../src/core/words';

/** An agent in one state, with everything that the words about it need. */
export interface StateExample {
  /** The name of the state in `--json`. */
  readonly name: string;
  readonly state: AgentState;
  readonly doing?: Doing;
  readonly repeat?: RepeatFacts;
  readonly watch?: Watch;
  readonly usageLimit?: UsageLimit;
}

const MINUTE = 60_000;

/** The moment of all examples: 17:09 by the clock of this machine, so that the page is the same in every time zone. */
export const EXAMPLES_AT = new Date(2026, 0, 5, 17, 9).getTime();
const since = EXAMPLES_AT - 8 * MINUTE;
const OPENS_AT = EXAMPLES_AT + 51 * MINUTE;

const call = { id: '1', name: 'Bash', subject: 'psql -f migrations/0042.sql', command: 'psql -f migrations/0042.sql' };
const doing: Doing = { kind: 'tool', subject: 'npm test', since };
const repeat: RepeatFacts = {
  detector: 'repeating_outcome',
  rule: null,
  subject: 'npm test',
  count: 31,
  firstAt: since,
  isStuck: true,
};
const watch: Watch = { kind: 'nudge', nudge: 1, takenAt: EXAMPLES_AT - MINUTE, seen: 2, fresh: 2 };

/** Reasons why an agent waits: a new kind does not compile until it has its line here. */
const WAITING: Readonly<Record<WaitedFor, Partial<AgentState>>> = {
  permission: { calls: [call] },
  question: { question: 'Which database?' },
  plan: {},
  turn_end: {},
  limit: { until: OPENS_AT },
  error: { error: '529 Overloaded' },
  missed_notice: { missed: { kind: 'command', subject: 'npm run build', endedAt: since, exitCode: 1 } },
};

const ENDED: Readonly<Record<SessionEndReason, Partial<AgentState>>> = {
  clean: {},
  interrupted: {},
  died: {},
  error: { error: '529 Overloaded' },
};

const LOST: Readonly<Record<Exclude<Presence, 'live'>, true>> = { silent: true, stopped: true, version: true };

const OF_KIND: Readonly<Record<AgentStateKind, () => readonly Omit<StateExample, 'name'>[]>> = {
  escalated: () => [{ state: { kind: 'escalated', since }, repeat }],
  recovering: () => [{ state: { kind: 'recovering', since }, watch }],
  stuck: () => [{ state: { kind: 'stuck', since }, repeat }],
  waiting: () => [
    ...entries(WAITING).map(([waitingFor, more]) => ({
      state: { kind: 'waiting', since, waitingFor, ...more } as AgentState,
      ...(waitingFor === 'limit' ? { usageLimit: { since, opensAt: OPENS_AT } } : {}),
    })),
    { state: { kind: 'waiting', since, waitingFor: 'limit', until: EXAMPLES_AT } },
    { state: { kind: 'waiting', since, waitingFor: 'permission', probable: true }, doing },
    { state: { kind: 'waiting', since, waitingFor: 'turn_end', interrupted: true } },
  ],
  stalled: () => [{ state: { kind: 'stalled', since }, doing }],
  not_monitored: () => [
    { state: { kind: 'not_monitored', since } },
    ...entries(LOST).map(([lost]) => ({ state: { kind: 'not_monitored', since, lost } as AgentState })),
  ],
  working: () => [{ state: { kind: 'working', since }, doing }],
  finished: () =>
    entries(ENDED).map(([ended, more]) => ({
      state: { kind: 'finished', since, ended, ...more } as AgentState,
      ...(ended === 'died' ? { doing } : {}),
    })),
};

/** One example of each state that an agent can be in, the most urgent first. */
export const STATE_EXAMPLES: readonly StateExample[] = Object.values(OF_KIND)
  .flatMap((examples) => examples())
  .map((example) => ({ ...example, name: nameOf(example.state) }));

function nameOf({ kind: of, waitingFor, probable, interrupted, lost, ended }: AgentState): string {
  const more = [waitingFor, probable ? 'probable' : undefined, interrupted ? 'interrupted' : undefined, lost, ended];
  return [of, ...more.filter((one) => one !== undefined)].join(' ');
}

function entries<Key extends string, Value>(record: Readonly<Record<Key, Value>>): [Key, Value][] {
  return Object.entries(record) as [Key, Value][];
}
