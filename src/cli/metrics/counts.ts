import { type AgentId, DETECTOR_IDS, type Incident, type Level, type UsageEvent } from '../../core/model';
import type { Measurement } from './metrics';

const LEVELS: readonly Level[] = ['warn', 'stuck'];
const ACTIONS = ['nudge', 'restart', 'block', 'gate', 'by_itself', 'user'] as const satisfies readonly NonNullable<
  Incident['outcome']
>[];
type Action = (typeof ACTIONS)[number];

/** Agent to which a step or request belongs. */
export interface Origin {
  readonly agent: AgentId;
  readonly session: string;
  /** The reading of the transcript that it comes from: a new object once the transcript is read again. */
  readonly reading: object;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface Reader {
  readonly reading: object;
  /** Events up to this time were counted by an earlier reading, milliseconds since the epoch. */
  readonly counted: number;
  newest: number;
}

/**
 * Turns events into counts. Counts only events since the start, so that a second start counts nothing twice. Counts an event once even where a
 * transcript repeats it. Has no clock: times come with the events.
 */
export class Counts {
  private readonly agents = new Set<AgentId>();
  private readonly readers = new RecentMap<Reader>();
  private readonly reported = new RecentMap<true>();

  /** @param since when counting began, milliseconds since the epoch */
  constructor(private readonly since: number) {}

  /** Starts the counters of a kind of agent at 0 once one is there. Without that, an alarm that comes once would never show as an increase. */
  agent(agent: AgentId): readonly Measurement[] {
    if (this.agents.has(agent)) return [];
    this.agents.add(agent);
    const labels = { 'gen_ai.agent.name': agent };
    return [
      ...[false, true].map((failed) => stepOf(agent, failed, 0)),
      ...DETECTOR_IDS.flatMap((rule) => LEVELS.map((level) => alarmOf(agent, rule, level, 0))),
      ...ACTIONS.map((action): Measurement => {
        return { metric: 'unstuck.freed', value: 0, labels: { ...labels, 'unstuck.action': action } };
      }),
    ];
  }

  step(origin: Origin, failed: boolean): readonly Measurement[] {
    return this.isNew(origin, 'steps') ? [stepOf(origin.agent, failed, 1)] : [];
  }

  usage(origin: Origin, { inputTokens, outputTokens }: Pick<UsageEvent, 'inputTokens' | 'outputTokens'>) {
    if (!this.isNew(origin, 'usage')) return [];
    const tokens = [
      ['input', inputTokens],
      ['output', outputTokens],
    ] as const;
    return tokens.flatMap(([type, value]): readonly Measurement[] => {
      if (value === undefined || !Number.isFinite(value) || value < 0) return [];
      const labels = {
        'gen_ai.agent.name': origin.agent,
        'gen_ai.operation.name': 'chat',
        'gen_ai.token.type': type,
      };
      return [{ metric: 'gen_ai.client.token.usage', value, labels }];
    });
  }

  /** @param before null for a new incident */
  incident(incident: Incident, before: Incident | null): readonly Measurement[] {
    return [...this.alarm(incident, before), ...this.freed(incident, before), ...this.stuck(incident, before)];
  }

  private alarm(incident: Incident, before: Incident | null): readonly Measurement[] {
    const { id, agent, detector, level, reopened } = incident;
    const isRaised = before === null || before.level !== level || before.reopened !== reopened;
    const at = level === 'stuck' && before?.level !== 'stuck' ? incident.stuckAt : null;
    if (!isRaised || !this.isFirst(`alarm ${level} ${reopened} ${id}`, at ?? raisedAt(incident, before))) return [];
    return [alarmOf(agent, detector, level, 1)];
  }

  private freed(incident: Incident, before: Incident | null): readonly Measurement[] {
    const { id, agent, level, state, outcome, reopened, updatedAt } = incident;
    if (state !== 'recovered' || before?.state === 'recovered' || level !== 'stuck') return [];
    const action = actionOf(outcome);
    if (action === null || !this.isFirst(`freed ${reopened} ${id}`, updatedAt)) return [];
    const labels = { 'gen_ai.agent.name': agent, 'unstuck.action': action };
    return [{ metric: 'unstuck.freed', value: 1, labels }];
  }

  private stuck(incident: Incident, before: Incident | null): readonly Measurement[] {
    const { id, agent, stuckAt, resolvedAt, reopened, outcome } = incident;
    if (stuckAt === null || resolvedAt === null || (before !== null && before.resolvedAt !== null)) return [];
    // A reopened incident was free in between, and nothing says since when it is stuck again. A false alarm counts as no time at all.
    if (reopened > 0 || outcome === 'not_stuck' || !this.isFirst(`stuck ${id}`, resolvedAt)) return [];
    const labels = { 'gen_ai.agent.name': agent };
    return [{ metric: 'unstuck.stuck.seconds', value: Math.max(0, resolvedAt - stuckAt) / 1_000, labels }];
  }

  /** Returns true if it happened since the start and is reported for the first time. */
  private isFirst(what: string, at: number): boolean {
    if (at < this.since || this.reported.get(what) !== undefined) return false;
    this.reported.set(what, true);
    return true;
  }

  /** Does the same for events without a name of their own: a reading reports nothing twice, and a later reading repeats nothing of an earlier one. */
  private isNew({ agent, session, reading, at }: Origin, of: string): boolean {
    if (at < this.since) return false;
    const key = `${of} ${agent} ${session}`;
    const known = this.readers.get(key);
    const reader: Reader =
      known?.reading === reading ? known : { reading, counted: known?.newest ?? Number.NEGATIVE_INFINITY, newest: at };
    reader.newest = Math.max(reader.newest, at, reader.counted);
    this.readers.set(key, reader);
    return at > reader.counted;
  }
}

function raisedAt(incident: Incident, before: Incident | null): number {
  return before === null ? incident.openedAt : incident.updatedAt;
}

/** Returns the action that freed an agent; null if a person said that it needed no help. */
function actionOf(outcome: Incident['outcome']): Action | null {
  switch (outcome) {
    case 'nudge':
    case 'restart':
    case 'block':
    case 'gate':
    case 'by_itself':
    case 'user':
      return outcome;
    case null:
      return 'by_itself';
    case 'not_stuck':
      return null;
  }
}

function stepOf(agent: AgentId, failed: boolean, value: number): Measurement {
  const labels = { 'gen_ai.agent.name': agent, 'unstuck.outcome': failed ? 'failure' : 'success' };
  return { metric: 'unstuck.steps', value, labels };
}

function alarmOf(agent: AgentId, rule: Incident['detector'], level: Level, value: number): Measurement {
  const labels = { 'gen_ai.agent.name': agent, 'unstuck.rule': rule, 'unstuck.level': level };
  return { metric: 'unstuck.alarms', value, labels };
}

/** Maximum number of remembered entries: more than a machine has in a day. */
const MOST = 10_000;

/** A map that forgets the entries that were set longest ago, so that it cannot grow for as long as a process lives. */
class RecentMap<T> {
  private readonly entries = new Map<string, T>();

  get(key: string): T | undefined {
    return this.entries.get(key);
  }

  set(key: string, value: T): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= MOST) return;
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.entries.delete(oldest);
  }
}
