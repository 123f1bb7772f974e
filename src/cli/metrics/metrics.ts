/** A label of a metric. Each has a small, fixed set of values, except the machine's name, of which a process has only one. */
export type LabelName =
  | 'gen_ai.agent.name'
  | 'gen_ai.operation.name'
  | 'gen_ai.token.type'
  | 'unstuck.state'
  | 'unstuck.outcome'
  | 'unstuck.rule'
  | 'unstuck.level'
  | 'unstuck.action';

export type Labels = Readonly<Partial<Record<LabelName, string>>>;

interface Metric {
  /** `gauge`: how many now. `counter`: how many since the start, never decreasing. `histogram`: how large each one was. */
  readonly kind: 'gauge' | 'counter' | 'histogram';
  /** A UCUM unit. Words in braces are no unit and only name what is counted. */
  readonly unit: string;
  readonly labels: readonly LabelName[];
  /** One sentence. */
  readonly what: string;
  /** Upper bounds of a histogram's buckets, in its unit. */
  readonly buckets?: readonly number[];
}

/**
 * Every metric by its name in OpenTelemetry; docs/metrics.md says more. Names that begin with `gen_ai.`, with their units and buckets, are from the
 * semantic conventions for generative AI 1.41. The others are ours. Those in seconds say so in the name, so that a metric has the same name in
 * Prometheus whether it is fetched or sent.
 */
export const METRICS = {
  'unstuck.agents': {
    kind: 'gauge',
    unit: '{agent}',
    labels: ['gen_ai.agent.name', 'unstuck.state'],
    what: 'Agents followed now, by state.',
  },
  'unstuck.agents.needing_person': {
    kind: 'gauge',
    unit: '{agent}',
    labels: ['gen_ai.agent.name'],
    what: 'Agents that need a person now: stuck, waiting for permission or an answer, escalated, or died.',
  },
  'unstuck.agent.seconds': {
    kind: 'counter',
    unit: 's',
    labels: ['gen_ai.agent.name', 'unstuck.state'],
    what: 'Time that agents spent in each state except finished.',
  },
  'unstuck.steps': {
    kind: 'counter',
    unit: '{step}',
    labels: ['gen_ai.agent.name', 'unstuck.outcome'],
    what: 'Steps of agents: calls of tools with their results.',
  },
  'unstuck.alarms': {
    kind: 'counter',
    unit: '{alarm}',
    labels: ['gen_ai.agent.name', 'unstuck.rule', 'unstuck.level'],
    what: 'Alarms raised: an incident is new, reaches a higher level, or comes back.',
  },
  'unstuck.freed': {
    kind: 'counter',
    unit: '{incident}',
    labels: ['gen_ai.agent.name', 'unstuck.action'],
    what: 'Stuck agents that made progress again, by what freed them.',
  },
  'unstuck.stuck.seconds': {
    kind: 'histogram',
    unit: 's',
    labels: ['gen_ai.agent.name'],
    what: 'How long an agent was stuck each time, until its loop was over or its session ended.',
    buckets: [10, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 28_800],
  },
  'gen_ai.client.token.usage': {
    kind: 'histogram',
    unit: '{token}',
    labels: ['gen_ai.agent.name', 'gen_ai.operation.name', 'gen_ai.token.type'],
    what: 'Tokens that each request of an agent used, as its transcript says.',
    buckets: [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864],
  },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof METRICS;

/** Metrics that are added to or recorded when something happens. The others are computed on demand. */
export type RecordedName = {
  [Name in MetricName]: Name extends 'unstuck.agent.seconds'
    ? never
    : (typeof METRICS)[Name]['kind'] extends 'gauge'
      ? never
      : Name;
}[MetricName];

/** One event to measure: added to a counter, or recorded in a histogram. */
export interface Measurement {
  readonly metric: RecordedName;
  /** In the unit of the metric, not negative. A 0 on a counter only announces that the series exists. */
  readonly value: number;
  readonly labels: Labels;
}

/** A value, current or total. */
export interface MetricReading {
  readonly value: number;
  readonly labels: Labels;
}
